// SPDX-License-Identifier: MIT
// UTF-8 decoder and encoder, and a converter from UTF-16. Strict: shortest forms only, no
// surrogates, nothing above U+10FFFF. Properties of characters are in unicode.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace ffind::text {

inline constexpr char32_t no_code_point = 0xFFFFFFFF;
/// Shown and written in place of bytes that are not UTF-8.
inline constexpr char32_t replacement_character = 0xFFFD;

constexpr bool is_surrogate(char32_t c) {
  return c >= 0xD800 && c <= 0xDFFF;
}

/// True if UTF-8 can encode `c`.
constexpr bool is_encodable(char32_t c) {
  return c <= 0x10FFFF && !is_surrogate(c);
}

/// True for the second and further bytes of a character.
constexpr bool is_continuation(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80;
}

struct Decoded {
  char32_t code_point = 0;
  std::uint8_t length = 1;  ///< bytes; if not valid, of the maximal subpart
  bool valid = false;
};

/// Decodes the character at `at`, which must be before the end. The range of the second byte
/// decides validity and the end of a maximal subpart (Unicode, table 3-7).
inline Decoded decode_utf8(std::string_view bytes, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[at + i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1, true};
  if (lead < 0xC2 || lead > 0xF4) return {};

  const std::uint8_t length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  const unsigned char lowest = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  const unsigned char highest = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  char32_t code_point = lead & (0x7FU >> length);
  for (std::uint8_t i = 1; i < length; ++i) {
    const bool second = i == 1;
    if (at + i >= bytes.size() || byte(i) < (second ? lowest : 0x80) ||
        byte(i) > (second ? highest : 0xBF)) {
      return {0, i, false};
    }
    code_point = code_point << 6U | (byte(i) & 0x3FU);
  }
  return {code_point, length, true};
}

/// Returns the code point at `position` and advances past it; `no_code_point`, without advancing,
/// if the bytes there are not UTF-8.
inline char32_t checked_code_point(std::string_view text, std::size_t& position) {
  const Decoded decoded = decode_utf8(text, position);
  if (!decoded.valid) return no_code_point;
  position += decoded.length;
  return decoded.code_point;
}

/// The same for a `text` that is known to be UTF-8.
inline char32_t next_code_point(std::string_view text, std::size_t& position) {
  const auto next = [&] {
    return static_cast<char32_t>(static_cast<unsigned char>(text[position++]));
  };
  const auto next_bits = [&] { return next() & 0x3FU; };
  char32_t code_point = next();
  if (code_point < 0x80) return code_point;
  if (code_point < 0xE0) return (code_point & 0x1FU) << 6 | next_bits();
  const bool four = code_point >= 0xF0;
  code_point = (code_point & (four ? 0x07U : 0x0FU)) << 6 | next_bits();
  code_point = code_point << 6 | next_bits();
  return four ? code_point << 6 | next_bits() : code_point;
}

bool is_utf8(std::string_view text);

/// Returns the longest beginning of `text` with at most `most` bytes that cuts no character.
std::string_view whole_characters(std::string_view text, std::size_t most);

/// Writes up to four bytes; returns their end.
inline char* encode_utf8(char32_t code_point, char* to) {
  const auto put = [&to](char32_t byte) { *to++ = static_cast<char>(byte); };
  if (code_point < 0x80) {
    put(code_point);
  } else if (code_point < 0x800) {
    put(0xC0 | code_point >> 6);
    put(0x80 | (code_point & 0x3F));
  } else if (code_point < 0x10000) {
    put(0xE0 | code_point >> 12);
    put(0x80 | (code_point >> 6 & 0x3F));
    put(0x80 | (code_point & 0x3F));
  } else {
    put(0xF0 | code_point >> 18);
    put(0x80 | (code_point >> 12 & 0x3F));
    put(0x80 | (code_point >> 6 & 0x3F));
    put(0x80 | (code_point & 0x3F));
  }
  return to;
}

void append_utf8(std::string& text, char32_t code_point);

/// Converts UTF-16 to UTF-8, block by block. Used by one thread.
class Utf16Decoder {
 public:
  explicit Utf16Decoder(bool big_endian) : big_endian_(big_endian) {}

  /// Appends `bytes` to `text`. Lone halves of surrogate pairs become U+FFFD; blocks may end within
  /// a unit or a pair. finish() appends U+FFFD for one that is incomplete.
  void append(std::string_view bytes, std::string& text);
  void finish(std::string& text);

 private:
  void append_unit(char32_t unit, std::string& text);

  bool big_endian_;
  bool has_byte_ = false;
  unsigned char byte_ = 0;  ///< first byte of a unit
  char32_t high_ = 0;       ///< first half of a pair
};

}  // namespace ffind::text
