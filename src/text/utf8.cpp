// SPDX-License-Identifier: MIT
// Loops over UTF-8 and UTF-16.
#include "text/utf8.h"

namespace ffind::text {

// A step of one byte for ASCII, of a character for all else.
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

// Steps back from the middle of a character to its first byte.
std::string_view whole_characters(std::string_view text, std::size_t most) {
  if (text.size() <= most) return text;
  while (most > 0 && is_continuation(text[most])) --most;
  return text.substr(0, most);
}

void append_utf8(std::string& text, char32_t code_point) {
  char bytes[4];
  text.append(bytes, static_cast<std::size_t>(encode_utf8(code_point, bytes) - bytes));
}

void Utf16Decoder::append(std::string_view bytes, std::string& text) {
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (!has_byte_) {
      byte_ = byte;
    } else {
      const auto first = static_cast<char32_t>(byte_);
      const auto second = static_cast<char32_t>(byte);
      append_unit(big_endian_ ? first << 8 | second : second << 8 | first, text);
    }
    has_byte_ = !has_byte_;
  }
}

// D83D DE00 is U+1F600. A first half waits in `high_`; anything but a second half after it leaves
// it alone, and so does a second half without a first.
void Utf16Decoder::append_unit(char32_t unit, std::string& text) {
  const bool is_low = unit >= 0xDC00 && unit < 0xE000;
  const char32_t high = high_;
  high_ = 0;
  if (high != 0 && is_low) {
    return append_utf8(text, 0x10000 + ((high - 0xD800) << 10) + (unit - 0xDC00));
  }
  if (high != 0) append_utf8(text, replacement_character);
  if (unit >= 0xD800 && unit < 0xDC00) {
    high_ = unit;
  } else {
    append_utf8(text, is_low ? replacement_character : unit);
  }
}

void Utf16Decoder::finish(std::string& text) {
  if (high_ != 0 || has_byte_) append_utf8(text, replacement_character);
  high_ = 0;
  has_byte_ = false;
}

}  // namespace ffind::text
