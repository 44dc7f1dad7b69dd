// SPDX-License-Identifier: MIT
// A command line of find as one of ours that finds, prints and does the same.
//
// find evaluates its expression for each entry from left to right, stops once the result is known,
// and acts on the way. Ours filters first and acts on what is left. So the translation computes,
// for each action, the condition under which find gets there:
//
//     find . -name b -prune -o -type f -name '*.c' -print
//        │
//        │ find_parser.cpp: recursive descent
//        ▼
//     any ─┬─ all ── name b, prune
//          └─ all ── type f, name *.c, print
//        │
//        │ find_line.cpp: run() follows find through the tree. Each node gets the condition under
//        │ which find reaches it, and returns the one under which it is true
//        ▼
//     prune reached if name b               print reached if not name b, type f, name *.c
//        │                                     │
//        │ settle_prunes(), take_insides()     │ settle_actions(): all actions are reached under
//        ▼                                     ▼ one condition, or there is no line
//     -E b                                  -s -t f -g '*.c'
//
//     ffind -s -t f -g '*.c' -E b
//
// A test is a leaf: a field with its values, which an option says or a term of --where. A
// conjunction of tests becomes options, the rest an expression.
//
// There is a line only if it is exact: at the first thing that is not, Untranslatable ends the
// translation, with the culprit for the message, or else the predicate that was read last; --as
// find does the line then. Roots are the main reason. find lists and tests them like any entry, and
// ours never does. So no prune may be true at a root.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "foreign/foreign.h"
#include "foreign/tables.h"

namespace ffind::foreign {

/// translate() for a line with predicates of find.
Translation translate_find(const Words& words, const Host& host);

/// A line of find is read to be written as one of ours, or to be run as it is, with the rules of
/// find for roots, paths and volumes.
enum class Reading : unsigned char { translated, run };

// --- The tree

/// A leaf of the tree: a field or a flag of the expression language. A term of --where says it, and
/// often an option.
struct Test {
  std::string_view field{};  ///< "size" is -size: the size of a stat, also of other types
  query::Operator op = query::Operator::equal;  ///< `glob` or `matches` of a pattern
  Words values{};         ///< as the option reads them: ">1Ki"; none for a flag; a regular
                          ///< expression and its syntax
  bool sensitive = true;  ///< of a pattern
  std::optional<cli::Id> option{};  ///< the option that does the same
  query::TextPredicate library{};   ///< of a pattern in a line that is run

  bool is_pattern() const { return op != query::Operator::equal; }
  const std::string& text() const { return values.front(); }
  friend bool operator==(const Test& one, const Test& other) {
    return one.field == other.field && one.op == other.op && one.values == other.values &&
           one.sensitive == other.sensitive && one.option == other.option;
  }
};

/// An operator over `nodes`, or a leaf. An `all` without nodes is true, an `any` without nodes is
/// false. Copied and compared by value; a line has a few dozen nodes at most.
struct Node {
  /// `command` is an -exec whose exit status is part of the condition; a `list` is only run.
  enum class Kind { all, any, negation, list, test, prune, action, command };
  Kind kind = Kind::all;
  std::vector<Node> nodes{};
  Test test{};
  std::vector<cli::Given> action{};  ///< of an action or command; none: paths are printed
  std::string word{};                ///< of an action or command: as typed, for messages
  FindStep step{};                   ///< of an action in a line that is run

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
  return {.kind = Kind::any};
}

/// A leaf; a flag "true" or "false" is none.
inline Node leaf(Test test) {
  if (test.field == "true") return everything();
  if (test.field == "false") return nothing_at_all();
  return {.kind = Kind::test, .test = std::move(test)};
}

bool is_false(const Node& node);

/// True if all that pass are of the types `letters`, such as "f" or "f,d".
bool is_type(const Node& node, std::string_view letters);

/// The terms of a conjunction or disjunction; any other condition is its own only term.
std::vector<Node> operands_of(const Node& node, Kind kind);

/// The inverse for conjunctions.
Node conjunction(const std::vector<Node>& terms);

// --- Values (find_values.cpp). Those that parse throw Untranslatable.

/// True if `field` is compared with ranges, such as ">1k".
bool has_ranges(const Test& test);

/// The test as a term: "size > 0 and size <= 1Ki". `of_files` is true if no other entries matter.
/// `has_case` is true if a pattern needs a word on case.
std::string term_of(const Test& test, bool of_files, bool has_case);

/// Makes the test from its values, without a term in between.
MakeTest made(const Test& test);

/// The time that find reads from `text`; throws for one that it refuses, or that is not known:
/// names of months, weekdays, steps from a date.
Nanoseconds time_of(const std::string& text, Nanoseconds now);

/// True if the time `field` is later than `instant`.
Test later_test(std::string_view field, Nanoseconds instant);

/// The test of -mtime, -mmin, -used and the like as find has it at `now`, the fractions of a number
/// included; -daystart counts from the end of the day.
Test age_test(const Predicate& predicate, std::string_view text, Nanoseconds now,
              bool from_midnight);

/// The flag "true" or "false".
Test constant(bool value);

/// The test of metadata by one value, or by none.
Test test_of_value(const Predicate& predicate, const std::string& value, Dialect dialect);

/// A syntax of regular expressions; the value of -regextype. Throws Untranslatable for an unknown
/// one.
struct Syntax;
const Syntax& syntax_of(std::string_view type);

/// True if `action` has a command, also as --confirm.
inline bool runs_command(const std::vector<cli::Given>& action) {
  return !action.empty() && !action.back().command.empty();
}

// --- The line

/// One command line of find. translate() is called once.
class FindLine {
 public:
  FindLine(const Words& words, const Host& host, Reading reading = Reading::translated)
      : words_(words),
        host_(host),
        is_run_(reading == Reading::run),
        // BSD's has no \|, \+ and \?, which are letters there.
        syntax_(
            &syntax_of(host.dialect == Dialect::bsd ? "posix-minimal-basic" : "findutils-default")),
        regex_type_(host.dialect == Dialect::gnu   ? "emacs"
                    : host.dialect == Dialect::bsd ? "posix-minimal-basic"
                                                   : "posix-basic") {
    own_.words = words;
  }

  /// The line of ours. Throws Untranslatable.
  cli::Options translate();

  /// The search that find would make. Throws Untranslatable.
  FindSearch search();

  /// After a failure, the predicate that was read last, with the values that were read so far.
  /// Empty if the failure has no single cause.
  std::string culprit() const;

  /// Translation::doubt.
  const std::string& doubt() const { return doubt_; }

 private:
  struct Root {
    std::string path;
    Place place;
  };
  /// An action, and the condition under which find reaches it.
  struct Reached {
    Node when;
    Node action;
  };
  /// Directories that match all of `tests` are not entered.
  struct Exclusion {
    std::vector<Node> tests{};
    bool listed = false;              ///< find lists the directory itself
    bool is_tested_at_roots = false;  ///< and does not enter a root that matches
  };

  bool at_end() const { return at_ == words_.size(); }
  const std::string& peek() const { return words_[at_]; }
  std::string take();
  bool take_any(std::string_view wanted);

  // Words to tree (find_parser.cpp, find_patterns.cpp)
  /// All of the line.
  Node parse();
  bool take_tuning();
  void read_leading_options();
  void read_roots();
  void add_root(const std::string& path);
  Node parse_list();
  Node parse_any();
  Node parse_all();
  Node parse_one();
  Node parse_predicate(const Predicate& predicate);
  Node parse_name(bool sensitive);
  Node parse_type(const Predicate& predicate);
  Node parse_path(const Predicate& predicate);
  Node parse_link_text(bool sensitive);
  Node parse_library_glob(std::string_view field, bool sensitive);
  Node parse_library_regex(bool sensitive);
  void set_regex_type();
  std::optional<Node> parse_newer(std::string_view word);
  Metadata metadata_of(const std::string& path) const;
  FindStep parse_command(const Predicate& predicate);
  Node parse_step(const Predicate& predicate);
  void take_own(const std::string& word);
  void refuse_link(const std::string& path) const;
  /// Ends the reading, in a line that is run with find's words.
  [[noreturn]] void fail(std::string culprit, std::string error) const;

  // Tree to conditions (find_line.cpp)
  Node run(const Node& node, const Node& reach);
  Node settle_actions(Node truth);
  bool is_filter() const;
  void settle_prunes(Node& condition);
  void take_insides(Node& condition);
  void refuse_if_roots_matter() const;
  void settle_volumes();
  Words paths_of_roots() const;

  // Conditions to words (find_words.cpp)
  void exclude(const Exclusion& exclusion);
  void note_case(const Node& node);
  std::string expression(const Node& node, bool nested, bool files_only) const;
  void emit_term(const Node& term, bool files_only);
  void add_roots();
  cli::Options options(bool files_only);

  // Set by the parser.
  const Words& words_;
  const Host& host_;
  const bool is_run_;
  std::size_t at_ = 0;
  std::string culprit_;
  std::size_t culprit_end_ = 0;  ///< index of the word after it
  std::vector<Root> roots_;
  bool roots_typed_ = false;
  std::string roots_file_;  ///< -files0-from
  cli::Options own_;        ///< options of ours in the line
  std::string doubt_;
  std::optional<unsigned> max_depth_;
  std::optional<unsigned> min_depth_;
  bool needs_paths_ = false;  ///< matches or prints paths below the root
  const Syntax* syntax_;
  std::string regex_type_;      ///< of -regextype
  bool stays_ = false;          ///< -xdev
  bool follows_ = false;        ///< -L
  bool follows_roots_ = false;  ///< -H or -L
  /// -prune has no effect then.
  bool depth_first_ = false;
  bool is_safe_ = false;    ///< -X: paths that xargs would split are errors
  bool is_sorted_ = false;  ///< -s
  bool deletes_ = false;
  bool from_midnight_ = false;  ///< -daystart

  // Set by run(): everything that the tree does.
  std::vector<Reached> reached_;
  std::vector<Node> prunes_;  ///< conditions under which a -prune is reached

  // Parts of our line.
  std::vector<cli::Given> actions_;
  bool sensitive_ = false;    ///< a pattern minds case
  bool insensitive_ = false;  ///< a pattern does not
  std::vector<Exclusion> exclusions_;
  std::vector<Test> patterns_;  ///< of -g and -e
  std::vector<cli::Given> filters_;
  std::vector<Node> wheres_;  ///< joined by `and` in --where
  std::string types_;         ///< of -t
  cli::Options line_;
};

}  // namespace ffind::foreign
