// SPDX-License-Identifier: MIT
// find's command line: read into a tree (find_parser.cpp), which becomes a line of ours
// (find_line.cpp). Used by these two alone.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <optional>

#include "foreign/find_tree.h"

namespace ffind::foreign {

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
