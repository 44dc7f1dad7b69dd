// SPDX-License-Identifier: MIT
// What of a pattern stands in every match in bytes that are known, each one of two: looked for in
// names outside ASCII before their keys are made, it tells most of them off. Used by literal and
// regex patterns. Knows no syntax and no normalisation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/key.h"

namespace ffind {

/// A text of which each byte may be one of two; searched for eight places at a time. Immutable and
/// thread-safe.
class TwoWayText {
 public:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  TwoWayText() : TwoWayText({}, {}) {}
  /// Both as long.
  TwoWayText(std::string one, std::string other);

  std::size_t size() const { return one_.size(); }
  char front() const { return one_.front(); }
  /// Where it first stands in `subject`, any bytes at all; `none` if nowhere. Not for the empty.
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
class KnownPiece {
 public:
  static constexpr std::size_t none = TwoWayText::none;

  /// `key` must be in every match's key, made with `rules`; empty when nothing is known.
  KnownPiece(std::string_view key, text::KeyRules rules);

  bool empty() const { return piece_.size() == 0; }
  std::size_t size() const { return piece_.size(); }
  /// Where it first stands in `subject`, any bytes at all; `none` if nowhere.
  std::size_t find(std::string_view subject) const { return piece_.find(subject); }
  /// Whether a name with these bytes outside ASCII may still match.
  bool allows(std::string_view subject) const {
    return empty() || find(subject) != none || (rare_leads_ != 0 && may_be_spelt_rarely(subject));
  }

 private:
  bool may_be_spelt_rarely(std::string_view subject) const;

  TwoWayText piece_;
  /// Of the first bytes that other spellings begin with, which; a bit for each in known_piece.cpp.
  unsigned rare_leads_ = 0;
  /// If there are any, one of them is in a match that has the piece in another spelling.
  std::vector<TwoWayText> rare_;
};

}  // namespace ffind
