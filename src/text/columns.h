// SPDX-License-Identifier: MIT
// How wide a text is on a terminal. Handed to the output by cli, which aligns columns by it. Pure.
#pragma once

#include <cstddef>
#include <string_view>

namespace ffind::text {

/// Columns that `text` takes: none for a mark, two for Han and emoji, one for each byte that is not
/// UTF-8.
std::size_t columns_of(std::string_view text);

}  // namespace ffind::text
