// SPDX-License-Identifier: MIT
// Conditions to words: the last steps of translating a line of find. A line of ours has one group
// of patterns, one -t and one of most other filters; what is left is an expression for --where.
#include <algorithm>

#include "foreign/find_line.h"
#include "query/expression.h"
#include "text/format.h"
#include "text/paths.h"

namespace ffind::foreign {

/// The words for an exclusion: -E or --prune with globs, else an expression. A glob with a slash is
/// matched against absolute paths too, so a path has to be a plain one below the root. -E takes no
/// case of its own: with patterns of both kinds, all exclusions are expressions.
Words FindLine::excluding(const Exclusion& exclusion) const {
  const std::vector<Node>& tests = exclusion.tests;
  Words by_expression = {exclusion.listed ? "--prune-where" : "--exclude-where",
                         expression(conjunction(tests), false, false)};
  const auto is_directory = [](const Node& test) {
    return test.kind == Kind::test && test.test.option == "-t" && test.test.values == Words{"d"};
  };
  const auto pattern = std::find_if_not(tests.begin(), tests.end(), is_directory);
  if ((sensitive_ && insensitive_) || pattern == tests.end() ||
      !std::all_of(pattern + 1, tests.end(), is_directory)) {
    return by_expression;
  }
  Words words;
  for (const Node& node : operands_of(*pattern, Kind::any)) {
    if (node.kind != Kind::test || node.test.op != "glob" || node.test.field == "target") {
      return by_expression;
    }
    std::string glob = node.test.text;
    if (node.test.field == "path") {
      const std::string name = glob.starts_with("**/") ? glob.substr(3) : "";
      if (!name.empty() && name.find('/') == std::string::npos) {
        glob = name;
      } else if (glob.find_first_of("*?[{\\") == std::string::npos) {
        glob.insert(0, "./");
      } else {
        return by_expression;
      }
    }
    // These would be absolute, refused, or read as an option.
    if (glob.find_first_of("/~-") == 0) return by_expression;
    words.insert(words.end(),
                 {exclusion.listed ? "--prune" : "-E", glob + (tests.size() > 1 ? "/" : "")});
  }
  return words;
}

/// Remembers whether patterns with and without case occur.
void FindLine::note_case(const Node& node) {
  if (node.kind == Kind::test && node.test.is_pattern()) {
    (node.test.sensitive ? sensitive_ : insensitive_) = true;
  }
  for (const Node& inner : node.nodes) note_case(inner);
}

/// A pattern as a term; with its case only if others differ.
std::string FindLine::pattern_expression(const Test& test) const {
  const std::string_view modifier = !(sensitive_ && insensitive_) ? ""
                                    : test.sensitive              ? "case "
                                                                  : "nocase ";
  return text::format("{} {}{} {}", test.field, modifier, test.op, query::quoted(test.text));
}

/// A condition in the language of --where. `files_only` is true if a term elsewhere leaves regular
/// files only, so that -size needs no other spelling for the rest. "(type = f and size > 2Ki) or
/// not empty"; nested ones are in parentheses, a single test is not.
std::string FindLine::expression(const Node& node, bool nested, bool files_only) const {
  switch (node.kind) {
    case Kind::test:
      if (node.test.is_pattern()) return pattern_expression(node.test);
      return files_only || node.test.any_where.empty() ? node.test.where : node.test.any_where;
    case Kind::negation: {
      const Node& inner = node.nodes.front();
      const std::string text = expression(inner, true, files_only);
      return "not " + (text.starts_with("(") || inner.kind == Kind::test ? text : "(" + text + ")");
    }
    case Kind::all:
    case Kind::any: {
      if (node.nodes.empty()) return node.kind == Kind::all ? "true" : "false";
      const bool of_files =
          files_only || (node.kind == Kind::all &&
                         std::any_of(node.nodes.begin(), node.nodes.end(), is_file_type));
      std::string text;
      for (const Node& inner : node.nodes) {
        if (!text.empty()) text += node.kind == Kind::all ? " and " : " or ";
        text += expression(inner, true, of_files);
      }
      return nested && node.nodes.size() > 1 ? "(" + text + ")" : text;
    }
    default:
      throw Untranslatable{node.word};
  }
}

/// A line has one group of patterns, one -t and one of most other options; further terms go
/// to --where.
void FindLine::emit_term(const Node& term, bool files_only) {
  const bool is_negation = term.kind == Kind::negation;
  const Node& asked = is_negation ? term.nodes.front() : term;
  if (asked.kind == Kind::command) {
    // Without the -x in front. --if has no negation, so a shell inverts the status.
    conditions_.emplace_back("--if");
    if (is_negation) conditions_.insert(conditions_.end(), {"sh", "-c", "! \"$@\"", "sh"});
    conditions_.insert(conditions_.end(), asked.action.begin() + 1, asked.action.end());
    conditions_.emplace_back(";");
    return;
  }
  // As `find -false`: it finds nothing, and neither may we.
  if (is_false(term)) {
    wheres_.push_back(term);
    return;
  }
  const std::vector<Node> any = operands_of(term, Kind::any);
  // Several -g are alternatives.
  const auto is_alike = [&](const Node& node) {
    const Test& test = node.test;
    return node.kind == Kind::test && test.is_pattern() && test.field == any.front().test.field &&
           test.op == any.front().test.op && test.field != "target";
  };
  if (patterns_.empty() && !(sensitive_ && insensitive_) &&
      std::all_of(any.begin(), any.end(), is_alike)) {
    for (const Node& node : any) patterns_.push_back(node.test);
    return;
  }
  // `-type f -o -type l` is -t f,l.
  const bool types = std::all_of(any.begin(), any.end(), [](const Node& node) {
    return node.kind == Kind::test && node.test.option == "-t";
  });
  if (types && types_.empty()) {
    for (const Node& node : any) types_ += (types_.empty() ? "" : ",") + node.test.values.front();
    return;
  }
  // An option can be given twice only if both of its values count, as ranges do.
  const Test& test = term.test;
  const bool used = std::find(filters_.begin(), filters_.end(), test.option) != filters_.end();
  if (term.kind == Kind::test && !test.is_pattern() && !test.option.empty() &&
      test.option != "-t" && (!used || test.may_repeat) && (files_only || test.any_where.empty())) {
    if (test.values.empty()) filters_.emplace_back(test.option);
    for (const std::string& value : test.values) {
      filters_.insert(filters_.end(), {std::string(test.option), value});
    }
    return;
  }
  wheres_.push_back(term);
}

/// Commands come last, since each extends to the end of the line or to a `;`. Throws if a word was
/// only guessed (an option with one dash), since the line would delete or run something.
void FindLine::append_commands(Words& line) {
  if (!own_command_.empty() && !actions_.empty()) throw Untranslatable{own_command_.front()};
  const bool acts = deletes_ || !own_command_.empty() || runs_command(actions_);
  if (acts && (!corrected_own_.empty() || late_roots_)) {
    throw Untranslatable{corrected_own_.empty() ? roots_.back().path : corrected_own_};
  }
  if (!conditions_.empty() && own_command_.empty() && actions_.empty()) conditions_.pop_back();
  for (const Words& words : {conditions_, own_command_, actions_}) {
    line.insert(line.end(), words.begin(), words.end());
  }
}

/// All parts in the usual order of a command line.
Words FindLine::words(bool files_only) {
  Words line;
  const auto add = [&](const Words& words) { line.insert(line.end(), words.begin(), words.end()); };
  // A glob with a slash is one of paths; an expression is one of names, unless it has a slash, as
  // [^/] has. All patterns have one field.
  const bool has_field = std::any_of(patterns_.begin(), patterns_.end(), [](const Test& test) {
    const bool has_slash = test.text.find('/') != std::string::npos;
    return test.field == "path" ? test.op == "~" || !has_slash : has_slash;
  });
  if (has_field) line.emplace_back(patterns_.front().field);
  if (follows_) line.emplace_back("-L");
  if (sensitive_ != insensitive_) line.emplace_back(sensitive_ ? "-s" : "-i");
  if (!types_.empty()) add({"-t", types_});
  add(filters_);
  for (const Test& test : patterns_) add({test.op == "~" ? "-e" : "-g", test.text});
  if (!wheres_.empty()) add({"--where", expression(conjunction(wheres_), false, files_only)});
  if (min_depth_.value_or(0) > 0) add({"--min-depth", std::to_string(*min_depth_)});
  if (max_depth_) add({"-d", std::to_string(*max_depth_)});
  add(scope_);
  for (const Exclusion& exclusion : exclusions_) add(excluding(exclusion));
  add(own_);
  const bool is_here = roots_.size() == 1 && roots_.front().path == ".";
  for (const Root& root : roots_) {
    if (roots_unknown_ || is_here) break;
    // Next to a pattern all arguments are PATHs.
    if (patterns_.empty() && !text::looks_like_path(root.path)) line.emplace_back("--in");
    line.push_back(root.path);
  }
  append_commands(line);
  return line;
}

}  // namespace ffind::foreign
