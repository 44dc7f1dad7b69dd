// SPDX-License-Identifier: MIT
// Globs and regular expressions of find, which match whole paths, and what is left of them below a
// root.
//
// find matches -path and -regex against root and path together, ours against the path below the
// root. Cutting the root's letters off the text of a pattern would be wrong for alternatives,
// classes and stars. So a pattern is parsed into alternatives, each a sequence of pieces, and the
// root is taken off letter by letter (Antimirov's partial derivatives):
//
//     .*/lib|./a?b        root `.`
//         by `.`          .*/lib, /a?b
//         by `/`          .*/lib, lib, a?b
//
// Patterns with equal spellings are the same. Others may match the same texts, too; then no line is
// offered.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "foreign/find_line.h"

namespace ffind::foreign {

using CharacterRange = std::pair<char32_t, char32_t>;

constexpr unsigned unlimited = std::numeric_limits<unsigned>::max();

enum class Atom : unsigned char { letter, any, set, group };

/// A single character (c, `.`, [a-z]) or a group of alternatives, {least,most} times.
struct Piece {
  Atom kind = Atom::letter;
  char32_t character = 0;                   ///< `letter`
  std::vector<CharacterRange> ranges{};     ///< `set`
  bool negated = false;                     ///< `set`
  std::vector<std::vector<Piece>> group{};  ///< `group`
  unsigned least = 1;
  unsigned most = 1;
};

/// Without pieces it matches the empty text.
using Sequence = std::vector<Piece>;

/// Alternatives; without any it matches nothing.
using PathPattern = std::vector<Sequence>;

/// As fnmatch without flags: a star and a question mark match slashes too.
PathPattern pattern_of_glob(std::string_view glob);
PathPattern pattern_of_regex(std::string_view text, const Syntax& syntax);

/// Throws Untranslatable if the result depends on how letters outside ASCII fold.
bool matches(PathPattern pattern, std::string_view text, bool sensitive);

/// The pattern that a path below `root` has to match if find's whole path has to match `pattern`.
PathPattern below_root(PathPattern pattern, std::string_view root, bool sensitive);
bool is_same(const PathPattern& one, const PathPattern& other);
bool matches_everything(const PathPattern& pattern);

/// The test of the name that is the same as matching the path with `below`; nullopt if there is
/// none. -path '*.c' is name glob "*.c".
std::optional<Test> name_test(const PathPattern& below, bool may_be_glob, bool sensitive);

/// A glob if `may_be_glob` and there is one for `below`, else a regular expression.
Test path_test(const PathPattern& below, bool may_be_glob, bool sensitive);

}  // namespace ffind::foreign
