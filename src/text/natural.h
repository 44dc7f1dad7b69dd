// SPDX-License-Identifier: MIT
// The order in which people count: file2 before file10. Used by sort keys and by the tree. Knows
// bytes; folding of letters is the caller's.
#pragma once

#include <string>
#include <string_view>

namespace ffind::text {

/// Appends what compares, byte by byte, as `text` does among others when the numbers in it count by
/// their value, whatever their length and however many zeros they begin with. No byte of it is 0
/// unless one of `text` is, so that a 0 can end it.
void append_natural(std::string& out, std::string_view text);

}  // namespace ffind::text
