// SPDX-License-Identifier: MIT
// Conditions to options: the last steps of translating a line of find. A line of ours has one group
// of patterns, one -t and one of most other filters; the rest is an expression for --where.
#include <algorithm>

#include "cli/option_table.h"
#include "foreign/find_line.h"
#include "query/expression.h"
#include "text/ascii.h"
#include "text/paths.h"

namespace ffind::foreign {

using cli::Given;
using cli::Id;
using query::Operator;

namespace {

/// False if `glob` cannot match `name`, since their literal beginnings or ends differ.
bool may_match(std::string_view glob, std::string_view name) {
  const std::string_view head = glob.substr(0, glob.find_first_of("*?[{\\"));
  if (head.size() == glob.size()) return glob == name;
  const std::string_view tail = glob.substr(glob.find_last_of("*?]}\\") + 1);
  const bool is_end = tail.size() == glob.size() || glob.find('\\') != glob.npos;
  return name.starts_with(head) && (is_end || name.ends_with(tail));
}

}  // namespace

/// An exclusion: -E or --prune with globs. A glob with a slash is matched against absolute paths
/// too, so a path has to be a plain one below the root. -E takes no case of its own. No glob may
/// match the name of a root: find does not enter it then.
void FindLine::exclude(const Exclusion& exclusion) {
  const std::vector<Node>& tests = exclusion.tests;
  const auto is_directory = [](const Node& test) { return is_type(test, "d"); };
  const auto pattern = std::find_if_not(tests.begin(), tests.end(), is_directory);
  if ((sensitive_ && insensitive_) || pattern == tests.end() ||
      !std::all_of(pattern + 1, tests.end(), is_directory)) {
    throw Untranslatable();
  }
  for (const Node& node : operands_of(*pattern, Kind::any)) {
    const Test& test = node.test;
    if (node.kind != Kind::test || test.op != Operator::glob || test.field == "target") {
      throw Untranslatable();
    }
    std::string glob = test.text();
    const bool is_path = test.field == "path" && !glob.starts_with("**/");
    if (glob.starts_with("**/")) glob.erase(0, 3);
    // A path would be absolute, a name refused or read as an option.
    if (is_path ? glob.find_first_of("*?[{\\") != glob.npos : glob.find('/') != glob.npos) {
      throw Untranslatable();
    }
    if (glob.find_first_of("/~-") == 0) throw Untranslatable();
    for (const Root& root : roots_) {
      const std::string name(text::name_of(text::without_end_slashes(root.path)));
      if (exclusion.is_tested_at_roots && !is_path &&
          may_match(text::fold_ascii(glob), text::fold_ascii(name))) {
        throw Untranslatable();
      }
    }
    line_.add(exclusion.listed ? Id::prune : Id::exclude,
              (is_path ? "./" : "") + glob + (tests.size() > 1 ? "/" : ""));
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
      std::string text;
      for (const Node& inner : node.nodes) {
        if (!text.empty()) text += node.kind == Kind::all ? " and " : " or ";
        text += expression(inner, true, files_only);
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

void FindLine::add_roots() {
  if (roots_.size() == 1 && roots_.front().path == ".") return;
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
  for (const Exclusion& exclusion : exclusions_) exclude(exclusion);
  add(own_.given);
  add(actions_);
  const bool has_command = std::any_of(own_.given.begin(), own_.given.end(),
                                       [](const Given& one) { return !one.command.empty(); });
  if (has_command && !actions_.empty()) throw Untranslatable();
  add_roots();
  return std::move(line_);
}

}  // namespace ffind::foreign
