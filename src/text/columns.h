// SPDX-License-Identifier: MIT
// Text in columns of a terminal: how wide it is, and as much of it as fits. Used by everything that
// aligns or shortens.
#pragma once

#include <cstddef>
#include <string_view>

namespace ffind::text {

/// Columns that `text` takes: none for a mark, two for Han and emoji, one for each byte that is not
/// UTF-8.
std::size_t columns_of(std::string_view text);

/// The end of `text` that fits into `columns`, beginning with a character that takes some.
std::string_view end_that_fits(std::string_view text, std::size_t columns);

}  // namespace ffind::text
