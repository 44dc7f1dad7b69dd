// SPDX-License-Identifier: MIT
// Regular expressions as trees, and their Brzozowski derivatives: derive(E, c) matches exactly the
// texts that E matches with c before them.
//
//     ab      by a    b
//     a*b     by a    a*b
//     a|b     by a    the empty text
//
// A derivative by a whole text that matches the empty text means that the text matches: matches()
// uses that for the value of a test at a root. Expressions are immutable and shared, so a
// derivative copies only the nodes on its way. The functions that build them (join, either, repeat)
// simplify, or the derivatives would grow with each letter.
//
// Pattern, a pointer to one, is declared in find_line.h with matches() and is_same().
// find_regex.cpp parses expressions, find_patterns.cpp writes them as ours.
#pragma once

#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "foreign/find_line.h"

namespace ffind::foreign {

using CharacterRange = std::pair<char32_t, char32_t>;

constexpr unsigned unlimited = std::numeric_limits<unsigned>::max();

/// A node of a regular expression.
///
///     nothing            no text; the result of a derivative that fails
///     empty              the empty text
///     one, any, set      a single character: c, `.`, [a-z]
///     join, either       parts after one another; alternatives
///     repeat             {least,most} of its only part; `*` is {0,unlimited}
struct Expression {
  enum class Kind : unsigned char { nothing, empty, one, any, set, join, either, repeat };

  Kind kind = Kind::empty;
  char32_t character = 0;                ///< `one`
  std::vector<CharacterRange> ranges{};  ///< `set`
  bool negated = false;                  ///< `set`
  std::vector<Pattern> parts{};          ///< `join` and `either`; the only one of `repeat`
  unsigned least = 0;                    ///< `repeat`
  unsigned most = unlimited;             ///< `repeat`
};

Pattern pattern_of(Expression expression);
Pattern nothing();
Pattern empty_text();
Pattern one(char32_t character);
Pattern any();

/// {0} is the empty text, {1} the pattern itself.
Pattern repeat(const Pattern& what, unsigned least, unsigned most);

/// One pattern after another. Nested joins are flattened. `nothing` anywhere makes the whole match
/// nothing; the empty text is left out.
Pattern join(const std::vector<Pattern>& patterns);

/// Alternatives, each once. One that matches everything replaces the others. Compared by their
/// spelling; quadratic in the alternatives.
Pattern either(const std::vector<Pattern>& patterns);

/// `.*`, which in find matches a slash, too.
bool is_any_text(const Pattern& pattern);

bool is_in_set(const Expression& set, char32_t c);

/// A character of a pattern with a backslash if it is in `special`.
std::string escaped(char32_t c, std::string_view special);

/// The operators that a text may contain without parentheses around it.
enum class Level : unsigned char { alternatives, sequence, atom };

/// An expression in RE2's syntax. Throws Untranslatable for one that matches nothing. Parentheses
/// are only written where `level` needs them: `a|b` alone, `(a|b)c` in a sequence.
std::string spelled(const Expression& expression, Level level);

/// The derivative by all characters of `text`. Stops at `nothing`, which stays so.
Pattern derive_all(Pattern pattern, std::string_view text, bool sensitive);

}  // namespace ffind::foreign
