// SPDX-License-Identifier: MIT
// Searches for bytes.
//
//     ByteFinder    a text in large blocks, the contents of files: 64 places at once, in vectors of
//                   16 bytes
//     AsciiFinder   an ASCII text in ASCII names: 8 places at once. Inline, since it runs on nearly
//                   every name of a search
//
// They are separate because large blocks repay a setup that names of 15 bytes do not. Both are
// immutable and thread-safe.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "text/ascii.h"
#include "text/unicode.h"

namespace ffind::query {

/// Finds a text in large blocks of bytes, the hottest loop of a search by contents.
class ByteFinder {
 public:
  static constexpr std::size_t npos = std::string_view::npos;

  /// `needle` must not be empty. With `KeyCase::folded` its ASCII letters must be in lower case.
  ByteFinder(std::string needle, text::KeyCase key_case);

  /// Position of the first occurrence in `bytes` at or after `from`, or npos.
  std::size_t find(std::string_view bytes, std::size_t from) const;
  std::size_t size() const { return needle_.size(); }

 private:
  /// A byte of the needle that is compared at many places at once.
  struct Probe {
    std::size_t offset = 0;
    unsigned char mask = 0;  ///< the bit that makes letters lower-case, if case is ignored
    unsigned char byte = 0;
  };
  Probe probe(std::size_t offset) const;
  bool stands_at(const char* place) const;

  std::string needle_;
  bool folding_;
  Probe rarest_;
  Probe other_;  ///< second rarest; the same byte if there is only one
};

/// Returns a finder for bytes that every name has whose key contains `key`: the longest run of
/// ASCII characters that no other character becomes. Rejects most names outside ASCII at a fifth of
/// the cost of their keys. nullopt if there is no such run.
std::optional<ByteFinder> finder_of_known_bytes(std::string_view key, text::KeyRules rules);

/// Compares `size` bytes of ASCII with those of a needle, which is folded if `folding`.
template <bool folding>
bool equal_ascii(const char* subject, const char* needle, std::size_t size) {
  const auto folded = [](std::uint64_t word) { return folding ? text::fold_word(word) : word; };
  if (size < 8)
    return folded(text::load_partial_word(subject, size)) == text::load_partial_word(needle, size);
  for (std::size_t i = 0; i + 8 < size; i += 8) {
    if (folded(text::load_word(subject + i)) != text::load_word(needle + i)) return false;
  }
  return folded(text::load_word(subject + size - 8)) == text::load_word(needle + size - 8);
}

/// Finds an ASCII text in ASCII texts.
class AsciiFinder {
 public:
  /// `needle` must be ASCII, and in lower case with `KeyCase::folded`.
  AsciiFinder(std::string needle, text::KeyCase key_case);
  bool found_in(std::string_view ascii) const {
    return key_case_ == text::KeyCase::folded ? find<true>(ascii) : find<false>(ascii);
  }

 private:
  template <bool folding>
  bool find(std::string_view ascii) const;

  std::string needle_;
  std::uint64_t first_;  ///< the needle's first byte, eight times
  std::uint64_t last_;
  text::KeyCase key_case_;
};

/// Sets the high bit of each byte that is 0. For ASCII, like fold_word.
inline std::uint64_t zero_bytes(std::uint64_t word) {
  return ~(word + 0x7F * text::each_byte) & text::high_bits;
}

// Tries eight places at once. Only where both the first and the last byte of the needle fit is the
// whole needle compared.
//
//     subject   M a k e f i l e . t x t        needle  "file"
//     first     - - - - f - - -                word at i
//     last        - - - - - - - e              word at i + 3: both fit at 4
template <bool folding>
bool AsciiFinder::find(std::string_view ascii) const {
  const std::size_t length = needle_.size();
  if (length == 0) return true;
  if (ascii.size() < length) return false;
  const std::size_t places = ascii.size() - length + 1;
  const char* const bytes = ascii.data();
  const auto candidates = [this](std::uint64_t first, std::uint64_t last) {
    if (folding) {
      first = text::fold_word(first);
      last = text::fold_word(last);
    }
    return zero_bytes((first ^ first_) | (last ^ last_));
  };
  const auto confirmed = [&](std::uint64_t found, std::size_t from) {
    for (; found != 0; found &= found - 1) {
      const std::size_t place = from + static_cast<std::size_t>(std::countr_zero(found)) / 8;
      if (equal_ascii<folding>(bytes + place, needle_.data(), length)) return true;
    }
    return false;
  };
  if (places < 8) {
    const std::uint64_t first = text::load_partial_word(bytes, places);
    const std::uint64_t last = text::load_partial_word(bytes + length - 1, places);
    const std::uint64_t past_end = ~std::uint64_t{0} << (8 * places);
    return confirmed(candidates(first, last) & ~past_end, 0);
  }
  for (std::size_t i = 0; i + 8 < places; i += 8) {
    const std::uint64_t found =
        candidates(text::load_word(bytes + i), text::load_word(bytes + i + length - 1));
    if (found != 0 && confirmed(found, i)) return true;
  }
  const std::size_t rest = places - 8;  // overlaps the places already tried
  return confirmed(
      candidates(text::load_word(bytes + rest), text::load_word(bytes + rest + length - 1)), rest);
}

}  // namespace ffind::query
