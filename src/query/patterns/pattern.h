// SPDX-License-Identifier: MIT
// Patterns: compiled literals, globs and regular expressions.
//
//     PatternSpec ──compile_pattern──┬─▶ literal.cpp   fixed text, and globs of text in stars
//                                    ├─▶ glob.cpp      parses globs; runs as literals or regexes
//                                    ├─▶ regex.cpp     RE2; regexes that are mere literals are not
//                                    └─▶ library.cpp   find's and fd's, which a library matches
//
// All kinds but the last follow the same rules. Case is ignored unless the pattern has an
// upper-case letter (smart case) or a rule is given. Names that differ in Unicode normalisation
// only are equal: subjects with characters outside ASCII are compared by their keys
// (text/unicode.h). Subjects that are not UTF-8 are matched as bytes, each of which is a character.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "text/problem.h"
#include "text/unicode.h"

namespace ffind::query {

enum class PatternKind : std::uint8_t { contains, exact, starts, ends, glob, regex };
enum class CaseRule : std::uint8_t { smart, sensitive, insensitive };

/// Matches a whole text. Thread-safe.
using TextPredicate = std::function<bool(std::string_view text)>;

/// A pattern as it was typed, with everything that its compilation depends on.
struct PatternSpec {
  PatternKind kind = PatternKind::contains;
  std::string text;
  CaseRule case_rule = CaseRule::smart;
  text::ValueSource source{};      ///< for messages
  bool ignore_diacritics = false;  ///< o also matches ö
  /// A library's pattern made of `text`, which is matched in place of ours.
  TextPredicate library{};
  /// A subject in ASCII is matched by `kind` and `text` all the same, which is faster.
  bool is_ours_in_ascii = false;
};

/// Immutable and thread-safe.
class Pattern {
 public:
  explicit Pattern(text::KeyRules rules) : rules_(rules) {}
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
  virtual std::string_view required_literal() const { return {}; }
  /// Differences of letters that it ignores.
  const text::KeyRules& rules() const { return rules_; }

 private:
  text::KeyRules rules_;
};

/// Throws UsageError with the place of the error.
std::unique_ptr<const Pattern> compile_pattern(const PatternSpec& spec);

/// The comparison of `field` with the pattern in the expression language:
/// `name nocase contains "x"`.
std::string pattern_text(std::string_view field, const PatternSpec& spec);

// Literals: a fixed text that a subject contains, is equal to, starts or ends with. Most patterns
// are literals, including globs and regular expressions that mean no more.

/// Slashes that a match may have besides those of the text.
enum class Slashes : std::uint8_t { anywhere, only_in_text };

/// `kind` is contains, exact, starts or ends. Any text is accepted; one that is not UTF-8 matches
/// only subjects that are not UTF-8 either.
std::unique_ptr<const Pattern> make_literal(PatternKind kind, std::string_view text,
                                            text::KeyRules rules,
                                            Slashes slashes = Slashes::anywhere);

// Globs: * ? [a-z] [!a] [[:alpha:]] {a,b} ** and \ before a literal character. A glob matches the
// whole subject. Only ** matches slashes.

/// Throws UsageError with the place of the error.
std::unique_ptr<const Pattern> make_glob(std::string_view glob, text::KeyRules rules,
                                         const text::ValueSource& source);

// Regular expressions in RE2's syntax.

/// Compiles `regex`, unanchored. Throws UsageError if RE2 rejects it; the message shows `typed`,
/// which is the expression itself or the glob that it was translated from.
std::unique_ptr<const Pattern> make_regex(std::string_view regex, text::KeyRules rules,
                                          const text::ValueSource& source, std::string_view typed);

/// The pattern of `spec.library`.
std::unique_ptr<const Pattern> make_library_pattern(const PatternSpec& spec, text::KeyRules rules);

/// No character of Unicode, so that names do not have it.
inline constexpr char32_t first_mark = 0xFDD0;

/// An expression in RE2's syntax for names as they are: not normalised, and matched as UTF-8
/// whether or not they are valid, so that no byte of an invalid sequence is a character.
struct RawRegex {
  std::string regex{};
  bool is_of_bytes = false;  ///< each byte is a character, and case is kept
  bool folds = false;
  /// If not 0, \b of Unicode: this number of equal marks is put before each character and after the
  /// last, and `regex` names them. A mark is the character first_mark + 3 * before + after; of
  /// each, 0 is an end of the name or no character of a word, 1 a character of one, 2 an invalid
  /// byte.
  std::size_t marks = 0;
  std::string word{};  ///< an expression for one character of a word
};

/// Compiles `raw`. Throws UsageError if RE2 cannot.
TextPredicate matcher_of(const RawRegex& raw);

struct CodePointRange {
  char32_t first;
  char32_t last;
};

/// The members of `[...]` in RE2's syntax, perhaps after `(?i)`. Takes some 20 ms.
std::vector<CodePointRange> ranges_of_class(const std::string& text);
/// True if RE2 accepts the class.
bool is_class(const std::string& text);

/// Matches many lines at once. If it returns false, none of them matches.
using LineFilter = std::function<bool(std::string_view lines)>;

/// Compiles a valid `regex` for ASCII lines. Empty if it has to be matched line by line.
LineFilter make_line_filter(std::string_view regex, text::KeyRules rules);

}  // namespace ffind::query
