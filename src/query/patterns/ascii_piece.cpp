// SPDX-License-Identifier: MIT
// The search for a piece of ASCII among any bytes, eight places at a time. Called by patterns.
#include "query/patterns/ascii_piece.h"

#include <algorithm>
#include <bit>

#include "query/unicode/fold.h"

namespace ffind {

namespace {

/// Whether `c`, in a key, was the same byte in the name, up to case. The rest of ASCII is also what
/// becomes of others: of the Kelvin sign, Greek's question mark and varia, where case is ignored of
/// the long s. key_test tries them all.
bool stands_as_it_is(char c, bool folds) {
  if (static_cast<signed char>(c) < 0 || c == ';' || c == '`') return false;
  return folds ? c != 'k' && c != 's' : c != 'K';
}

std::string longest_piece(std::string_view key, KeyRules rules) {
  std::string_view longest;
  std::size_t start = 0;
  // An accent may stand behind any letter, and be ignored.
  const std::size_t most = rules.without_accents ? 0 : key.size();
  for (std::size_t i = 0; i < most; ++i) {
    if (!stands_as_it_is(key[i], rules.folds())) {
      start = i + 1;
    } else if (i + 1 - start > longest.size()) {
      longest = key.substr(start, i + 1 - start);
    }
  }
  return std::string(longest);
}

constexpr char upper(char c) {
  return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}

std::uint64_t eight_times(char c) {
  return each_byte * static_cast<unsigned char>(c);
}

/// The high bit of each byte that is 0, and perhaps of some behind one that is. Any bytes.
std::uint64_t maybe_zero_bytes(std::uint64_t word) {
  return (word - each_byte) & ~word & high_bits;
}

}  // namespace

AsciiPiece::AsciiPiece(std::string_view key, KeyRules rules)
    : piece_(longest_piece(key, rules)), folds_(rules.folds()) {
  const char first = piece_.empty() ? '\0' : piece_.front();
  const char last = piece_.empty() ? '\0' : piece_.back();
  first_[0] = eight_times(first);
  first_[1] = eight_times(upper(first));
  last_[0] = eight_times(last);
  last_[1] = eight_times(upper(last));
}

template <bool folding>
std::size_t AsciiPiece::find(std::string_view subject) const {
  const std::size_t length = piece_.size();
  if (subject.size() < length) return none;
  const std::size_t places = subject.size() - length + 1;
  const char* const bytes = subject.data();
  const auto hits = [](std::uint64_t word, const std::uint64_t(&wanted)[2]) {
    const std::uint64_t lower = maybe_zero_bytes(word ^ wanted[0]);
    return folding ? lower | maybe_zero_bytes(word ^ wanted[1]) : lower;
  };
  const auto stands_at = [&](std::size_t place) {
    return std::equal(piece_.begin(), piece_.end(), bytes + place, [](char wanted, char byte) {
      return wanted == (folding ? fold_ascii(byte) : byte);
    });
  };
  for (std::size_t i = 0; i < places; i += 8) {
    const std::size_t count = std::min<std::size_t>(8, places - i);
    const char* const end = bytes + i + length - 1;
    const auto load = [count](const char* at) {
      return count == 8 ? load_word(at) : load_partial_word(at, count);
    };
    std::uint64_t found = hits(load(bytes + i), first_) & hits(load(end), last_);
    if (count < 8) found &= ~(~std::uint64_t{0} << (8 * count));
    for (; found != 0; found &= found - 1) {
      const std::size_t place = i + static_cast<std::size_t>(std::countr_zero(found)) / 8;
      if (stands_at(place)) return place;
    }
  }
  return none;
}

template std::size_t AsciiPiece::find<true>(std::string_view) const;
template std::size_t AsciiPiece::find<false>(std::string_view) const;

}  // namespace ffind
