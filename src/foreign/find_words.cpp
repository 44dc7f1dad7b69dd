// SPDX-License-Identifier: MIT
// Conditions to options: the last steps of translating a line of find. A line of ours has one group
// of patterns, one -t and one of most other filters; the rest is an expression for --where.
#include <algorithm>

#include "cli/option_table.h"
#include "foreign/find_line.h"
#include "query/expression.h"
#include "text/paths.h"

namespace ffind::foreign {

using cli::Given;
using cli::Id;
using query::Operator;

/// An exclusion: -E or --prune with globs, else an expression. A glob with a slash is matched
/// against absolute paths too, so a path has to be a plain one below the root. -E takes no case of
/// its own: with patterns of both kinds, all exclusions are expressions.
void FindLine::exclude(const Exclusion& exclusion) {
  const std::vector<Node>& tests = exclusion.tests;
  const auto by_expression = [&] {
    line_.add(exclusion.listed ? Id::prune_where : Id::exclude_where,
              expression(conjunction(tests), false, false));
  };
  const auto is_directory = [](const Node& test) { return is_type(test, "d"); };
  const auto pattern = std::find_if_not(tests.begin(), tests.end(), is_directory);
  if ((sensitive_ && insensitive_) || pattern == tests.end() ||
      !std::all_of(pattern + 1, tests.end(), is_directory)) {
    return by_expression();
  }
  Words globs;
  for (const Node& node : operands_of(*pattern, Kind::any)) {
    if (node.kind != Kind::test || node.test.op != Operator::glob || node.test.field == "target") {
      return by_expression();
    }
    std::string glob = node.test.text();
    if (node.test.field == "path") {
      const std::string name = glob.starts_with("**/") ? glob.substr(3) : "";
      if (!name.empty() && name.find('/') == std::string::npos) {
        glob = name;
      } else if (glob.find_first_of("*?[{\\") == std::string::npos) {
        glob.insert(0, "./");
      } else {
        return by_expression();
      }
    }
    // These would be absolute, refused, or read as an option.
    if (glob.find_first_of("/~-") == 0) return by_expression();
    globs.push_back(glob + (tests.size() > 1 ? "/" : ""));
  }
  for (std::string& glob : globs) {
    line_.add(exclusion.listed ? Id::prune : Id::exclude, std::move(glob));
  }
}

/// Remembers whether patterns with and without case occur.
void FindLine::note_case(const Node& node) {
  if (node.kind == Kind::test && node.test.is_pattern()) {
    (node.test.sensitive ? sensitive_ : insensitive_) = true;
  }
  for (const Node& inner : node.nodes) note_case(inner);
}

/// A condition in the language of --where. `files_only` is true if a term elsewhere leaves regular
/// files only, so that -size needs no other spelling for the rest. "(type = f and size > 2Ki) or
/// not empty"; nested ones are in parentheses, a single test is not.
std::string FindLine::expression(const Node& node, bool nested, bool files_only) const {
  switch (node.kind) {
    case Kind::test:
      return term_of(node.test, files_only, sensitive_ && insensitive_);
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
                         std::any_of(node.nodes.begin(), node.nodes.end(),
                                     [](const Node& inner) { return is_type(inner, "f"); }));
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

/// Options for a term of the condition; if there are none, or they would not add up, it is left to
/// --where.
void FindLine::emit_term(const Node& term, bool files_only) {
  const bool is_negation = term.kind == Kind::negation;
  const Node& asked = is_negation ? term.nodes.front() : term;
  if (asked.kind == Kind::command) {
    Given condition{.id = Id::condition, .command = asked.action.front().command};
    // --if has no negation, so a shell inverts the status.
    if (is_negation) {
      condition.command.insert(condition.command.begin(), {"sh", "-c", "! \"$@\"", "sh"});
    }
    conditions_.push_back(std::move(condition));
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
    return node.kind == Kind::test && node.test.option == Id::type;
  });
  if (types && types_.empty()) {
    for (const Node& node : any) types_ += (types_.empty() ? "" : ",") + node.test.text();
    return;
  }
  // An option can be given twice only if both of its values count: ranges do, users do not.
  const Test& test = term.test;
  const bool used = std::any_of(filters_.begin(), filters_.end(), [&](const Given& one) {
    return one.id == test.option.value_or(Id::text);
  });
  const bool may_repeat =
      (has_ranges(test) && !lists("uid gid", test.field)) || test.field == "newer_than";
  if (term.kind == Kind::test && test.option && test.option != Id::type && (!used || may_repeat) &&
      (files_only || test.field != "size")) {
    if (test.values.empty()) filters_.push_back({.id = *test.option});
    for (const std::string& value : test.values) {
      filters_.push_back({.id = *test.option, .value = value});
    }
    return;
  }
  wheres_.push_back(term);
}

/// Throws for two commands, and for an action if a word was only guessed (an option with one dash,
/// a root after the expression), since the line would delete or run something.
void FindLine::refuse_doubtful_action() const {
  const auto own = std::find_if(own_.given.begin(), own_.given.end(),
                                [](const Given& one) { return !one.command.empty(); });
  const bool has_command = own != own_.given.end();
  if (has_command && !actions_.empty()) throw Untranslatable{words_[own->word]};
  const bool acts = deletes_ || has_command || runs_command(actions_);
  if (acts && (!corrected_own_.empty() || late_roots_)) {
    throw Untranslatable{corrected_own_.empty() ? roots_.back().path : corrected_own_};
  }
}

void FindLine::add_roots() {
  if (roots_unknown_ || (roots_.size() == 1 && roots_.front().path == ".")) return;
  // `report -type f` means a TEXT if nothing is called so.
  if (roots_.size() == 1 && roots_.front().place == Place::missing && patterns_.empty() &&
      actions_.empty() && roots_.front().path.find('/') == std::string::npos) {
    line_.arguments.push_back(roots_.front().path);
    return;
  }
  for (const Root& root : roots_) {
    // Next to a pattern all arguments are PATHs.
    if (patterns_.empty() && !text::looks_like_path(root.path)) {
      line_.add(Id::in, root.path);
    } else {
      line_.arguments.push_back(root.path);
    }
  }
}

/// All parts in the usual order of a command line.
cli::Options FindLine::options(bool files_only) {
  const auto add = [&](const std::vector<Given>& given) {
    line_.given.insert(line_.given.end(), given.begin(), given.end());
  };
  line_.words = own_.words;
  // A glob with a slash is one of paths; an expression is one of names, unless it has a slash, as
  // [^/] has. All patterns have one field.
  const bool has_field = std::any_of(patterns_.begin(), patterns_.end(), [](const Test& test) {
    const bool has_slash = test.text().find('/') != std::string::npos;
    return test.field == "path" ? test.op == Operator::matches || !has_slash : has_slash;
  });
  if (has_field) line_.arguments.emplace_back(patterns_.front().field);
  if (follows_) line_.add(Id::follow);
  if (sensitive_ != insensitive_) line_.add(sensitive_ ? Id::case_sensitive : Id::ignore_case);
  if (!types_.empty()) line_.add(Id::type, types_);
  add(filters_);
  for (const Test& test : patterns_) {
    line_.add(test.op == Operator::matches ? Id::regex : Id::glob, test.text());
  }
  if (!wheres_.empty()) line_.add(Id::where, expression(conjunction(wheres_), false, files_only));
  if (min_depth_.value_or(0) > 0) line_.add(Id::min_depth, std::to_string(*min_depth_));
  if (max_depth_) line_.add(Id::max_depth, std::to_string(*max_depth_));
  add(scope_);
  for (const Exclusion& exclusion : exclusions_) exclude(exclusion);
  add(conditions_);
  add(own_.given);
  add(actions_);
  refuse_doubtful_action();
  add_roots();
  return std::move(line_);
}

}  // namespace ffind::foreign
