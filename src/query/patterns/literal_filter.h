// SPDX-License-Identifier: MIT
// Rejects most names outside ASCII before their keys are made: searches them for a run of bytes
// that every match of a pattern contains, each byte one of two. Used by literal and regex patterns.
// Knows no syntax and no normalisation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/key.h"

namespace ffind::query {

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
  /// literal_filter.cpp.
  unsigned rare_leads_ = 0;
  /// If there are any, one of them is in a match that has the run in another spelling.
  std::vector<TwoSpellingFinder> rare_;
};

}  // namespace ffind::query
