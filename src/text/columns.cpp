// SPDX-License-Identifier: MIT
// Sums over code points. See columns.h.
#include "text/columns.h"

#include <algorithm>

#include "text/ascii.h"
#include "text/code_points.h"
#include "text/utf8.h"

namespace ffind::text {

std::size_t columns_of(std::string_view text) {
  if (is_ascii(text)) return text.size();
  std::size_t columns = 0;
  for (std::size_t at = 0; at < text.size();) {
    const char32_t code_point = checked_code_point(text, at);
    if (code_point == no_code_point) {
      at += 1;
      columns += 1;
    } else {
      columns += columns_of(code_point);
    }
  }
  return columns;
}

std::string_view end_that_fits(std::string_view text, std::size_t columns) {
  std::size_t taken = columns_of(text);
  std::size_t begin = 0;
  while (begin < text.size()) {
    std::size_t next = begin + 1;
    while (next < text.size() && is_continuation(text[next])) ++next;
    const std::size_t width = columns_of(text.substr(begin, next - begin));
    if (taken <= columns && width > 0) break;
    taken -= std::min(width, taken);
    begin = next;
  }
  return text.substr(begin);
}

}  // namespace ffind::text
