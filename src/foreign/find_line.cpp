// SPDX-License-Identifier: MIT
// Tree to conditions to words: the second half of translating a line of find.
//
// Conditions are trees as well (find_conditions.cpp). translate() goes through these steps:
//
//   1. collapse_actions()  Actions at the end of a conjunction become one. A silent command before
//                          something else (`-exec grep -q x {} ; -print`) becomes a test, our --if
//                          (find_actions.cpp).
//   2. run()               Collects the conditions of all prunes and actions.
//   3. settle_actions()    The action, and the condition that everything else is about.
//   4. drop_pruned_roots(), refuse_...()
//                          Leaves out the roots that find does not enter. Ends the translation if
//                          that is not known, or if an action could concern a root.
//   5. settle_prunes(), take_insides()
//                          Exclusions. Terms of the condition that they make needless are dropped.
//   6. note_case()         Case is one option for all patterns if they agree, else part of each.
//   7. emit_...()          Each term of the condition: a pattern, a type or a filter if there is
//                          still an option for it, else a term of --where.
//   8. append_...()        The parts in the usual order of a command line.
//
// For example, the terms of -type f \( -name '*.c' -o -name '*.h' \) ! -size +1k:
//
//     type f                        -t f
//     any of two patterns           -g '*.c' -g '*.h'
//     not size > 1Ki                --where 'not size > 1Ki': no option says "not"
//
// tests/cli/habits.txt has a few hundred lines with their translations, which are run next to find;
// tests/cli/find_lines.py does the same with random lines.
#include <algorithm>

#include "ffind/query.h"
#include "foreign/find_line.h"
#include "text/format.h"
#include "text/paths.h"

namespace ffind::foreign {

std::string FindLine::culprit() const {
  std::string all = culprit_;
  for (std::size_t i = culprit_end_; i < at_ && !culprit_.empty(); ++i) all += " " + words_[i];
  return all;
}

bool FindLine::has(const Node& node, Kind kind) {
  return node.kind == kind || std::any_of(node.nodes.begin(), node.nodes.end(),
                                          [&](const Node& inner) { return has(inner, kind); });
}

/// Step 2. The condition under which `node` is true, given the condition under which it is reached.
/// The operands of `all` are reached while those before them are true, of `any` while they are
/// false. `reach` grows on the way down: in `A -o B -print`, print is reached if not A, and B.
Node FindLine::run(const Node& node, const Node& reach) {
  switch (node.kind) {
    case Kind::test:
    case Kind::command:
      return node;
    case Kind::negation:
      return negated(run(node.nodes.front(), reach));
    case Kind::prune:
      if (!depth_first_) prunes_.push_back(reach);
      return everything();
    case Kind::action:
      reached_.push_back({reach, node.action, node.word});
      // Its status is known only after it has run, too late for a condition.
      if (!runs_command(node.action)) return everything();
      return {Kind::command, {}, {}, node.action, node.word};
    case Kind::all: {
      Node truth = everything();
      for (const Node& inner : node.nodes) {
        const Node one = run(inner, both_of(reach, truth));
        truth = both_of(truth, one);
      }
      return truth;
    }
    case Kind::any: {
      Node truth = nothing_at_all();
      for (const Node& inner : node.nodes) {
        const Node one = run(inner, both_of(reach, negated(truth)));
        truth = either_of(truth, one);
      }
      return truth;
    }
  }
  throw Untranslatable();
}

/// Step 3. Without any action find prints, under the condition that the whole tree is true. The
/// same action may be reached in several ways if no entry takes two of them. For example `-name a
/// -print -o -name b -print`: the second is reached if not a, so the two are disjoint, and the
/// condition is a or b.
Node FindLine::settle_actions(Node truth) {
  if (reached_.empty()) return truth;
  Node condition = nothing_at_all();
  for (const Reached& reached : reached_) {
    const std::string& word = reached_.front().word;
    if (reached.action != reached_.front().action) {
      throw Untranslatable{reached.word == word ? word : word + " " + reached.word};
    }
    // An entry that reaches it twice is printed twice.
    if (!is_false(condition) && !are_disjoint(condition, reached.when)) throw Untranslatable{word};
    condition = either_of(condition, reached.when);
  }
  if (reached_.front().action != Words{"print"}) actions_ = reached_.front().action;
  return condition;
}

/// Drops the roots that find does not enter because a prune is true there. A root that is a file is
/// listed by both programs, but no exclusion of ours applies to it: it is dropped if find does not
/// list it. With -mindepth 1, find applies no test to roots.
void FindLine::drop_pruned_roots(const Node& condition) {
  if (min_depth_.value_or(0) > 0 || prunes_.empty()) return;
  if (roots_unknown_) throw Untranslatable{"-prune"};
  Node pruned = nothing_at_all();
  for (const Node& prune : prunes_) pruned = either_of(pruned, prune);
  const auto is_dropped = [&](std::size_t i) {
    const Place place = roots_[i].place;
    const Truth prunes = truth_at(pruned, i);
    if (place == Place::missing || prunes == false) return false;
    const Truth lists = place == Place::directory ? inverse(prunes) : truth_at(condition, i);
    if (lists != false) throw Untranslatable{"-prune"};
    return true;
  };
  std::vector<Root> kept;
  for (std::size_t i = 0; i < roots_.size(); ++i) {
    if (!is_dropped(i)) kept.push_back(roots_[i]);
  }
  if (kept.empty()) {
    const std::string where = roots_.size() == 1 ? text::format("'{}'", roots_.front().path)
                                                 : std::string("any of the roots");
    throw Untranslatable{"-prune",
                         text::format("find does not enter {}: -prune is true there", where)};
  }
  roots_ = std::move(kept);
}

/// find prints roots and ours does not. With {dir} in the format, the missing line may not be
/// recognisable as the root's, so the translation is not exact.
void FindLine::refuse_format_of_roots(const Node& condition) const {
  const bool prints_parent =
      std::any_of(actions_.begin(), actions_.end(),
                  [](const std::string& word) { return word.find("{dir}") != std::string::npos; });
  if (!prints_parent || min_depth_.value_or(0) > 0) return;
  for (std::size_t i = 0; i < roots_.size(); ++i) {
    if (roots_[i].path != "." && truth_at(condition, i) != false) throw Untranslatable{"-printf"};
  }
}

/// Turns prunes into exclusions. find lists a pruned directory too, unless the condition says that
/// it does not match: then the term is dropped, since --exclude includes it. For example, `-name b
/// -prune -o -print` reaches -print under "not b": -E b, and no term is left. `-name b -prune`
/// alone lists b: --prune b, and the term "b". What prunes nothing stays a term.
void FindLine::settle_prunes(Node& condition) {
  std::vector<Node> conjuncts = spread_negations(conjuncts_of(condition));
  std::vector<Node> known;
  for (const Node& prune : prunes_) {
    std::vector<Node> tests;
    for (const Node& test : spread_negations(conjuncts_of(prune))) {
      // `-path ./a -prune -o -path ./b -prune`: the second is reached if not ./a, which is excluded
      // anyway.
      const bool excluded_before =
          test.kind == Kind::negation && contains(known, test.nodes.front());
      if (!excluded_before) tests.push_back(test);
    }
    if (tests.empty()) {
      // Nothing that find tests is entered.
      const unsigned first = std::max(min_depth_.value_or(0), 1U);
      max_depth_ = std::min(max_depth_.value_or(first), first);
      continue;
    }
    Node what{Kind::all, tests, {}, {}};
    if (tests.size() == 1) what = Node(tests.front());
    if (is_false(what)) continue;
    std::vector<Node> choices = what.kind == Kind::any ? what.nodes : std::vector{what};
    known.insert(known.end(), choices.begin(), choices.end());
    choices.erase(std::remove_if(choices.begin(), choices.end(), prunes_nothing), choices.end());
    if (choices.empty()) continue;
    if (what.kind == Kind::any) {
      what.nodes = choices;
      tests = {choices.size() == 1 ? choices.front() : what};
    }
    const bool listed = !std::all_of(choices.begin(), choices.end(), [&](const Node& choice) {
      return contains(conjuncts, negated(choice));
    });
    // find applies no test, -prune included, to entries above -mindepth.
    const bool is_deep = min_depth_.value_or(0) > 1;
    if (!listed && !is_deep) {
      for (const Node& choice : choices) {
        conjuncts.erase(std::find(conjuncts.begin(), conjuncts.end(), negated(choice)));
      }
    }
    if (is_deep) {
      Test depth = range_test("", "depth", {">=" + std::to_string(*min_depth_)});
      tests.insert(tests.begin(), {Kind::test, {}, depth, {}});
    }
    for (const Node& test : tests) note_case(test);
    exclusions_.push_back({tests, listed || is_deep});
  }
  condition = {Kind::all, conjuncts, {}, {}};
}

/// X if `node` matches everything below a directory X, as `*/X/*` and `./X/*` do. "node_modules"
/// for `*/node_modules/*`, "./src" for `./src/*`, as path_test() has made them:
/// `**/node_modules/**` and `src/**`.
std::optional<std::string> FindLine::insides_of(const Node& node) {
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

/// Turns `! -path './X/*'` into an exclusion: X is not entered, instead of testing each path below
/// it. This is much faster, and equivalent: find lists X itself, and so does --prune.
void FindLine::take_insides(Node& condition) {
  std::vector<Node> kept;
  for (Node& term : condition.nodes) {
    const auto insides =
        term.kind == Kind::negation ? insides_of(term.nodes.front()) : std::optional<std::string>();
    if (!insides) {
      kept.push_back(std::move(term));
      continue;
    }
    Node directory = term.nodes.front();
    const bool below = insides->starts_with("./");
    directory.test.field = below ? "path" : "name";
    directory.test.text = below ? insides->substr(2) : *insides;
    note_case(directory);
    exclusions_.push_back({{directory}, true});
  }
  condition.nodes = std::move(kept);
}

/// Called once the case of all patterns is known.
void FindLine::emit_exclusions() {
  for (const Exclusion& exclusion : exclusions_) {
    if (exclude_globs(exclusion.tests, exclusion.listed)) continue;
    const Node all{Kind::all, exclusion.tests, {}, {}};
    const Node& what = exclusion.tests.size() == 1 ? exclusion.tests.front() : all;
    excludes_.emplace_back(exclusion.listed ? "--prune-where" : "--exclude-where",
                           expression(what, false, false));
  }
}

/// Adds an exclusion as -E or --prune with a glob; false if it takes an expression. A glob with a
/// slash is matched against absolute paths too, so a path has to be a plain one below the root. -E
/// takes no case of its own: with patterns of both kinds, all exclusions are expressions.
bool FindLine::exclude_globs(const std::vector<Node>& tests, bool listed) {
  if (sensitive_ && insensitive_) return false;
  bool directories = false;
  const Node* patterns = nullptr;
  for (const Node& test : tests) {
    if (test.kind == Kind::test && test.test.option == "-t" && test.test.values == Words{"d"}) {
      directories = true;
    } else if (patterns == nullptr) {
      patterns = &test;
    } else {
      return false;
    }
  }
  if (patterns == nullptr) return false;
  const std::vector<Node> each =
      patterns->kind == Kind::any ? patterns->nodes : std::vector{*patterns};
  Words globs;
  for (const Node& node : each) {
    if (node.kind != Kind::test || node.test.op != "glob" || node.test.field == "target") {
      return false;
    }
    std::string glob = node.test.text;
    if (node.test.field == "path") {
      const std::string name = glob.starts_with("**/") ? glob.substr(3) : "";
      if (!name.empty() && name.find('/') == std::string::npos) {
        glob = name;
      } else if (glob.find_first_of("*?[{\\") == std::string::npos) {
        glob.insert(0, "./");
      } else {
        return false;
      }
    }
    // These would be absolute, refused, or read as an option.
    if (glob.starts_with("/") || glob.starts_with("~") || glob.starts_with("-")) return false;
    globs.push_back(directories ? glob + "/" : glob);
  }
  for (const std::string& glob : globs) excludes_.emplace_back(listed ? "--prune" : "-E", glob);
  return true;
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
  return text::format("{} {}{} {}", test.field, modifier, test.op, quoted(test.text));
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
    case Kind::prune:
    case Kind::action:
    case Kind::command:
      break;
  }
  throw Untranslatable{node.word};
}

/// True for a pattern, or alternatives of one field and operator: several -g are alternatives.
bool FindLine::is_pattern_group(const Node& node) const {
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

/// Step 7. A line has one group of patterns, one -t and one of most other options; further terms go
/// to --where.
void FindLine::emit_term(const Node& term, bool files_only) {
  const bool is_negation = term.kind == Kind::negation;
  const Node& asked = is_negation ? term.nodes.front() : term;
  if (asked.kind == Kind::command) {
    // Without the -x in front. --if has no negation, so a shell inverts the status.
    Words command(asked.action.begin() + 1, asked.action.end());
    if (is_negation) {
      const Words shell = {"sh", "-c", "! \"$@\"", "sh"};
      command.insert(command.begin(), shell.begin(), shell.end());
    }
    conditions_.push_back(std::move(command));
    return;
  }
  // As `find -false`: it finds nothing, and neither may we.
  if (is_false(term)) {
    wheres_.push_back(term);
    return;
  }
  if (patterns_.empty() && is_pattern_group(term)) {
    for (const Node& node : term.kind == Kind::any ? term.nodes : std::vector{term}) {
      patterns_.push_back(node.test);
    }
    return;
  }
  // `-type f -o -type l` is -t f,l.
  const auto is_type = [](const Node& node) {
    return node.kind == Kind::test && node.test.option == "-t";
  };
  const bool types = is_type(term) || (term.kind == Kind::any && !term.nodes.empty() &&
                                       std::all_of(term.nodes.begin(), term.nodes.end(), is_type));
  if (types && types_.empty()) {
    for (const Node& node : term.kind == Kind::any ? term.nodes : std::vector{term}) {
      types_.push_back(node.test.values.front());
    }
    return;
  }
  // An option can be given twice only if both of its values count, as ranges do.
  const Test& test = term.test;
  const bool used = std::find(filters_.begin(), filters_.end(), test.option) != filters_.end();
  if (term.kind == Kind::test && !test.is_pattern() && !test.option.empty() &&
      test.option != "-t" && (!used || test.may_repeat) && (files_only || test.any_where.empty())) {
    if (test.values.empty()) filters_.push_back(test.option);
    for (const std::string& value : test.values) {
      filters_.push_back(test.option);
      filters_.push_back(value);
    }
    return;
  }
  wheres_.push_back(term);
}

/// Paths below the root, depths and exclusions are exact only if no root is inside another, and if
/// find does not refuse the roots.
void FindLine::refuse_if_roots_matter() const {
  for (const Root& root : roots_) {
    // find means the link; ours follows the links it is given.
    if (root.place == Place::link || root.place == Place::link_to_directory) {
      refuse_link_as_root(root);
    }
  }
  const bool matter =
      needs_paths_ || max_depth_ || min_depth_ || !exclusions_.empty() || !actions_.empty();
  if (!matter) return;
  if (late_roots_ && (needs_paths_ || !exclusions_.empty() || !actions_.empty())) {
    throw Untranslatable{roots_.back().path};
  }
  // Compared as texts: "./src/" is "src/", the current directory is empty and a prefix of all.
  const auto spelled = [](std::string path) {
    while (path.starts_with("./")) path.erase(0, path.find_first_not_of('/', 1));
    if (path == ".") path.clear();
    if (!path.empty() && !path.ends_with('/')) path += '/';
    return path;
  };
  for (std::size_t i = 0; i < roots_.size(); ++i) {
    for (std::size_t j = 0; j < roots_.size(); ++j) {
      if (i == j) continue;
      const std::string one = spelled(roots_[i].path);
      const std::string other = spelled(roots_[j].path);
      const bool unclear =
          one.find("..") != std::string::npos || one.starts_with("/") != other.starts_with("/");
      if (unclear || other.starts_with(one)) throw Untranslatable{roots_[j].path};
    }
  }
}

/// find enters what is mounted below its roots, and under -L what links lead to on other volumes.
/// --cross-volumes does so too, but lists each directory of a file system once, and skips the
/// kernel's file systems unless a link leads there.
void FindLine::settle_volumes() {
  const bool typed = std::any_of(own_.begin(), own_.end(), [](const std::string& word) {
    return word == "--cross-volumes" || word == "--one-file-system";
  });
  if (typed) return;
  MountsBelow mounts;
  if (host_.mounts_below && !roots_unknown_) {
    Words paths;
    for (const Root& root : roots_) paths.push_back(root.path);
    mounts = host_.mounts_below(paths, max_depth_.value_or(unlimited_depth), stays_);
  }
  if (!mounts.apart.empty()) {
    throw Untranslatable{
        roots_.front().path,
        text::format("no line finds the same: find also enters '{}'", mounts.apart)};
  }
  if (!stays_ && (mounts.any || follows_ || roots_unknown_)) scope_.emplace_back("--cross-volumes");
}

/// The roots; with --in unless they look like paths or a pattern option makes them PATHs.
void FindLine::append_roots(Words& line) const {
  if (!roots_unknown_ && (roots_.size() != 1 || roots_.front().path != ".")) {
    for (const Root& root : roots_) {
      if (patterns_.empty() && !text::looks_like_path(root.path)) line.emplace_back("--in");
      line.push_back(root.path);
    }
  }
}

/// Commands come last, since each extends to the end of the line or to a `;`. Throws if a word was
/// only guessed (an option with one dash), since the line would delete or run something.
void FindLine::append_commands(Words& line) {
  if (!own_command_.empty() && !actions_.empty()) throw Untranslatable{own_command_.front()};
  const bool acts = deletes_ || !own_command_.empty() || runs_command(actions_);
  if (acts && (!corrected_own_.empty() || late_roots_)) {
    throw Untranslatable{corrected_own_.empty() ? roots_.back().path : corrected_own_};
  }
  for (std::size_t i = 0; i < conditions_.size(); ++i) {
    line.emplace_back("--if");
    line.insert(line.end(), conditions_[i].begin(), conditions_[i].end());
    const bool last = i + 1 == conditions_.size() && own_command_.empty() && actions_.empty();
    if (!last) line.emplace_back(";");
  }
  line.insert(line.end(), own_command_.begin(), own_command_.end());
  line.insert(line.end(), actions_.begin(), actions_.end());
}

Words FindLine::translate() {
  // From here on, each step throws if the line has no exact counterpart.
  read_roots();
  Node top = at_end() ? everything() : parse_any();
  if (!at_end()) throw Untranslatable{peek()};
  culprit_.clear();
  // find refuses -delete with -prune, unless -depth makes the prune idle.
  if (deletes_ && has(top, Kind::prune) && !depth_first_) throw Untranslatable{"-prune -delete"};
  const std::string action = first_action(top);
  collapse_actions(top, false);
  Node condition = settle_actions(run(top, everything()));
  // All actions became conditions: find prints nothing.
  if (!action.empty() && reached_.empty()) throw Untranslatable{action};
  if (max_depth_ == 0U) prunes_.clear();
  refuse_format_of_roots(condition);
  drop_pruned_roots(condition);
  condition = below_roots(condition);
  for (Node& prune : prunes_) prune = below_roots(prune);
  if (is_false(condition)) prunes_.clear();
  settle_prunes(condition);
  take_insides(condition);
  refuse_if_roots_matter();
  settle_volumes();
  note_case(condition);
  emit_exclusions();
  const bool files_only = std::any_of(condition.nodes.begin(), condition.nodes.end(), is_file_type);
  for (const Node& term : condition.nodes) emit_term(term, files_only);
  if (deletes_ && !files_only && changes_by_deletions(condition)) throw Untranslatable{"-delete"};
  // find reports a directory that contains itself and a link to itself, and does not list them.
  const bool broken = std::find(filters_.begin(), filters_.end(), "--broken") != filters_.end();
  if ((follows_ && !files_only) || broken) {
    Test loop;
    loop.where = "not loop";
    wheres_.push_back({Kind::test, {}, loop, {}});
  }

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
  for (const Test& test : patterns_) add({test.op == "~" ? "-e" : "-g", test.text});
  if (!wheres_.empty()) {
    const Node all{Kind::all, wheres_, {}, {}};
    add({"--where", expression(wheres_.size() == 1 ? wheres_.front() : all, false, files_only)});
  }
  if (min_depth_.value_or(0) > 0) add({"--min-depth", std::to_string(*min_depth_)});
  if (max_depth_) add({"-d", std::to_string(*max_depth_)});
  add(scope_);
  for (const auto& [option, glob] : excludes_) add({option, glob});
  add(own_);
  append_roots(line);
  append_commands(line);
  return line;
}

Translation translate_find(const Words& words, const Host& host) {
  FindLine line(words, host);
  try {
    Words words_of_ours = line.translate();
    return {std::move(words_of_ours), {}, {}, line.doubt()};
  } catch (const Untranslatable& failure) {
    return {{}, failure.culprit.empty() ? line.culprit() : failure.culprit, failure.reason};
  }
}

}  // namespace ffind::foreign
