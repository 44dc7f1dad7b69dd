// SPDX-License-Identifier: MIT
// Text: UTF-8, Unicode normalisation and case, boiled down to one idea. The key of a text is its
// NFC with each code point folded; two texts that mean the same have the same key, so patterns
// compare keys. Called by everything that compiles or runs a pattern. Knows no pattern.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
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
char32_t next_code_point(std::string_view text, std::size_t& position);

void append_utf8(std::string& text, char32_t code_point);

/// The representative of `code_point`'s case orbit under Unicode simple case folding: equal for
/// two code points exactly when RE2's (?i) takes one for the other.
char32_t fold(char32_t code_point);

/// Category Lu or Lt.
bool is_upper_case(char32_t code_point);

/// For smart case. In what is not UTF-8 only ASCII letters count.
bool has_upper_case(std::string_view text);

/// Memory that lives on the stack until more is asked for than fits there.
template <typename T, std::size_t N>
class StackFirst {
 public:
  /// Room for `size` elements, not initialised; what was there is lost.
  T* reserve(std::size_t size) {
    if (size <= N) return few_;
    // Not make_unique: it would zero what is about to be overwritten.
    many_.reset(new T[size]);
    return many_.get();
  }

 private:
  T few_[N];
  std::unique_ptr<T[]> many_;
};

/// What making a key needs; big enough for every name, so that only long paths allocate.
struct KeyScratch {
  StackFirst<std::int32_t, 512> code_points;
  StackFirst<char, 1024> bytes;
};

enum class KeyCase : std::uint8_t { kept, folded };

/// The key of `text`, which must be UTF-8: NFC, folded if asked. Points into `text` where the key
/// is equal to it, else into `scratch`.
std::string_view key_of(std::string_view text, KeyCase key_case, KeyScratch& scratch);

/// The same as a string of its own, for patterns.
std::string key_of(std::string_view text, KeyCase key_case);

/// The longest piece of `literal` that a file system can look for by itself, whatever Unicode's
/// rules were when it was made: a name whose key contains `literal` (made with `key_case`) contains
/// the piece under every normalisation and every folding in use. May be empty. A name that is not
/// UTF-8 but matched as bytes surely contains it only where it is ASCII.
std::string portable_piece(std::string_view literal, KeyCase key_case);

}  // namespace ffind
