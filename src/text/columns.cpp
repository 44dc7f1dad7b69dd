// SPDX-License-Identifier: MIT
// The sum over its code points. See columns.h.
#include "text/columns.h"

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

}  // namespace ffind::text
