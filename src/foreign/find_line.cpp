// SPDX-License-Identifier: MIT
// Tree to conditions: the steps of translate() after the parser. Conditions are trees as well.
//
// tests/cli/habits.txt has a few hundred lines with their translations, which are run next to find;
// tests/cli/find_lines.py does the same with random lines.
#include <algorithm>

#include "ffind/query.h"
#include "foreign/find_line.h"
#include "text/format.h"
#include "text/paths.h"

namespace ffind::foreign {

using cli::Id;

bool is_false(const Node& node) {
  return node.kind == Kind::any && node.nodes.empty();
}

std::vector<Node> operands_of(const Node& node, Kind kind) {
  return node.kind == kind ? node.nodes : std::vector{node};
}

Node conjunction(const std::vector<Node>& terms) {
  return terms.size() == 1 ? terms.front() : Node{.nodes = terms};
}

bool is_type(const Node& node, std::string_view letters) {
  return node.kind == Kind::test && node.test.field == "type" && node.test.text() == letters;
}

namespace {

// Conditions are kept flat: an `all` has no `all` among its nodes, an `any` no `any`, and no
// operand is there twice. So they can be compared part by part.

bool is_true(const Node& node) {
  return node.kind == Kind::all && node.nodes.empty();
}

bool contains(const std::vector<Node>& nodes, const Node& wanted) {
  return std::find(nodes.begin(), nodes.end(), wanted) != nodes.end();
}

/// The conjunction or disjunction of two conditions, by `kind`. An operand that decides the result
/// (false in a conjunction, true in a disjunction) is the result. Duplicates are left out:
/// quadratic, for a few operands.
Node combined(Kind kind, const Node& one, const Node& other) {
  const bool both = kind == Kind::all;
  Node result{.kind = kind};
  for (const Node* const node : {&one, &other}) {
    if (both ? is_false(*node) : is_true(*node)) return *node;
    for (const Node& operand : operands_of(*node, kind)) {
      if (!contains(result.nodes, operand)) result.nodes.push_back(operand);
    }
  }
  return result.nodes.size() == 1 ? Node(result.nodes.front()) : result;
}

Node both_of(const Node& one, const Node& other) {
  return combined(Kind::all, one, other);
}

/// Never a negation of a negation, so that `negated(x)` can be looked for among terms.
Node negated(const Node& node) {
  if (is_true(node)) return nothing_at_all();
  if (is_false(node)) return everything();
  if (node.kind == Kind::negation) return node.nodes.front();
  return {.kind = Kind::negation, .nodes = {node}};
}

/// Disjunction of two conditions. `other` is tested only if `one` is false, so its term "not one"
/// is redundant and left out. So `a or (not a and b)` is `a or b`, as find's -o means it.
Node either_of(const Node& one, const Node& other) {
  Node rest = everything();
  for (const Node& conjunct : operands_of(other, Kind::all)) {
    if (conjunct.kind == Kind::negation && conjunct.nodes.front() == one) continue;
    rest = both_of(rest, conjunct);
  }
  return combined(Kind::any, one, rest);
}

Node joined(Kind kind, const Node& one, const Node& other) {
  return kind == Kind::all ? both_of(one, other) : either_of(one, other);
}

/// Replaces `not (a or b)` by `not a` and `not b`, so that each can be found among the terms. De
/// Morgan, for one level.
std::vector<Node> spread_negations(const std::vector<Node>& conjuncts) {
  std::vector<Node> spread;
  for (const Node& conjunct : conjuncts) {
    if (conjunct.kind != Kind::negation || conjunct.nodes.front().kind != Kind::any) {
      spread.push_back(conjunct);
      continue;
    }
    for (const Node& inner : conjunct.nodes.front().nodes) spread.push_back(negated(inner));
  }
  return spread;
}

/// True if a term of one condition is the negation of a term of the other, or of all of it: then no
/// entry meets both. False proves nothing.
bool are_disjoint(const Node& one, const Node& other) {
  const auto refutes = [](const Node& left, const Node& right) {
    const std::vector<Node> facts = operands_of(left, Kind::all);
    if (contains(operands_of(right, Kind::all), negated(left))) return true;
    return std::any_of(facts.begin(), facts.end(), [&](const Node& fact) {
      return contains(operands_of(right, Kind::all), negated(fact));
    });
  };
  return refutes(one, other) || refutes(other, one);
}

/// True for tests of values that change in a directory when its entries are deleted. With -delete,
/// find tests a directory after its entries are gone, ours before.
bool changes_by_deletions(const Node& node) {
  if (node.kind != Kind::test) {
    return std::any_of(node.nodes.begin(), node.nodes.end(), changes_by_deletions);
  }
  return lists("size modified changed accessed links empty newer_than target_type",
               node.test.field);
}

/// Null if there is none.
const Node* first_of(Kind kind, const Node& node) {
  if (node.kind == kind) return &node;
  for (const Node& inner : node.nodes) {
    if (const Node* const found = first_of(kind, inner)) return found;
  }
  return nullptr;
}

/// The test of a directory X if `node` matches everything below it, as `*/X/*` and `./X/*` do, of
/// which path_test() has made `**/X/**` and `X/**`.
std::optional<Node> directory_around(const Node& node) {
  if (node.kind != Kind::test || node.test.field != "path" ||
      node.test.op != query::Operator::glob) {
    return {};
  }
  Node directory = node;
  std::string& glob = directory.test.values.front();
  if (!glob.ends_with("/**")) return {};
  glob.resize(glob.size() - 3);
  const bool is_name = glob.starts_with("**/");
  if (is_name) {
    glob.erase(0, 3);
    directory.test.field = "name";
  }
  if (glob.empty() || glob.find(is_name ? '/' : '*') != std::string::npos) return {};
  return directory;
}

}  // namespace

std::string FindLine::culprit() const {
  std::string all = culprit_;
  for (std::size_t i = culprit_end_; i < at_ && !culprit_.empty(); ++i) all += " " + words_[i];
  return all;
}

/// Collects prunes and actions, and returns the condition under which `node` is true, given the
/// condition under which it is reached. The operands of `all` are reached while those before them
/// are true, of `any` while they are false. `reach` grows on the way down: in `A -o B -print`,
/// print is reached if not A, and B.
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
    case Kind::list: {
      Node last;
      for (const Node& inner : node.nodes) last = run(inner, reach);
      return last;
    }
    case Kind::action:
      reached_.push_back({reach, node});
      // Its status is known only after it has run, too late for a condition.
      if (is_run_ ? node.action.empty() : !runs_command(node.action)) return everything();
      return {.kind = Kind::command, .action = node.action, .word = node.word};
    case Kind::all:
    case Kind::any:
      break;
  }
  Node truth{.kind = node.kind};
  for (const Node& inner : node.nodes) {
    const Node before = node.kind == Kind::all ? truth : negated(truth);
    truth = joined(node.kind, truth, run(inner, both_of(reach, before)));
  }
  return truth;
}

/// Sets the action, and returns the condition under which it is reached. Without any action find
/// prints, under the condition that the whole tree is true. The same action may be reached in
/// several ways if no entry takes two of them. For example `-name a -print -o -name b -print`: the
/// second is reached if not a, so the two are disjoint, and the condition is a or b. Lines that do
/// several things for an entry are run by --as find alone, but for `-print -quit`, which is -1.
Node FindLine::settle_actions(Node truth) {
  if (reached_.empty()) return truth;
  const auto quits = [](const Reached& one) { return one.action.word == "-quit"; };
  if (reached_.size() == 2 && quits(reached_.back()) && !deletes_ &&
      reached_.front().when == reached_.back().when) {
    reached_.pop_back();
    reached_.front().action.action.push_back({.id = Id::one});
  }
  if (std::any_of(reached_.begin(), reached_.end(), quits)) throw Untranslatable();
  Node condition = nothing_at_all();
  actions_ = reached_.front().action.action;
  for (const Reached& reached : reached_) {
    // An entry that reaches it twice is printed twice.
    const bool is_first = &reached == reached_.data();
    if (reached.action.action != actions_ ||
        (!is_first && !are_disjoint(condition, reached.when))) {
      throw Untranslatable{reached_.front().action.word + " " + reached.action.word};
    }
    condition = either_of(condition, reached.when);
  }
  return condition;
}

/// Turns prunes into exclusions. find lists a pruned directory too, unless the condition says that
/// it does not match: then the term is dropped, since --exclude includes it. For example, `-name b
/// -prune -o -print` reaches -print under "not b": -E b, and no term is left. `-name b -prune`
/// alone lists b: --prune b, and the term "b".
void FindLine::settle_prunes(Node& condition) {
  std::vector<Node> conjuncts = spread_negations(operands_of(condition, Kind::all));
  std::vector<Node> known;
  for (const Node& prune : prunes_) {
    std::vector<Node> tests;
    for (const Node& test : spread_negations(operands_of(prune, Kind::all))) {
      // `-path ./a -prune -o -path ./b -prune`: the second is reached if not ./a, which is excluded
      // anyway.
      const bool excluded_before =
          test.kind == Kind::negation && contains(known, test.nodes.front());
      if (!excluded_before) tests.push_back(test);
    }
    const Node what = conjunction(tests);
    if (is_false(what)) continue;
    const std::vector<Node> choices = operands_of(what, Kind::any);
    known.insert(known.end(), choices.begin(), choices.end());
    const bool listed = !std::all_of(choices.begin(), choices.end(), [&](const Node& choice) {
      return contains(conjuncts, negated(choice));
    });
    if (!listed) {
      for (const Node& choice : choices) {
        conjuncts.erase(std::find(conjuncts.begin(), conjuncts.end(), negated(choice)));
      }
    }
    for (const Node& test : tests) note_case(test);
    exclusions_.push_back({tests, listed, min_depth_.value_or(0) == 0});
  }
  condition = {.nodes = std::move(conjuncts)};
}

/// Turns `! -path './X/*'` into an exclusion: X is not entered, instead of testing each path below
/// it. This is much faster, and equivalent: find lists X itself, and so does --prune.
void FindLine::take_insides(Node& condition) {
  std::erase_if(condition.nodes, [&](const Node& term) {
    const auto directory =
        term.kind == Kind::negation ? directory_around(term.nodes.front()) : std::optional<Node>();
    if (!directory) return false;
    note_case(*directory);
    exclusions_.push_back({{*directory}, true});
    return true;
  });
}

/// Throws for roots that ours would not search as find does: links and, if more than names and
/// types matter, several, since one may be inside another. find tests roots as well, so no prune
/// may be true there, and ours excludes no file that is a root.
void FindLine::refuse_if_roots_matter() const {
  const bool is_pruned = !prunes_.empty() && min_depth_.value_or(0) == 0;
  const bool matter =
      needs_paths_ || max_depth_ || min_depth_ || !exclusions_.empty() || !actions_.empty();
  for (const Root& root : roots_) {
    if (root.place == Place::link || root.place == Place::link_to_directory ||
        (is_pruned && root.place == Place::other) || (matter && roots_.size() > 1)) {
      throw Untranslatable();
    }
  }
}

Words FindLine::paths_of_roots() const {
  Words paths;
  for (const Root& root : roots_) paths.push_back(root.path);
  return paths;
}

/// find enters what is mounted below its roots, and under -L what links lead to on other volumes.
void FindLine::settle_volumes() {
  if (own_.has(Id::cross_volumes) || own_.has(Id::one_file_system)) return;
  if (host_.enters_mounts &&
      host_.enters_mounts(paths_of_roots(), max_depth_.value_or(unlimited_depth), stays_)) {
    throw Untranslatable();
  }
  if (!stays_ && follows_) filters_.push_back({.id = Id::cross_volumes});
}

Node FindLine::parse() {
  read_roots();
  Node top = at_end() ? everything() : parse_list();
  if (!at_end()) fail(peek(), "you have too many ')'");
  // find refuses -delete with -prune, unless -depth makes the prune idle.
  if (deletes_ && !depth_first_ && first_of(Kind::prune, top) != nullptr) {
    fail("-prune -delete",
         "The -delete action automatically turns on -depth, but -prune does nothing when -depth is "
         "in effect.  If you want to carry on anyway, just explicitly use the -depth option.");
  }
  culprit_.clear();
  return top;
}

cli::Options FindLine::translate() {
  // From here on, each step throws if the line has no exact counterpart.
  Node condition = settle_actions(run(parse(), everything()));
  if (max_depth_ == 0U || is_false(condition)) prunes_.clear();
  if (min_depth_.value_or(0) > 1 && !prunes_.empty()) throw Untranslatable();
  settle_prunes(condition);
  take_insides(condition);
  refuse_if_roots_matter();
  settle_volumes();
  note_case(condition);
  const bool files_only = std::any_of(condition.nodes.begin(), condition.nodes.end(),
                                      [](const Node& term) { return is_type(term, "f"); });
  for (const Node& term : condition.nodes) emit_term(term, files_only);
  if (deletes_ && !files_only && changes_by_deletions(condition)) throw Untranslatable();
  // find reports a directory that contains itself and a link to itself, and does not list them.
  if (follows_ && !files_only) wheres_.push_back(negated(leaf({.field = "loop"})));
  return options(files_only);
}

namespace {

Expression expression_of(const Node& node, const query::Meaning& meaning) {
  std::vector<Expression> operands;
  switch (node.kind) {
    case Kind::test:
      return made(node.test)(meaning);
    case Kind::prune:
      return Expression::all({});
    case Kind::negation:
      return Expression::negation(expression_of(node.nodes.front(), meaning));
    case Kind::all:
    case Kind::any:
      for (const Node& inner : node.nodes) operands.push_back(expression_of(inner, meaning));
      return node.kind == Kind::all ? Expression::all(std::move(operands))
                                    : Expression::any(std::move(operands));
    default:
      throw Untranslatable{node.word};
  }
}

MakeTest made(Node node) {
  return [node = std::move(node)](const query::Meaning& meaning) {
    return expression_of(node, meaning);
  };
}

/// True for what can only be evaluated in its place among the actions.
bool has_steps(const Node& node) {
  return node.kind == Kind::action || node.kind == Kind::list || node.kind == Kind::prune ||
         std::any_of(node.nodes.begin(), node.nodes.end(), has_steps);
}

/// The steps of a tree: neighbours without an action are one test.
FindStep step_of(const Node& node, const query::Meaning& meaning) {
  if (node.kind == Kind::action) return node.step;
  if (node.kind == Kind::prune) return {.kind = FindStep::Kind::prune};
  if (!has_steps(node)) {
    return {.kind = FindStep::Kind::test, .test = expression_of(node, meaning)};
  }
  FindStep step{.kind = node.kind == Kind::all        ? FindStep::Kind::all
                        : node.kind == Kind::any      ? FindStep::Kind::any
                        : node.kind == Kind::negation ? FindStep::Kind::negation
                                                      : FindStep::Kind::list};
  Node tests{.kind = node.kind};
  const auto add_tests = [&] {
    if (!tests.nodes.empty()) step.steps.push_back(step_of(tests, meaning));
    tests.nodes.clear();
  };
  const bool joins = node.kind == Kind::all || node.kind == Kind::any;
  for (const Node& inner : node.nodes) {
    if (joins && !has_steps(inner)) {
      tests.nodes.push_back(inner);
    } else {
      add_tests();
      step.steps.push_back(step_of(inner, meaning));
    }
  }
  add_tests();
  return step;
}

/// The condition that is true whenever `node` may be true: the status of a command may be any, and
/// so may a value that `changes`.
Node loosened(const Node& node, bool changes, bool positive = true) {
  if (node.kind == Kind::command || (changes && node.nodes.empty() && changes_by_deletions(node))) {
    return positive ? everything() : nothing_at_all();
  }
  if (node.kind == Kind::negation) {
    return negated(loosened(node.nodes.front(), changes, !positive));
  }
  if (node.nodes.empty()) return node;
  Node result{.kind = node.kind};
  for (const Node& inner : node.nodes) {
    result = joined(node.kind, result, loosened(inner, changes, positive));
  }
  return result;
}

}  // namespace

/// True if all that the line does is one print for an entry, so that a search which emits what
/// reaches it does the same.
bool FindLine::is_filter() const {
  for (auto reached = reached_.begin(); reached != reached_.end(); ++reached) {
    const FindStep& step = reached->action.step;
    const FindStep& first = reached_.front().action.step;
    const bool is_print = step.kind >= FindStep::Kind::print && step.kind < FindStep::Kind::command;
    if (!is_print || !step.file.empty() || step.kind != first.kind || step.text != first.text ||
        step.end != first.end) {
      return false;
    }
    // An entry that reaches two is printed twice.
    if (std::any_of(reached_.begin(), reached, [&](const Reached& before) {
          return !are_disjoint(before.when, reached->when);
        })) {
      return false;
    }
  }
  return true;
}

FindSearch FindLine::search() {
  Node top = parse();
  const Node truth = run(top, everything());
  FindSearch search;
  for (const Reached& reached : reached_) {
    const FindStep& step = reached.action.step;
    search.acts = search.acts || !step.file.empty() || step.kind == FindStep::Kind::command ||
                  step.kind == FindStep::Kind::remove;
  }
  // With nothing but -quit, find prints as well.
  if (std::all_of(reached_.begin(), reached_.end(), [](const Reached& reached) {
        const FindStep& step = reached.action.step;
        return step.kind == FindStep::Kind::quit && !step.status;
      })) {
    Node print{.kind = Kind::action, .step = {.kind = FindStep::Kind::print}};
    reached_.push_back({truth, print});
    top = {.nodes = {std::move(top), std::move(print)}};
  }
  const bool contents_first = depth_first_ || deletes_;
  Node condition = nothing_at_all();
  for (const Reached& reached : reached_) {
    condition = either_of(condition, loosened(reached.when, contents_first && search.acts));
  }
  if (is_safe_) {
    top = {
        .nodes = {{.kind = Kind::action, .step = {.kind = FindStep::Kind::safe}}, std::move(top)}};
    condition = everything();
  }
  Node prune = nothing_at_all();
  for (const Node& one : prunes_) {
    if (first_of(Kind::command, one) == nullptr) {
      prune = either_of(prune, one);
      continue;
    }
    // Decided when the steps are carried out. What is mounted below is planned before that.
    if (host_.enters_mounts && host_.enters_mounts(paths_of_roots(), unlimited_depth, stays_)) {
      throw Untranslatable{"-prune"};
    }
    condition = either_of(condition, loosened(one, false));
  }
  if (min_depth_) {
    // find applies no test, -prune included, to entries above -mindepth.
    const Test deep{.field = "depth", .values = {">=" + std::to_string(*min_depth_)}};
    prune = both_of({.kind = Kind::test, .test = deep}, prune);
  }
  search.where = made(std::move(condition));
  search.prune = made(std::move(prune));
  const FindStep& first = reached_.front().action.step;
  const bool filters = is_filter() && !contents_first && !is_sorted_ && !is_safe_;
  if (filters) {
    top = reached_.front().action;
    search.end = first.end;
  }
  if (!filters || first.kind != FindStep::Kind::print) {
    search.steps = [top = std::move(top), contents_first, is_sorted = is_sorted_,
                    follows = follows_](const query::Meaning& meaning) {
      return FindSteps{step_of(top, meaning), contents_first, is_sorted, follows};
    };
  }
  search.roots = paths_of_roots();
  if (!roots_file_.empty()) search.roots_file = roots_file_;
  search.scope.list_roots = true;
  search.scope.follow = follows_;
  search.scope.follow_roots = follows_roots_;
  search.scope.mounts = stays_ ? Scope::Mounts::of_device : Scope::Mounts::all;
  search.scope.cross_volumes = search.scope.network = !stays_;
  search.scope.min_depth = min_depth_.value_or(0);
  search.scope.max_depth = max_depth_.value_or(unlimited_depth);
  return search;
}

FindSearch read_find(const Words& words, const Host& host) {
  FindLine line(words, host, Reading::run);
  try {
    FindSearch search = line.search();
    search.doubt = line.doubt();
    return search;
  } catch (const Untranslatable& failure) {
    return {.error = failure.error,
            .culprit = failure.culprit.empty() ? line.culprit() : failure.culprit};
  }
}

Translation translate_find(const Words& words, const Host& host) {
  FindLine line(words, host);
  try {
    cli::Options options = line.translate();
    return {std::move(options), {}, line.doubt()};
  } catch (const Untranslatable& failure) {
    return {{}, failure.culprit.empty() ? line.culprit() : failure.culprit};
  }
}

}  // namespace ffind::foreign
