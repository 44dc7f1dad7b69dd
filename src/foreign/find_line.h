// SPDX-License-Identifier: MIT
// A command line of find as a search that finds, prints and does the same.
//
// find evaluates its expression for each entry from left to right, stops once the result is known,
// and acts on the way. Ours filters first and acts on what is left. So the reader computes, for
// each action and each -prune, the condition under which find gets there:
//
//     find . -name b -prune -o -type f -name '*.c' -print
//        │
//        │ find_parser.cpp: recursive descent, with the values of find_values.cpp
//        ▼
//     any ─┬─ all ── name b, prune
//          └─ all ── type f, name *.c, print
//        │
//        │ find_line.cpp: run() follows find through the tree. Each node gets the condition under
//        │ which find reaches it, and returns the one under which it is true
//        ▼
//     prune reached if name b               print reached if not name b, type f, name *.c
//        │                                     │
//        ▼                                     ▼
//     FindSearch::prune                     FindSearch::where, ::steps
//
// A line that only filters and prints needs no steps. For any other the output evaluates the whole
// tree again for each entry that the search emits (FindSteps).
//
// A NotRunnable ends the reading of a line that cannot be done exactly. It has the message of find
// for what find refuses, else the culprit; without one it is the predicate that was read last.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "foreign/foreign.h"
#include "foreign/tables.h"
#include "query/predicates/predicates.h"
#include "text/times.h"

namespace ffind::foreign {

// --- The tree

/// A test or an action.
struct Leaf {
  MakeTest test{};
  FindStep step{};  ///< of an action
};

/// An operator over `nodes`, or a leaf. An `all` without nodes is true, an `any` without nodes is
/// false. Copied by value: copies have one leaf, by which they are equal.
struct Node {
  /// `command` is the value of an action, which is known only once it has run.
  enum class Kind { all, any, negation, list, test, prune, action, command };
  Kind kind = Kind::all;
  std::vector<Node> nodes{};
  std::shared_ptr<const Leaf> leaf{};

  bool operator==(const Node&) const = default;
};

using Kind = Node::Kind;

inline Node everything() {
  return {};
}
inline Node nothing_at_all() {
  return {.kind = Kind::any};
}

/// Never a negation of a negation, so that `negated(x)` can be looked for among terms.
Node negated(Node node);

inline Node test_node(MakeTest test) {
  return {.kind = Kind::test, .leaf = std::make_shared<Leaf>(Leaf{std::move(test), {}})};
}
/// A test that depends on nothing else.
inline Node test_node(Expression test) {
  return test_node([test = std::move(test)](const query::Meaning&) { return test; });
}
inline Node action_node(FindStep step) {
  return {.kind = Kind::action, .leaf = std::make_shared<Leaf>(Leaf{{}, std::move(step)})};
}

// --- Values (find_values.cpp). Those that parse throw NotRunnable.

/// The instant of -newerXt (find_dates.cpp); nullopt for a text that find refuses.
std::optional<Instant> date_of(std::string_view text, Instant now);

/// Ends the reading with find's words.
[[noreturn]] inline void refuse(std::string error, std::string culprit = {}) {
  throw NotRunnable{std::move(culprit), std::move(error)};
}

/// A number of at most 31 bits, of digits only.
unsigned number_of(const std::string& digits);

/// True if a format of -printf has %F; %TF is a date.
bool prints_file_system(std::string_view format);

/// The row of "modified", "accessed", "changed" or "created"; null for other fields.
const query::TimeRow* time_row_of(std::string_view field);

/// True if the time of `row` is later than `instant`.
Expression later_test(const query::TimeRow& row, Instant instant);

/// The test of -mtime, -mmin, -used and the like as find has it at `now`, the fractions of a number
/// included; -daystart counts from the end of the day.
Expression age_test(const Predicate& predicate, const std::string& text, const Host& host,
                    bool from_midnight);

/// The test of metadata by one value, or by none.
MakeTest test_of_value(const Predicate& predicate, const std::string& value, const Host& host,
                       Words& warnings);

/// The message of find about a value that it refuses. `word` is the predicate as typed.
std::string refusal_of(const Predicate& predicate, const std::string& word,
                       const std::string& value, const Host& host);

// --- The line

/// One command line of find. search() is called once.
class FindLine {
 public:
  FindLine(const Words& words, const Host& host)
      : words_(words),
        host_(host),
        warns_(host.warns && host.dialect == Dialect::gnu),
        regex_type_(host.dialect == Dialect::gnu   ? "emacs"
                    : host.dialect == Dialect::bsd ? "posix-minimal-basic"
                                                   : "posix-basic") {}

  /// The search that find would make. Throws NotRunnable.
  FindSearch search();

  /// After a failure, the predicate that was read last, with the values that were read so far.
  /// Empty if the failure has no single cause.
  std::string culprit() const;
  /// find's warnings about what was read so far.
  const Words& warnings() const { return warnings_; }

 private:
  /// An action, and the condition under which find reaches it.
  struct Reached {
    Node when;
    Node action;
  };
  /// An operator or an operand, as typed.
  struct Item {
    enum class Kind : unsigned char { operand, negation, all, any, list, opening, closing };
    Kind kind;
    std::string word;
    Node node{};
  };

  bool at_end() const { return at_ == words_.size(); }
  const std::string& peek() const { return words_[at_]; }
  std::string take();

  // Words to tree (find_parser.cpp)
  /// All of the line.
  Node parse();
  bool take_tuning();
  void read_leading_options();
  void read_roots();
  void add_root(const std::string& path);
  void read_word();
  void note_order(std::string_view word);
  void check_mount_table() const;
  Node join_items();
  void check_roots_file() const;
  unsigned take_depth();
  std::vector<FileType> types_of(const std::string& letters) const;
  Node parse_predicate(const Predicate& predicate);
  Node parse_type(const Predicate& predicate);
  Node parse_glob(const Predicate& predicate);
  Node parse_regex(bool sensitive);
  void set_regex_type();
  bool counts_bytes() const;
  std::optional<Node> parse_newer(std::string_view word);
  Metadata metadata_of(const std::string& path) const;
  FindStep parse_command(const Predicate& predicate);
  Node parse_action(const Predicate& predicate);

  // Tree to conditions (find_line.cpp)
  Node run(const Node& node, const Node& reach);
  bool is_filter() const;

  // Set by the parser.
  const Words& words_;
  const Host& host_;
  std::size_t at_ = 0;
  std::string culprit_;
  std::size_t culprit_end_ = 0;  ///< index of the word after it
  std::vector<Item> items_;
  Words warnings_;
  bool warns_;              ///< -warn
  std::string first_test_;  ///< the first word that is no option
  Words roots_;
  bool roots_typed_ = false;
  std::optional<std::string> roots_file_;  ///< -files0-from
  FindSearch::Help help_ = FindSearch::Help::none;
  bool is_guess_ = false;  ///< FindSearch::is_guess
  std::optional<unsigned> max_depth_;
  std::optional<unsigned> min_depth_;
  std::string regex_type_;  ///< of -regextype
  bool stays_ = false;      ///< -xdev
  struct Links {
    bool are_followed = false;   ///< -L
    bool follows_roots = false;  ///< -H or -L
  };
  /// -follow counts for the tests before it, too.
  const std::shared_ptr<Links> links_ = std::make_shared<Links>();
  /// -prune has no effect then.
  bool depth_first_ = false;
  bool ignores_vanished_ = false;  ///< -ignore_readdir_race, which -execdir undoes
  bool is_safe_ = false;           ///< -X: paths that xargs would split are errors
  bool is_sorted_ = false;         ///< -s
  bool deletes_ = false;
  bool from_midnight_ = false;  ///< -daystart

  // Set by run(): everything that the tree does.
  std::vector<Reached> reached_;
  std::vector<Node> prunes_;  ///< conditions under which a -prune is reached
};

}  // namespace ffind::foreign
