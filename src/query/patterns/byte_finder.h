// SPDX-License-Identifier: MIT
// Searches for bytes, and filters of names made of them.
//
//     ByteFinder          a text in large blocks (contents of files): vectors of 16 bytes, 64
//     places
//                         at once
//     TwoSpellingFinder   a text of which each byte may be one of two, in names: words of 8 bytes
//     LiteralFilter       rejects names outside ASCII that cannot match a pattern, before their
//     keys
//                         are computed, by the bytes that every match contains in one spelling or
//                         another
//
// All are immutable and thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

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

/// Finds a text of which each byte may be one of two, trying eight places at a time.
class TwoSpellingFinder {
 public:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  TwoSpellingFinder() : TwoSpellingFinder({}, {}) {}
  /// Both texts must be of the same length.
  TwoSpellingFinder(std::string one, std::string other);

  std::size_t size() const { return one_.size(); }
  char front() const { return one_.front(); }
  /// Position of the first occurrence in `subject`, which may be any bytes, or `none`. The text
  /// must not be empty.
  std::size_t find(std::string_view subject) const {
    return ends_vary_ ? find<true>(subject) : find<false>(subject);
  }

 private:
  template <bool ends_vary>
  std::size_t find(std::string_view subject) const;

  std::string one_;
  std::string other_;
  std::uint64_t first_[2];  ///< the first byte, eight times
  std::uint64_t last_[2];
  bool ends_vary_;  ///< the first or the last byte has two values
};

/// Number of ASCII bytes at the end of `key` that every name with this key also ends in, up to
/// case.
std::size_t known_tail(std::string_view key, text::KeyRules rules);

/// Rejects names that lack the bytes of a text in all of its spellings.
class LiteralFilter {
 public:
  static constexpr std::size_t none = TwoSpellingFinder::none;

  /// `key` is contained in the key of every match under `rules`; empty if unknown.
  LiteralFilter(std::string_view key, text::KeyRules rules);

  bool empty() const { return finder_.size() == 0; }
  std::size_t size() const { return finder_.size(); }
  /// Position of the first occurrence in `subject`, which may be any bytes, or `none`.
  std::size_t find(std::string_view subject) const { return finder_.find(subject); }
  /// False if a name with characters outside ASCII cannot match.
  bool allows(std::string_view subject) const {
    return empty() || find(subject) != none || (rare_leads_ != 0 && may_be_spelt_rarely(subject));
  }

 private:
  bool may_be_spelt_rarely(std::string_view subject) const;

  TwoSpellingFinder finder_;
  /// Bit set of the first bytes of the run's rarer spellings (rare_leads in byte_finder.cpp).
  unsigned rare_leads_ = 0;
  /// If not empty, a match with one of the rarer spellings contains one of these.
  std::vector<TwoSpellingFinder> rare_;
};

}  // namespace ffind::query
