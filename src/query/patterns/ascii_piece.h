// SPDX-License-Identifier: MIT
// What of a pattern stands in every match as it is, byte for byte up to the case of ASCII: looked
// for in names outside ASCII before their keys are made, it tells most of them off. Used by literal
// and regex patterns. Knows no syntax and no normalisation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "query/unicode/key.h"

namespace ffind {

/// Immutable and thread-safe.
class AsciiPiece {
 public:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  /// `key` must be in every match's key, made with `rules`; empty when nothing is known.
  AsciiPiece(std::string_view key, KeyRules rules);

  bool empty() const { return piece_.empty(); }
  std::size_t size() const { return piece_.size(); }
  /// Where it first stands in `subject`, any bytes at all; `none` if nowhere.
  std::size_t find(std::string_view subject) const {
    return folds_ ? find<true>(subject) : find<false>(subject);
  }
  /// Whether a name with these bytes outside ASCII may still match.
  bool allows(std::string_view subject) const { return empty() || find(subject) != none; }

 private:
  template <bool folding>
  std::size_t find(std::string_view subject) const;

  std::string piece_;       ///< in lower case if `folds_`
  std::uint64_t first_[2];  ///< its first byte, eight times; in lower and upper case
  std::uint64_t last_[2];
  bool folds_;
};

}  // namespace ffind
