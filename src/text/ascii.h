// SPDX-License-Identifier: MIT
// ASCII characters: lists with a separator, classes, digits, lower case, one byte at a time and
// eight at a time in a 64-bit word. Nearly every name is plain ASCII, so every fast path starts
// here. Knows no encoding.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

namespace ffind::text {

/// Removes the first part of `rest` with the separator after it, and returns the part: "a,b"
/// becomes "b" and "a" is returned; without a separator all of it is the part.
constexpr std::string_view take_part(std::string_view& rest, char separator) {
  const std::string_view part = rest.substr(0, rest.find(separator));
  rest.remove_prefix(std::min(rest.size(), part.size() + 1));
  return part;
}

/// Calls `use(position, part)` for each part of `list`. An empty list has one part, as has the end
/// of "a,", so that a message can point at the part that is missing.
template <typename Use>
void for_each_part(std::string_view list, char separator, Use use) {
  for (std::size_t from = 0; from <= list.size();) {
    const std::size_t to = std::min(list.find(separator, from), list.size());
    use(from, list.substr(from, to - from));
    from = to + 1;
  }
}

constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// True for one or more digits, and nothing else.
constexpr bool is_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_digit);
}

constexpr bool is_lower(char c) {
  return c >= 'a' && c <= 'z';
}

constexpr bool is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}

constexpr bool is_letter(char c) {
  return is_lower(c) || is_upper(c);
}

constexpr bool is_letter_or_digit(char c) {
  return is_letter(c) || is_digit(c);
}

constexpr bool is_octal(char c) {
  return c >= '0' && c <= '7';
}

/// A blank or an end of a line; not a vertical tab or form feed, as for git.
constexpr bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/// Value of a hexadecimal digit; nullopt for any other character.
constexpr std::optional<unsigned> hex_value(char c) {
  if (is_digit(c)) return static_cast<unsigned>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a' + 10);
  if (c >= 'A' && c <= 'F') return static_cast<unsigned>(c - 'A' + 10);
  return {};
}

/// Byte of the two hexadecimal digits at `at`; nullopt if there are none.
constexpr std::optional<char> hex_byte(std::string_view text, std::size_t at) {
  if (at >= text.size() || text.size() - at < 2) return {};
  const auto high = hex_value(text[at]);
  const auto low = hex_value(text[at + 1]);
  if (!high || !low) return {};
  return static_cast<char>(*high * 16 + *low);
}

inline constexpr std::string_view hex_digits = "0123456789abcdef";

/// Appends the last `digits` hexadecimal digits of `value`.
inline void append_hex(std::string& out, std::uint32_t value, int digits) {
  for (int i = digits - 1; i >= 0; --i) out += hex_digits[value >> (4 * i) & 0xFU];
}

constexpr char fold_ascii(char c) {
  return is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c;
}

/// Returns `text` with its ASCII letters in lower case and all other bytes unchanged.
inline std::string fold_ascii(std::string_view text) {
  std::string folded(text);
  for (char& c : folded) c = fold_ascii(c);
  return folded;
}

/// Eight bytes as a number, the first in the lowest byte on every machine.
inline std::uint64_t load_word(const char* bytes) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, sizeof word);
  if constexpr (std::endian::native == std::endian::big) word = __builtin_bswap64(word);
  return word;
}

/// The same for fewer than eight bytes; the rest of the word is 0.
/// No byte outside of the text is read, so it may end at the end of a page.
inline std::uint64_t load_partial_word(const char* bytes, std::size_t size) {
  // The loads overlap: combining equal bits twice is harmless.
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

// Arithmetic on eight ASCII bytes in a word: each is below 0x80, so an addition that stays below
// 0x100 cannot carry into its neighbour, and the high bit is free for the result.

/// Returns eight ASCII bytes in lower case.
/// For each byte, the first sum has the high bit set from 'A' on, the second one above 'Z'. They
/// differ exactly for upper case, and there 0x80 >> 2 is 0x20, the distance to lower case.
inline std::uint64_t fold_word(std::uint64_t word) {
  const std::uint64_t from_a = word + (0x80 - 'A') * each_byte;
  const std::uint64_t past_z = word + (0x80 - 'Z' - 1) * each_byte;
  return word | (((from_a ^ past_z) & high_bits) >> 2);
}

/// Combines all words before it looks at the high bits: names are short, and an early exit would
/// cost a branch for each word. The last word overlaps the one before it.
inline bool is_ascii(std::string_view text) {
  const char* const bytes = text.data();
  const std::size_t size = text.size();
  if (size < 8) return (load_partial_word(bytes, size) & high_bits) == 0;
  std::uint64_t seen = load_word(bytes + size - 8);
  for (std::size_t i = 0; i + 8 < size; i += 8) seen |= load_word(bytes + i);
  return (seen & high_bits) == 0;
}

}  // namespace ffind::text
