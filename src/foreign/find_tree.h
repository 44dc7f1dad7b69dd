// SPDX-License-Identifier: MIT
// Expression tree of a find command line, and the translators of single values. Used by the
// find_*.cpp files alone.
//
//     words ──Parser──▶ Node tree ──Flow──▶ condition, prunes, actions ──emit──▶ our words
//
// A Test is a leaf in two spellings: as an option of ours and as a term of --where.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "foreign/foreign.h"

namespace ffind::foreign {

/// Thrown for a line that cannot be said exactly. Never leaves find_line.cpp.
struct Untranslatable {};

/// Value of a test at a root, as far as it is known without a stat.
enum class Truth : unsigned char { no, yes, unknown };

struct Test {
  // A pattern: the field it is matched against, "glob" or "~", and case.
  std::string field{};
  std::string op{};
  std::string text{};
  bool sensitive = true;
  // Any other test: as options, and as a term of an expression.
  std::string option{};
  std::vector<std::string> values{};
  std::string where{};
  std::string any_where{};        ///< of -size: the same of anything but regular files too
  bool may_repeat = false;        ///< the option given twice narrows
  std::vector<Truth> at_roots{};  ///< one per root; none: unknown

  bool is_pattern() const { return !field.empty(); }
  bool operator==(const Test&) const = default;
};

struct Node {
  /// `command` is an -exec whose exit status is part of the condition.
  enum class Kind { all, any, negation, test, prune, action, command };
  Kind kind = Kind::all;
  std::vector<Node> nodes{};
  Test test{};
  Words action{};  ///< our options for it

  friend bool operator==(const Node& one, const Node& other) {
    return one.kind == other.kind && one.test == other.test && one.action == other.action &&
           one.nodes == other.nodes;
  }
};

using Kind = Node::Kind;

inline Node everything() {
  return {};
}
inline Node nothing_at_all() {
  return {Kind::any, {}, {}, {}};
}

// --- Predicates by their form

enum class Form : unsigned char {
  nothing,      ///< changes nothing here
  constant,     ///< -true, -false
  unknown,      ///< has no counterpart
  syntax,       ///< -regextype
  depth_first,  ///< -depth
  max_depth,
  min_depth,
  root_list,
  name,
  path,
  regex,
  type,
  size,
  permissions,
  count,
  account,
  days,
  minutes,
  newer,
  beside,  ///< a file, whose modification a time is compared with
  file,
  flag,
  link_text,
  file_system,
  action,
  command,
  format,
  junction,
};

struct Predicate {
  std::string_view word;
  Form form;
  std::string_view here = {};   ///< an option, or the action
  std::string_view field = {};  ///< of the expression language
};

const Predicate* find_predicate(std::string_view word);

/// True for a predicate of find, as `-name`; a dash too many is forgiven.
bool is_find_predicate(std::string_view word);

/// True for an option, test, action or operator of find(1) of several letters, as "-uid", also with
/// "=VALUE". Such a word is never a cluster of short options.
bool is_word_of_find(std::string_view word);

/// The same as translate() for a line that holds predicates of find (find_line.cpp).
Translation translate_find(const Words& words, const PlaceOf& place_of);

/// A value of an expression in double quotes, and one in quotes only where it needs them.
std::string quoted(std::string_view text);
std::string value_of(std::string_view text);

// find_values.cpp: sizes, times, permissions

struct Signed {
  char sign = ' ';
  std::uint64_t number = 0;
  std::string_view rest{};
};

Signed signed_number(std::string_view text);
Test range_test(std::string_view option, std::string_view field,
                const std::vector<std::string>& values);
Test size_test_of(std::string_view text);
Test days_test(const Predicate& predicate, const std::string& text, bool from_midnight);
Test beside_test(const Predicate& predicate, const std::string& file);
Test minutes_test(const Predicate& predicate, const std::string& text);
Test newer_test(const Predicate& predicate, std::string_view text);
Test permission_test(std::string text);

// find_patterns.cpp: globs, expressions, formats

/// Regular expression over whole paths, as find matches them. Immutable.
struct Expression;
using Pattern = std::shared_ptr<const Expression>;

enum class Syntax : unsigned char { emacs, findutils, basic, minimal, extended, awk };

/// Throws Untranslatable for a type that is not known.
Syntax syntax_of(std::string_view type);
Pattern pattern_of_glob(std::string_view glob);
Pattern pattern_of_regex(std::string_view text, Syntax syntax);

/// Throws Untranslatable if that depends on how letters outside ASCII fold.
bool matches(Pattern pattern, std::string_view text, bool sensitive);

/// The pattern that a path below `root` has to match if find's whole path has to match `pattern`.
Pattern below_root(Pattern pattern, std::string_view root, bool sensitive);
bool is_same(const Pattern& one, const Pattern& other);
bool matches_everything(const Pattern& pattern);
bool matches_nothing(const Pattern& pattern);
/// As a glob if `may_be_glob` and one says it, else as an expression.
Test path_test(const Pattern& below, bool may_be_glob, bool sensitive);

std::string name_glob(std::string_view glob);
std::string template_of(std::string_view format, bool& null);

}  // namespace ffind::foreign
