// SPDX-License-Identifier: MIT
// Text: ASCII eight bytes at a time, UTF-8, and the case of letters. Called by keys (key.h) and by
// everything that compiles or runs a pattern. Knows neither.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace ffind {

/// Eight bytes as a number, the first in the lowest byte on every machine.
inline std::uint64_t load_word(const char* bytes) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, sizeof word);
  if constexpr (std::endian::native == std::endian::big) word = __builtin_bswap64(word);
  return word;
}

/// The same for fewer than eight bytes; the rest of the word is 0.
inline std::uint64_t load_partial_word(const char* bytes, std::size_t size) {
  // The pieces overlap: or-ing equal bits twice does no harm.
  if (size >= 4) {
    std::uint32_t low = 0;
    std::uint32_t high = 0;
    std::memcpy(&low, bytes, sizeof low);
    std::memcpy(&high, bytes + size - sizeof high, sizeof high);
    if constexpr (std::endian::native == std::endian::big) {
      low = __builtin_bswap32(low);
      high = __builtin_bswap32(high);
    }
    return low | std::uint64_t{high} << (8 * (size - sizeof high));
  }
  const auto at = [bytes](std::size_t i) {
    return std::uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
  };
  return size == 0 ? 0 : at(0) | at(size / 2) | at(size - 1);
}

inline constexpr std::uint64_t each_byte = 0x0101010101010101;
inline constexpr std::uint64_t high_bits = 0x80 * each_byte;

// Tricks with ASCII bytes in a word: each is below 0x80, so that an addition that stays below 0x100
// cannot carry into its neighbour, and the high bit is free to hold the answer.

/// Each byte of ASCII in lower case.
inline std::uint64_t fold_word(std::uint64_t word) {
  const std::uint64_t from_a = word + (0x80 - 'A') * each_byte;
  const std::uint64_t past_z = word + (0x80 - 'Z' - 1) * each_byte;
  return word | (((from_a ^ past_z) & high_bits) >> 2);
}

/// Nearly every name is, and all the fast ways begin with asking.
inline bool is_ascii(std::string_view text) {
  const char* const bytes = text.data();
  const std::size_t size = text.size();
  if (size < 8) return (load_partial_word(bytes, size) & high_bits) == 0;
  std::uint64_t seen = load_word(bytes + size - 8);
  for (std::size_t i = 0; i + 8 < size; i += 8) seen |= load_word(bytes + i);
  return (seen & high_bits) == 0;
}

constexpr char fold_ascii(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

/// `text` with its ASCII letters in lower case, all other bytes as they are.
std::string fold_ascii(std::string_view text);

/// Shortest forms only, no surrogates, nothing above U+10FFFF.
bool is_utf8(std::string_view text);

/// The code point at `position`, which moves behind it. `text` must be UTF-8.
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

/// The code point at `position`, which moves behind it; `no_code_point` and no step where `text` is
/// not UTF-8.
inline constexpr char32_t no_code_point = 0xFFFFFFFF;
char32_t checked_code_point(std::string_view text, std::size_t& position);

/// Writes up to four bytes; returns where they end.
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

/// The representative of `code_point`'s case orbit under Unicode simple case folding: equal for
/// two code points exactly when RE2's (?i) takes one for the other.
char32_t fold(char32_t code_point);

/// Category Lu or Lt.
bool is_upper_case(char32_t code_point);

/// For smart case. In what is not UTF-8 only ASCII letters count.
bool has_upper_case(std::string_view text);

}  // namespace ffind
