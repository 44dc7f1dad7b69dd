// SPDX-License-Identifier: MIT
// Looks for a text in large blocks of bytes: the hottest loop of a search by contents. Used by
// contents.cpp. Knows no lines, and no letters but ASCII's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/unicode.h"

namespace ffind::query {

/// Immutable and thread-safe.
class ByteFinder {
 public:
  static constexpr std::size_t npos = std::string_view::npos;

  /// `needle` must not be empty; with `KeyCase::folded`, its ASCII letters must be in lower case.
  ByteFinder(std::string needle, text::KeyCase key_case);

  /// Where it first occurs in `bytes` at or after `from`.
  std::size_t find(std::string_view bytes, std::size_t from) const;

 private:
  /// A byte of the needle that is looked for in many places at once.
  struct Probe {
    std::size_t offset = 0;
    unsigned char mask = 0;  ///< makes an upper-case letter a lower-case one
    unsigned char byte = 0;
  };
  Probe probe(std::size_t offset) const;
  bool stands_at(const char* place) const;

  std::string needle_;
  bool folding_;
  Probe rarest_;
  Probe other_;  ///< the rarest of the rest; of a needle of one byte, that byte
};

/// A text of which each byte may be one of two; searched for eight places at a time. Immutable and
/// thread-safe.
class TwoSpellingFinder {
 public:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  TwoSpellingFinder() : TwoSpellingFinder({}, {}) {}
  /// Both as long.
  TwoSpellingFinder(std::string one, std::string other);

  std::size_t size() const { return one_.size(); }
  char front() const { return one_.front(); }
  /// Where it first occurs in `subject`, any bytes at all; `none` if nowhere. Not for the empty.
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
  bool ends_vary_;  ///< the first byte or the last may be one of two
};

/// How many bytes at the end of `key` are ASCII that a name ends in as well, up to case.
std::size_t known_tail(std::string_view key, text::KeyRules rules);

/// Immutable and thread-safe.
class LiteralFilter {
 public:
  static constexpr std::size_t none = TwoSpellingFinder::none;

  /// `key` must be in every match's key, made with `rules`; empty when nothing is known.
  LiteralFilter(std::string_view key, text::KeyRules rules);

  bool empty() const { return finder_.size() == 0; }
  std::size_t size() const { return finder_.size(); }
  /// Where it first occurs in `subject`, any bytes at all; `none` if nowhere.
  std::size_t find(std::string_view subject) const { return finder_.find(subject); }
  /// Whether a name with these bytes outside ASCII may still match.
  bool allows(std::string_view subject) const {
    return empty() || find(subject) != none || (rare_leads_ != 0 && may_be_spelt_rarely(subject));
  }

 private:
  bool may_be_spelt_rarely(std::string_view subject) const;

  TwoSpellingFinder finder_;
  /// Of the first bytes that other spellings begin with, which; a bit for each in
  /// byte_finder.cpp.
  unsigned rare_leads_ = 0;
  /// If there are any, one of them is in a match that has the run in another spelling.
  std::vector<TwoSpellingFinder> rare_;
};

}  // namespace ffind::query
