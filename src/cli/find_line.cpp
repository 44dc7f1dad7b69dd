// SPDX-License-Identifier: MIT
// The tree as options and an expression of ours: what is pruned, what is done, what is left to
// test. See find_parser.h.
#include <algorithm>

#include "cli/find_parser.h"
#include "cli/operands.h"
#include "text/format.h"

namespace ffind::cli::find_habits {

bool Parser::has(const Node& node, Kind kind) {
  return node.kind == kind || std::any_of(node.nodes.begin(), node.nodes.end(),
                                          [&](const Node& inner) { return has(inner, kind); });
}

/// Those at the end of `all`, which keeps what is before them.
Words Parser::take_actions(Node& all) {
  if (all.kind == Kind::action) {
    Words words = std::move(all.action);
    all = everything();
    return words;
  }
  Words words;
  if (all.kind != Kind::all) return words;
  std::size_t first = all.nodes.size();
  while (first > 0 && all.nodes[first - 1].kind == Kind::action) --first;
  for (std::size_t i = first; i < all.nodes.size(); ++i) {
    const Words& action = all.nodes[i].action;
    const bool runs = std::find_if(words.begin(), words.end(), [](const std::string& word) {
                        return word == "-x" || word == "-X";
                      }) != words.end();
    if (runs && action.front() != "-x") throw Untranslatable();
    if (runs) words.emplace_back(";");
    if (action.front() != "print") {
      words.insert(words.end(), action.begin(), action.end());
    } else if (i + 1 < all.nodes.size() && all.nodes[i + 1].action.front() != "-1" &&
               all.nodes[i + 1].action.front() != "--delete") {
      throw Untranslatable();  // prints, and does something else
    }
  }
  if (words.empty() && first < all.nodes.size()) words = {"print"};
  all.nodes.resize(first);
  return words;
}

/// The glob of the directory whose insides `node` matches: X of `*/X/*` and `./X/*`.
std::optional<std::string> Parser::insides_of(const Node& node) {
  if (node.kind != Kind::test || node.test.field != "path" || node.test.op != "glob") return {};
  std::string_view glob = node.test.text;
  if (!glob.ends_with("/**")) return {};
  glob.remove_suffix(3);
  if (glob.starts_with("**/")) {
    glob.remove_prefix(3);
    if (glob.empty() || glob.find('/') != std::string_view::npos) return {};
    return std::string(glob);
  }
  if (glob.find('*') != std::string_view::npos || glob.empty()) return {};
  return "./" + std::string(glob);
}

/// What `tests` hold for all together is not entered; it is listed, or is not.
void Parser::exclude(const std::vector<Node>& tests, bool listed) {
  if (tests.empty()) throw Untranslatable();
  for (const Node& test : tests) {
    if (has(test, Kind::action) || has(test, Kind::prune)) throw Untranslatable();
    note_case(test);
  }
  exclusions_.push_back({tests, listed});
}

/// Once all patterns are known, and whether case matters in them.
void Parser::emit_exclusions() {
  for (const Exclusion& exclusion : exclusions_) {
    if (exclude_globs(exclusion.tests, exclusion.listed)) continue;
    const Node all{Kind::all, exclusion.tests, {}, {}};
    const Node& what = exclusion.tests.size() == 1 ? exclusion.tests.front() : all;
    excludes_.emplace_back(exclusion.listed ? "--prune-where" : "--exclude-where",
                           expression(what, false));
  }
}

/// As globs, where that can be said so.
bool Parser::exclude_globs(const std::vector<Node>& tests, bool listed) {
  if (sensitive_ && insensitive_) return false;
  bool directories = false;
  const Node* patterns = nullptr;
  for (const Node& test : tests) {
    if (test.kind == Kind::test && test.test.option == "-t" && test.test.values.front() == "d") {
      directories = true;
    } else if (patterns == nullptr) {
      patterns = &test;
    } else {
      return false;
    }
  }
  if (patterns == nullptr) return false;
  std::vector<Node> each = patterns->kind == Kind::any ? patterns->nodes : std::vector{*patterns};
  const auto is_glob = [](const Node& node) {
    return node.kind == Kind::test && node.test.is_pattern() && node.test.op == "glob" &&
           node.test.field != "target";
  };
  if (!std::all_of(each.begin(), each.end(), is_glob)) return false;
  for (const Node& node : each) {
    std::string glob = node.test.text;
    if (node.test.field == "path") {
      const std::string_view name =
          std::string_view(glob).substr(std::min<std::size_t>(3, glob.size()));
      if (glob.starts_with("**/") && name.find('/') == std::string_view::npos) {
        glob = std::string(name);
      } else if (glob.find('/') == std::string::npos) {
        glob.insert(0, "./");
      }
    }
    if (directories) glob += '/';
    excludes_.emplace_back(listed ? "--prune" : "-E", glob);
  }
  return true;
}

/// `not ( X -prune )`
void Parser::take_negated_prunes(Node& alternative) {
  if (alternative.kind == Kind::negation) alternative = {Kind::all, {alternative}, {}, {}};
  if (alternative.kind != Kind::all) return;
  std::vector<Node> kept;
  for (Node& term : alternative.nodes) {
    const bool negated = term.kind == Kind::negation && term.nodes.front().kind == Kind::all;
    std::vector<Node> tests = negated ? term.nodes.front().nodes : std::vector<Node>();
    if (tests.empty() || tests.back().kind != Kind::prune) {
      kept.push_back(std::move(term));
      continue;
    }
    tests.pop_back();
    exclude(tests, false);
  }
  alternative.nodes = std::move(kept);
}

/// The condition of `a -prune -o b -o c`, without the pruning.
Node Parser::take_prunes(std::vector<Node> alternatives, bool acts) {
  Node condition{Kind::any, {}, {}, {}};
  std::vector<Node> hiding;  // true without an action, so that those behind are not reached
  std::optional<Words> actions;
  for (Node& alternative : alternatives) {
    Words own = take_actions(alternative);
    std::vector<Node> tests =
        alternative.kind == Kind::all ? alternative.nodes : std::vector{alternative};
    const bool prunes = !tests.empty() && tests.back().kind == Kind::prune;
    if (prunes) {
      tests.pop_back();
      exclude(tests, !acts || !own.empty());
      alternative = {Kind::all, tests, {}, {}};
      if (acts && own.empty()) continue;
    }
    take_negated_prunes(alternative);
    if (has(alternative, Kind::prune) || has(alternative, Kind::action)) throw Untranslatable();
    if (acts && own.empty()) {
      hiding.push_back({Kind::negation, {alternative}, {}, {}});
      continue;
    }
    if (actions && *actions != own) throw Untranslatable();
    actions = own;
    if (!hiding.empty()) {
      Node both{Kind::all, hiding, {}, {}};
      both.nodes.push_back(std::move(alternative));
      alternative = std::move(both);
    }
    condition.nodes.push_back(std::move(alternative));
  }
  if (actions && *actions != Words{"print"}) actions_ = *actions;
  return condition.nodes.size() == 1 ? std::move(condition.nodes.front()) : condition;
}

/// `-exec CMD ;` before something else asks whether CMD succeeds, and so does `! -exec CMD ;`.
void Parser::take_conditions(Node& top) {
  if (top.kind != Kind::all || top.nodes.empty() || top.nodes.back().kind != Kind::action ||
      top.nodes.back().action.front() == "-x") {
    return;
  }
  std::vector<Node> kept;
  for (Node& node : top.nodes) {
    const bool negated = node.kind == Kind::negation && node.nodes.front().kind == Kind::action;
    const Node& asked = negated ? node.nodes.front() : node;
    if (asked.kind != Kind::action || asked.action.front() != "-x") {
      kept.push_back(std::move(node));
      continue;
    }
    Words command(asked.action.begin() + 1, asked.action.end());
    if (negated) {
      const Words shell = {"sh", "-c", "! \"$@\"", "sh"};
      command.insert(command.begin(), shell.begin(), shell.end());
    }
    conditions_.push_back(std::move(command));
  }
  top.nodes = std::move(kept);
}

Node Parser::condition_of(Node top) {
  take_conditions(top);
  const bool acts = has(top, Kind::action);
  // `-type f \( a -o b -print \)` and its like have actions inside.
  Node condition =
      take_prunes(top.kind == Kind::any ? std::move(top.nodes) : std::vector{top}, acts);
  if (condition.kind != Kind::all) condition = {Kind::all, {condition}, {}, {}};
  std::vector<Node> kept;
  for (Node& term : condition.nodes) {
    if (term.kind == Kind::negation) {
      Node& inner = term.nodes.front();
      if (const auto insides = insides_of(inner)) {
        Node directory = inner;
        const bool below = insides->starts_with("./");
        directory.test.field = below ? "path" : "name";
        directory.test.text = below ? insides->substr(2) : *insides;
        exclude({directory}, true);
        continue;
      }
    }
    kept.push_back(std::move(term));
  }
  condition.nodes = std::move(kept);
  return condition;
}

void Parser::note_case(const Node& node) {
  if (node.kind == Kind::test && node.test.is_pattern()) {
    (node.test.sensitive ? sensitive_ : insensitive_) = true;
  }
  for (const Node& inner : node.nodes) note_case(inner);
}

std::string Parser::pattern_expression(const Test& test) const {
  const std::string_view modifier = !(sensitive_ && insensitive_) ? ""
                                    : test.sensitive              ? "case "
                                                                  : "nocase ";
  return text::format("{} {}{} {}", test.field, modifier, test.op, quoted(test.text));
}

std::string Parser::expression(const Node& node, bool nested) const {
  switch (node.kind) {
    case Kind::test:
      return node.test.is_pattern() ? pattern_expression(node.test) : node.test.where;
    case Kind::negation: {
      const Node& inner = node.nodes.front();
      const std::string text = expression(inner, true);
      return "not " + (text.starts_with("(") || inner.kind == Kind::test ? text : "(" + text + ")");
    }
    case Kind::all:
    case Kind::any: {
      if (node.nodes.empty()) return "true";
      std::string text;
      for (const Node& inner : node.nodes) {
        if (!text.empty()) text += node.kind == Kind::all ? " and " : " or ";
        text += expression(inner, true);
      }
      return nested && node.nodes.size() > 1 ? "(" + text + ")" : text;
    }
    case Kind::prune:
    case Kind::action:
      break;
  }
  throw Untranslatable();
}

/// One pattern, or several any of which will do, of one field and one kind.
bool Parser::is_pattern_group(const Node& node) const {
  if (sensitive_ && insensitive_) return false;
  const auto alike = [](const Node& one, const Node& other) {
    return one.kind == Kind::test && one.test.is_pattern() && one.test.field == other.test.field &&
           one.test.op == other.test.op && one.test.field != "target";
  };
  if (node.kind == Kind::test) return alike(node, node);
  return node.kind == Kind::any &&
         std::all_of(node.nodes.begin(), node.nodes.end(),
                     [&](const Node& inner) { return alike(inner, node.nodes.front()); });
}

void Parser::emit_term(const Node& term) {
  if (patterns_.empty() && is_pattern_group(term)) {
    for (const Node& node : term.kind == Kind::any ? term.nodes : std::vector{term}) {
      patterns_.push_back(node.test);
    }
    return;
  }
  const auto is_type = [](const Node& node) {
    return node.kind == Kind::test && node.test.option == "-t";
  };
  const bool types = is_type(term) || (term.kind == Kind::any &&
                                       std::all_of(term.nodes.begin(), term.nodes.end(), is_type));
  if (types && types_.empty()) {
    for (const Node& node : term.kind == Kind::any ? term.nodes : std::vector{term}) {
      types_.push_back(node.test.values.front());
    }
    return;
  }
  const Test& test = term.test;
  const bool used = std::find(filters_.begin(), filters_.end(), test.option) != filters_.end();
  if (term.kind == Kind::test && !test.is_pattern() && !test.option.empty() &&
      test.option != "-t" && (!used || test.may_repeat)) {
    if (test.values.empty()) filters_.push_back(test.option);
    for (const std::string& value : test.values) {
      filters_.push_back(test.option);
      filters_.push_back(value);
    }
    return;
  }
  wheres_.push_back(expression(term, true));
}

Words Parser::translate() {
  read_regex_type();
  read_roots();
  Node top = parse_any();
  if (!at_end()) throw Untranslatable();
  Node condition = condition_of(std::move(top));
  note_case(condition);
  emit_exclusions();
  for (const Node& term : condition.nodes) emit_term(term);

  Words line;
  const bool path_field = std::any_of(patterns_.begin(), patterns_.end(), [](const Test& test) {
    return test.field == "path" && (test.op == "~" || test.text.find('/') == std::string::npos);
  });
  const auto add = [&](const Words& words) { line.insert(line.end(), words.begin(), words.end()); };
  if (path_field) line.emplace_back("path");
  if (follows_) line.emplace_back("-L");
  if (sensitive_ != insensitive_) line.emplace_back(sensitive_ ? "-s" : "-i");
  if (!types_.empty()) {
    std::string list;
    for (const std::string& type : types_) list += (list.empty() ? "" : ",") + type;
    add({"-t", list});
  }
  add(filters_);
  if (text_) add({"-F", *text_});
  for (const Test& test : patterns_) add({test.op == "~" ? "-e" : "-g", test.text});
  if (!wheres_.empty()) {
    std::string where;
    for (const std::string& each : wheres_) {
      const bool alone = wheres_.size() == 1 && each.starts_with("(") && !condition.nodes.empty() &&
                         each.ends_with(")");
      where += (where.empty() ? "" : " and ") +
               (alone && expression(condition.nodes.front(), true) == each &&
                        condition.nodes.front().kind == Kind::any
                    ? each.substr(1, each.size() - 2)
                    : each);
    }
    add({"--where", where});
  }
  add(scope_);
  for (const auto& [option, glob] : excludes_) add({option, glob});
  add(own_);
  if (roots_ != Words{"."}) {
    const bool patterns = text_ || !patterns_.empty();
    for (const std::string& root : roots_) {
      if (!patterns && !looks_like_path(root)) line.emplace_back("--in");
      line.push_back(root);
    }
  }
  if (!own_command_.empty() && !actions_.empty()) throw Untranslatable();
  for (std::size_t i = 0; i < conditions_.size(); ++i) {
    line.emplace_back("--if");
    add(conditions_[i]);
    const bool last = i + 1 == conditions_.size() && own_command_.empty() && actions_.empty();
    if (!last) line.emplace_back(";");
  }
  add(own_command_);
  add(actions_);
  return line;
}

}  // namespace ffind::cli::find_habits

namespace ffind::cli {

std::optional<Words> translate_find(const Words& words, const IsDirectory& is_directory) {
  try {
    return find_habits::Parser(words, is_directory).translate();
  } catch (const find_habits::Untranslatable&) {
    return {};
  }
}

}  // namespace ffind::cli
