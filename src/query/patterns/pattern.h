// SPDX-License-Identifier: MIT
// Patterns: compiled literals, globs and regular expressions.
//
//     PatternSpec ──compile_pattern──┬─▶ literal.cpp   fixed text, and globs of text, * and ?
//                                    ├─▶ glob.cpp      parses globs; runs as literals or regexes
//                                    └─▶ regex.cpp     RE2; regexes that are mere literals are not
//
// All kinds follow the same rules. Case is ignored unless the pattern has an upper-case letter
// (smart case) or a rule is given. Names that differ in Unicode normalisation only are equal:
// subjects with characters outside ASCII are compared by their keys (text/unicode.h), but only
// after a search for bytes that every match contains (byte_finder.h) has rejected most of them.
// Subjects that are not UTF-8 are matched as bytes.
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
  text::ValueSource source{};      ///< for messages
  bool ignore_diacritics = false;  ///< o also matches ö
};

/// Immutable and thread-safe.
class Pattern {
 public:
  virtual ~Pattern() = default;
  /// True if `subject` matches.
  virtual bool matches(std::string_view subject) const = 0;
  /// True if `part`, a piece of a longer text, matches. `before` and `after` are the bytes around
  /// it, one each or none at an end of the text; anchors and word boundaries depend on them.
  virtual bool matches_part(std::string_view, std::string_view part, std::string_view) const {
    return matches(part);
  }
  /// Approximate nanoseconds for a name of usual length.
  virtual int cost() const = 0;
  /// The longest text that every match contains, folded like `matches` folds; empty if there is
  /// none. It is contained in the key (text/unicode.h) of every match that is UTF-8, so names
  /// outside ASCII need not contain it byte for byte.
  virtual std::string_view required_literal() const = 0;
  /// True if letters match in any case.
  virtual bool ignores_case() const = 0;
  /// True if letters match with any accents.
  virtual bool ignores_diacritics() const = 0;
};

/// Throws UsageError with the place of the error.
std::unique_ptr<const Pattern> compile_pattern(const PatternSpec& spec);

/// The comparison of `field` with the pattern in the expression language:
/// `name nocase contains "x"`.
std::string pattern_text(std::string_view field, const PatternSpec& spec);

/// The operator of the expression language: "contains", "is", "starts with", "ends with", "glob",
/// "~".
std::string_view operator_text(PatternKind kind);

/// Converts `place`, a position in `normalise(typed)`, to one in `typed`: the end of the longest
/// beginning of `typed` that normalises to at most `place` bytes. Beginnings are cut at `ends`
/// only, so that longer ones never become shorter. For messages about patterns that cannot be
/// compiled.
template <typename Normalise>
std::size_t place_in_typed(std::string_view typed, const std::vector<std::size_t>& ends,
                           std::size_t place, Normalise normalise) {
  const auto after = std::partition_point(ends.begin(), ends.end(), [&](std::size_t end) {
    return normalise(typed.substr(0, end)).size() <= place;
  });
  return after == ends.begin() ? 0 : after[-1];
}

}  // namespace ffind::query
