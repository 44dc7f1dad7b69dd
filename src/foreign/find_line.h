// SPDX-License-Identifier: MIT
// Expression tree of a find command line, and the translators of single values. Used by the
// find_*.cpp files alone.
//
//     words ──Parser──▶ Node tree ──Flow──▶ condition, prunes, actions ──emit──▶ our words
//
// A Test is a leaf in two spellings: as an option of ours and as a term of --where.
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "foreign/foreign.h"
#include "foreign/tables.h"

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

class Parser {
 public:
  Parser(const Words& words, const PlaceOf& place_of) : words_(words), place_of_(place_of) {}

  Words translate();
  /// The predicate that was read last; after a failure the one that has no counterpart.
  const std::string& culprit() const { return culprit_; }

 private:
  struct Root {
    std::string path;
    Place place;
  };
  /// An action, and the condition under which find reaches it.
  struct Reached {
    Node when;
    Words action;
  };
  struct Exclusion {
    std::vector<Node> tests{};
    bool listed = false;
  };

  bool at_end() const { return at_ == words_.size(); }
  const std::string& peek() const { return words_[at_]; }
  std::string take() {
    if (at_end()) throw Untranslatable();
    return words_[at_++];
  }
  bool take_any(std::initializer_list<std::string_view> wanted) {
    if (at_end() || std::find(wanted.begin(), wanted.end(), peek()) == wanted.end()) return false;
    ++at_;
    return true;
  }

  // find_parser.cpp: words
  void read_leading_options();
  bool read_bsd_letters(std::string_view letters);
  void read_roots();
  void add_root(const std::string& path);
  Node parse_any();
  Node parse_all();
  Node parse_one();
  Node parse_predicate(const Predicate& predicate);
  Node parse_type(const Predicate& predicate);
  Node parse_path(const Predicate& predicate);
  Node parse_link_text(bool sensitive);
  Node parse_command(std::string_view how);
  Node parse_depth();
  void take_own(const std::string& word);
  Node test_of(Test test, Truth at_directory) const;
  std::vector<Truth> truths(const std::function<Truth(const Root&)>& truth_of) const;
  void refuse_link(const std::string& path) const;

  // find_line.cpp: what becomes of the tree
  static bool has(const Node& node, Kind kind);
  static void collapse_actions(Node& node, bool negated);
  Node run(const Node& node, const Node& reach);
  Node settle_actions(Node truth);
  void refuse_prunes_at_roots() const;
  void refuse_format_of_roots(const Node& condition) const;
  void settle_prunes(Node& condition);
  void take_insides(Node& condition);
  void refuse_if_roots_matter() const;
  bool exclude_globs(const std::vector<Node>& tests, bool listed);
  void emit_exclusions();
  void note_case(const Node& node);
  std::string expression(const Node& node, bool nested, bool files_only) const;
  std::string pattern_expression(const Test& test) const;
  bool is_pattern_group(const Node& node) const;
  void emit_term(const Node& term, bool files_only);
  static std::optional<std::string> insides_of(const Node& node);
  void append_roots(Words& line) const;
  void append_where(Words& line, const Node& condition) const;
  void append_commands(Words& line);

  const Words& words_;
  const PlaceOf& place_of_;
  std::size_t at_ = 0;
  std::string culprit_;
  std::vector<Root> roots_;
  bool roots_typed_ = false;
  bool late_roots_ = false;     ///< after the expression, as find refuses them
  bool roots_unknown_ = false;  ///< -files0-from
  Words own_;                   ///< options of ours among them
  Words own_command_;           ///< -x and its words
  std::string corrected_own_;   ///< one of them that lacked a dash; empty: none
  Words scope_;
  std::optional<unsigned> max_depth_;
  std::optional<unsigned> min_depth_;
  bool needs_paths_ = false;  ///< matches paths below the root, or prints them
  Syntax syntax_ = Syntax::findutils;
  bool follows_ = false;
  bool follows_roots_ = false;  ///< -H or -L
  bool depth_first_ = false;
  bool deletes_ = false;
  bool from_midnight_ = false;  ///< -daystart

  std::vector<Reached> reached_;
  std::vector<Node> prunes_;
  Words actions_;
  bool sensitive_ = false;
  bool insensitive_ = false;
  std::vector<Exclusion> exclusions_;
  std::vector<std::pair<std::string, std::string>> excludes_;  ///< the option, and its value
  std::vector<Words> conditions_;                              ///< of --if
  std::vector<Test> patterns_;
  Words filters_;
  Words wheres_;
  Words types_;
};

}  // namespace ffind::foreign
