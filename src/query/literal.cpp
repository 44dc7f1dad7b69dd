// SPDX-License-Identifier: MIT
// Literal patterns. The everyday case, an ASCII name of some 15 bytes, is the hottest loop of a
// search after the kernel's: it runs on eight bytes at a time, with no table, copy or allocation.
// Whatever is not ASCII goes the slow way over keys. Knows no other kind of pattern.
#include "query/literal.h"

#include <bit>
#include <utility>

namespace ffind {

namespace {

// Tricks with ASCII bytes in a word: each is below 0x80, so that an addition that stays below 0x100
// cannot carry into its neighbour, and the high bit is free to hold the answer.

/// Each byte in lower case.
std::uint64_t fold_word(std::uint64_t word) {
  const std::uint64_t from_a = word + (0x80 - 'A') * each_byte;
  const std::uint64_t past_z = word + (0x80 - 'Z' - 1) * each_byte;
  return word | (((from_a ^ past_z) & high_bits) >> 2);
}

/// The high bit of each byte that is 0.
std::uint64_t zero_bytes(std::uint64_t word) { return ~(word + 0x7F * each_byte) & high_bits; }

/// Whether `size` bytes of ASCII are equal to those of a needle, which is folded if `folding`.
template <bool folding>
bool equal_ascii(const char* subject, const char* needle, std::size_t size) {
  const auto folded = [](std::uint64_t word) { return folding ? fold_word(word) : word; };
  if (size < 8) return folded(load_partial_word(subject, size)) == load_partial_word(needle, size);
  for (std::size_t i = 0; i + 8 < size; i += 8) {
    if (folded(load_word(subject + i)) != load_word(needle + i)) return false;
  }
  return folded(load_word(subject + size - 8)) == load_word(needle + size - 8);
}

class LiteralPattern final : public Pattern {
 public:
  LiteralPattern(PatternKind kind, std::string_view text, KeyCase key_case)
      : kind_(kind),
        key_case_(key_case),
        utf8_(is_utf8(text)),
        bytes_(key_case == KeyCase::folded ? fold_ascii(text) : std::string(text)),
        key_(utf8_ ? key_of(text, key_case) : bytes_),
        ascii_(is_ascii(key_)),
        finder_(ascii_ ? key_ : std::string(), key_case) {}

  bool matches(std::string_view subject) const override {
    if (is_ascii(subject)) return ascii_ && matches_ascii(subject);
    return matches_slowly(subject);
  }

  int cost() const override { return kind_ == PatternKind::contains ? 6 : 4; }
  std::string_view required_literal() const override { return key_; }
  bool ignores_case() const override { return key_case_ == KeyCase::folded; }

 private:
  bool matches_ascii(std::string_view subject) const {
    if (kind_ == PatternKind::contains) return finder_.found_in(subject);
    if (subject.size() < key_.size()) return false;
    if (kind_ == PatternKind::exact && subject.size() != key_.size()) return false;
    if (kind_ == PatternKind::ends) subject.remove_prefix(subject.size() - key_.size());
    return key_case_ == KeyCase::folded
               ? equal_ascii<true>(subject.data(), key_.data(), key_.size())
               : equal_ascii<false>(subject.data(), key_.data(), key_.size());
  }

  bool matches_slowly(std::string_view subject) const {
    if (!is_utf8(subject)) {
      return key_case_ == KeyCase::folded ? holds(fold_ascii(subject), bytes_)
                                          : holds(subject, bytes_);
    }
    // Without this, half a letter would be found in a whole one.
    if (!utf8_) return false;
    KeyScratch scratch;
    return holds(key_of(subject, key_case_, scratch), key_);
  }

  bool holds(std::string_view subject, std::string_view text) const {
    switch (kind_) {
      case PatternKind::exact:
        return subject == text;
      case PatternKind::starts:
        return subject.starts_with(text);
      case PatternKind::ends:
        return subject.ends_with(text);
      default:
        return subject.find(text) != std::string_view::npos;
    }
  }

  PatternKind kind_;
  KeyCase key_case_;
  bool utf8_;
  std::string bytes_;  ///< for subjects that are not UTF-8
  std::string key_;    ///< for all others
  bool ascii_;         ///< the key is; a subject in ASCII matches no other
  AsciiFinder finder_;
};

}  // namespace

AsciiFinder::AsciiFinder(std::string needle, KeyCase key_case)
    : needle_(std::move(needle)),
      first_(needle_.empty() ? 0 : each_byte * static_cast<unsigned char>(needle_.front())),
      last_(needle_.empty() ? 0 : each_byte * static_cast<unsigned char>(needle_.back())),
      key_case_(key_case) {}

// Tries eight places at once: a place is worth a closer look where both the first and the last byte
// of the needle fit.
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
      first = fold_word(first);
      last = fold_word(last);
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
    const std::uint64_t first = load_partial_word(bytes, places);
    const std::uint64_t last = load_partial_word(bytes + length - 1, places);
    const std::uint64_t past_end = ~std::uint64_t{0} << (8 * places);
    return confirmed(candidates(first, last) & ~past_end, 0);
  }
  for (std::size_t i = 0; i + 8 < places; i += 8) {
    const std::uint64_t found =
        candidates(load_word(bytes + i), load_word(bytes + i + length - 1));
    if (found != 0 && confirmed(found, i)) return true;
  }
  const std::size_t rest = places - 8;  // overlaps what was looked at already
  return confirmed(candidates(load_word(bytes + rest), load_word(bytes + rest + length - 1)), rest);
}

std::unique_ptr<const Pattern> make_literal(PatternKind kind, std::string_view text,
                                            KeyCase key_case) {
  return std::make_unique<LiteralPattern>(kind, text, key_case);
}

}  // namespace ffind
