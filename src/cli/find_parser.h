// SPDX-License-Identifier: MIT
// find's command line: read into a tree (find_parser.cpp), which becomes a line of ours
// (find_line.cpp). Used by these two alone.
#pragma once

#include <initializer_list>
#include <optional>

#include "cli/find_tree.h"

namespace ffind::cli::find_habits {

class Parser {
 public:
  Parser(const Words& words, const IsDirectory& is_directory)
      : words_(words), is_directory_(is_directory) {}

  Words translate();

 private:
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

  void read_roots();
  void read_regex_type();
  Node parse_any();
  Node parse_all();
  Node parse_one();
  Node parse_predicate(const Predicate& predicate);
  Node parse_command(std::string_view how);
  void take_own(const std::string& word);

  // What becomes of the tree.
  static bool has(const Node& node, Kind kind);
  static Words take_actions(Node& all);
  Node take_prunes(std::vector<Node> alternatives, bool acts);
  void take_negated_prunes(Node& alternative);
  Node condition_of(Node top);
  void exclude(const std::vector<Node>& tests, bool listed);
  bool exclude_globs(const std::vector<Node>& tests, bool listed);
  void emit_exclusions();
  void take_conditions(Node& top);
  void note_case(const Node& node);
  std::string expression(const Node& node, bool nested) const;
  std::string pattern_expression(const Test& test) const;
  bool is_pattern_group(const Node& node) const;
  void emit_term(const Node& term);
  static std::optional<std::string> insides_of(const Node& node);

  const Words& words_;
  const IsDirectory& is_directory_;
  std::size_t at_ = 0;
  Words roots_;
  std::optional<std::string> text_;
  Words own_;          ///< options of ours among them
  Words own_command_;  ///< -x and its words
  Words scope_;
  Words actions_;
  bool emacs_ = true;
  bool follows_ = false;
  bool from_midnight_ = false;  ///< -daystart

  bool sensitive_ = false;
  bool insensitive_ = false;
  struct Exclusion {
    std::vector<Node> tests{};
    bool listed = false;
  };
  std::vector<Exclusion> exclusions_;
  std::vector<std::pair<std::string, std::string>> excludes_;  ///< the option, and its value
  std::vector<Words> conditions_;                              ///< of --if
  std::vector<Test> patterns_;
  Words filters_;
  Words wheres_;
  Words types_;
};

}  // namespace ffind::cli::find_habits
