// SPDX-License-Identifier: MIT
// See utf8.h.
#include "text/utf8.h"

namespace ffind::text {

bool is_utf8(std::string_view text) {
  for (std::size_t position = 0; position < text.size();) {
    if (static_cast<signed char>(text[position]) >= 0) {
      ++position;
    } else if (checked_code_point(text, position) == no_code_point) {
      return false;
    }
  }
  return true;
}

std::string_view whole_characters(std::string_view text, std::size_t most) {
  if (text.size() <= most) return text;
  while (most > 0 && is_continuation(text[most])) --most;
  return text.substr(0, most);
}

void append_utf8(std::string& text, char32_t code_point) {
  char bytes[4];
  text.append(bytes, static_cast<std::size_t>(encode_utf8(code_point, bytes) - bytes));
}

}  // namespace ffind::text
