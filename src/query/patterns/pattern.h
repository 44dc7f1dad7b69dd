// SPDX-License-Identifier: MIT
// Patterns: literals, globs and regular expressions compiled to what is cheapest to run, with the
// contract's rules for case and normalisation. Made by the tests of names and paths.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "text/problem.h"

namespace ffind::query {

enum class PatternKind : std::uint8_t { contains, exact, starts, ends, glob, regex };
enum class CaseRule : std::uint8_t { smart, sensitive, insensitive };

struct PatternSpec {
  PatternKind kind = PatternKind::contains;
  std::string text;
  CaseRule case_rule = CaseRule::smart;
  text::ValueSource source{};      ///< for error messages
  bool ignore_diacritics = false;  ///< o matches ö as well
};

/// Immutable and thread-safe.
class Pattern {
 public:
  virtual ~Pattern() = default;
  /// Names that differ only in normalisation are the same; a subject that is not UTF-8 is matched
  /// as bytes.
  virtual bool matches(std::string_view subject) const = 0;
  /// Whether `part` matches, of a text in which `before` and `behind` are beside it: of an
  /// expression, where that text and its words begin and end. One byte each, or none at an end.
  virtual bool matches_part(std::string_view, std::string_view part, std::string_view) const {
    return matches(part);
  }
  /// Nanoseconds for a name of ordinary length, roughly.
  virtual int cost() const = 0;
  /// The longest text that every match contains, folded as `matches` folds; empty when there is
  /// none. What a faster engine may test first: the key (text/unicode.h) of every match that
  /// is UTF-8 contains it, so names outside ASCII need not contain it byte for byte.
  virtual std::string_view required_literal() const = 0;
  /// Whether letters are matched without regard to case.
  virtual bool ignores_case() const = 0;
  /// Whether letters are matched without regard to their accents.
  virtual bool ignores_diacritics() const = 0;
};

/// Throws UsageError for what cannot be compiled, quoting the place in it.
std::unique_ptr<const Pattern> compile_pattern(const PatternSpec& spec);

/// The comparison of `field` with it, as the expression language reads it:
/// `name nocase contains "x"`.
std::string pattern_text(std::string_view field, const PatternSpec& spec);

/// What the expression language calls it: "contains", "is", "starts with", "ends with", "glob",
/// "~".
std::string_view operator_text(PatternKind kind);

/// Where in `typed` that begins which is at `place` once `normalise` is through with it: behind the
/// longest beginning that becomes no more than `place`. Cut only at `ends`, so that a longer
/// beginning never becomes less.
template <typename Normalise>
std::size_t place_in_typed(std::string_view typed, const std::vector<std::size_t>& ends,
                           std::size_t place, Normalise normalise) {
  const auto behind = std::partition_point(ends.begin(), ends.end(), [&](std::size_t end) {
    return normalise(typed.substr(0, end)).size() <= place;
  });
  return behind == ends.begin() ? 0 : behind[-1];
}

}  // namespace ffind::query
