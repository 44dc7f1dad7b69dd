// SPDX-License-Identifier: MIT
// The order in which people count: file2 before file10. Used by everything that puts names in
// order.
#pragma once

#include <string>
#include <string_view>

namespace ffind::text {

/// Appends what compares, byte by byte, as `text` does among others when the numbers in it count by
/// their value, whatever their length and however many zeros they begin with. No byte of it is 0
/// unless one of `text` is, so that a 0 can end it.
void append_natural(std::string& out, std::string_view text);

/// The same for a name among others that differ in case or normal form only. `folded` is
/// overwritten.
void append_natural_name(std::string& out, std::string_view name, std::string& folded);

}  // namespace ffind::text
