// SPDX-License-Identifier: MIT
// UTF-8 with all checks, and what of case does not need a whole text. Knows no pattern.
#include "query/unicode/fold.h"

#include <algorithm>

#include "query/unicode/code_points.h"

namespace ffind {

std::string fold_ascii(std::string_view text) {
  std::string folded(text);
  for (char& c : folded) c = fold_ascii(c);
  return folded;
}

char32_t checked_code_point(std::string_view text, std::size_t& position) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[position + i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) {
    ++position;
    return lead;
  }
  const std::size_t length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  if (lead < 0xC2 || lead > 0xF4 || text.size() - position < length) return no_code_point;
  char32_t code_point = lead & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return no_code_point;
    code_point = code_point << 6 | (byte(i) & 0x3FU);
  }
  // C0 and C1 were refused above; of the longer forms each has a least value of its own.
  constexpr char32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code_point >= 0xD800 && code_point <= 0xDFFF;
  if (code_point < least[length] || code_point > 0x10FFFF || surrogate) return no_code_point;
  position += length;
  return code_point;
}

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

void append_utf8(std::string& text, char32_t code_point) {
  char bytes[4];
  text.append(bytes, static_cast<std::size_t>(encode_utf8(code_point, bytes) - bytes));
}

char32_t fold(char32_t code_point) {
  if (code_point < 0x80) {
    return static_cast<unsigned char>(fold_ascii(static_cast<char>(code_point)));
  }
  return facts_of(code_point) & facts::folded;
}

bool has_upper_case(std::string_view text) {
  if (!is_utf8(text)) return fold_ascii(text) != text;
  for (std::size_t position = 0; position < text.size();) {
    if (is_upper_case(next_code_point(text, position))) return true;
  }
  return false;
}

}  // namespace ffind
