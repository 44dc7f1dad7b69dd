// SPDX-License-Identifier: MIT
// Tree to conditions: the steps of FindLine::search() after the parser. Conditions are trees as
// well. tests/cli/find_lines.py compares random lines with find.
#include <algorithm>
#include <cerrno>
#include <span>
#include <stdexcept>
#include <system_error>

#include "cli/option_table.h"
#include "ffind/query.h"
#include "foreign/find_line.h"
#include "foreign/tables.h"
#include "text/format.h"

namespace ffind::foreign {

namespace {

bool is_false(const Node& node) {
  return node.kind == Kind::any && node.nodes.empty();
}

bool is_true(const Node& node) {
  return node.kind == Kind::all && node.nodes.empty();
}

}  // namespace

Node negated(Node node) {
  if (is_true(node)) return nothing_at_all();
  if (is_false(node)) return everything();
  if (node.kind == Kind::negation) return Node(std::move(node.nodes.front()));
  Node negation{.kind = Kind::negation};
  negation.nodes.push_back(std::move(node));
  return negation;
}

namespace {

// Conditions are kept flat: an `all` has no `all` among its nodes, an `any` no `any`, and no
// operand is there twice. So they can be compared part by part.

/// The terms of a conjunction or disjunction; any other condition is its own only term.
std::span<const Node> operands_of(const Node& node, Kind kind) {
  return node.kind == kind ? std::span(node.nodes) : std::span(&node, 1);
}

bool contains(std::span<const Node> nodes, const Node& wanted) {
  return std::find(nodes.begin(), nodes.end(), wanted) != nodes.end();
}

/// The conjunction or disjunction of two conditions, by `kind`. An operand that decides the result
/// (false in a conjunction, true in a disjunction) is the result. Linear in the operands of `one`,
/// so that a line of a thousand names is quadratic.
Node combined(Kind kind, Node one, const Node& other) {
  const bool both = kind == Kind::all;
  const auto decides = [&](const Node& node) { return both ? is_false(node) : is_true(node); };
  if (decides(one) || decides(other)) return decides(one) ? one : other;
  Node result{.kind = kind};
  if (one.kind == kind) {
    result = std::move(one);
  } else {
    result.nodes.push_back(std::move(one));
  }
  for (const Node& operand : operands_of(other, kind)) {
    if (!contains(result.nodes, operand)) result.nodes.push_back(operand);
  }
  if (result.nodes.size() == 1) return Node(std::move(result.nodes.front()));
  return result;
}

Node both_of(Node one, const Node& other) {
  return combined(Kind::all, std::move(one), other);
}

/// Disjunction of two conditions. `other` is tested only if `one` is false, so its term "not one"
/// is redundant and left out. So `a or (not a and b)` is `a or b`, as find's -o means it.
Node either_of(Node one, const Node& other) {
  Node rest = everything();
  for (const Node& conjunct : operands_of(other, Kind::all)) {
    if (conjunct.kind == Kind::negation && conjunct.nodes.front() == one) continue;
    rest = both_of(std::move(rest), conjunct);
  }
  return combined(Kind::any, std::move(one), rest);
}

Node joined(Kind kind, Node one, const Node& other) {
  return kind == Kind::all ? both_of(std::move(one), other) : either_of(std::move(one), other);
}

/// True if a term of one condition is the negation of a term of the other, or of all of it: then no
/// entry meets both. False proves nothing.
bool are_disjoint(const Node& one, const Node& other) {
  const auto refutes = [](const Node& left, const Node& right) {
    const std::span<const Node> facts = operands_of(left, Kind::all);
    if (contains(operands_of(right, Kind::all), negated(left))) return true;
    return std::any_of(facts.begin(), facts.end(), [&](const Node& fact) {
      return contains(operands_of(right, Kind::all), negated(fact));
    });
  };
  return refutes(one, other) || refutes(other, one);
}

/// True for an action whose value is a condition of its own: a command, and -delete.
bool has_value(const FindStep& step) {
  return (step.kind == FindStep::Kind::command && !step.is_batch) ||
         step.kind == FindStep::Kind::remove;
}

/// True for what can only be evaluated in its place among the actions.
bool has_steps(const Node& node) {
  return node.kind == Kind::action || node.kind == Kind::list || node.kind == Kind::prune ||
         std::any_of(node.nodes.begin(), node.nodes.end(), has_steps);
}

/// Null if there is none.
const Node* first_of(Kind kind, const Node& node) {
  if (node.kind == kind) return &node;
  for (const Node& inner : node.nodes) {
    if (const Node* const found = first_of(kind, inner)) return found;
  }
  return nullptr;
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
      // Known only after it has run, too late for a condition.
      if (!has_value(node.leaf->step)) return everything();
      return {.kind = Kind::command, .leaf = node.leaf};
    case Kind::all:
    case Kind::any:
      break;
  }
  Node truth{.kind = node.kind};
  for (const Node& inner : node.nodes) {
    const Node before = !has_steps(inner)        ? everything()
                        : node.kind == Kind::all ? truth
                                                 : negated(truth);
    truth = joined(node.kind, std::move(truth), run(inner, both_of(reach, before)));
  }
  return truth;
}

/// The file of -files0-from takes the place of roots. Some errors of reading it are known here.
void FindLine::check_roots_file() const {
  if (roots_typed_) {
    refuse(
        text::format("extra operand {}\nfind: file operands cannot be combined with -files0-from",
                     host_.quoted(roots_.front())));
  }
  if (roots_file_ == "-") {
    if (std::any_of(items_.begin(), items_.end(),
                    [](const Item& item) { return item.node.leaf && item.node.leaf->step.asks; })) {
      refuse("option -files0-from reading from standard input cannot be combined with -ok, -okdir");
    }
    return;
  }
  Metadata file{};
  if (const int error = host_.metadata_of(*roots_file_, true, file); error != 0) {
    refuse(text::format("cannot open {} for reading: {}", host_.quoted(*roots_file_),
                        std::generic_category().message(error)));
  }
  if (host_.place_of(*roots_file_ + "/.") != Place::missing) {
    refuse(text::format("{}: read error: {}", host_.quoted(*roots_file_),
                        std::generic_category().message(EISDIR)));
  }
}

/// True if the size that was read last has no unit, and is one of bytes: with BSD's find any -size
/// that has a unit makes it so for all (shell_cmds, find/function.c, divsize).
bool FindLine::counts_bytes() const {
  const auto has_unit = [&](std::size_t i) { return !text::is_digit(words_[i].back()); };
  if (host_.dialect != Dialect::bsd || words_[at_ - 1].empty() || has_unit(at_ - 1)) return false;
  for (std::size_t i = 1; i < words_.size(); ++i) {
    if (words_[i - 1] == "-size" && !words_[i].empty() && has_unit(i)) return true;
  }
  return false;
}

Node FindLine::parse() {
  read_roots();
  while (!at_end() && help_ == FindSearch::Help::none) read_word();
  if (help_ != FindSearch::Help::none) return {};
  if (roots_file_) check_roots_file();
  // find refuses -delete with -prune, unless -depth makes the prune idle.
  const bool has_prune = std::any_of(
      items_.begin(), items_.end(), [](const Item& item) { return item.node.kind == Kind::prune; });
  if (deletes_ && !depth_first_ && has_prune) {
    refuse(
        "The -delete action automatically turns on -depth, but -prune does nothing when -depth is "
        "in effect.  If you want to carry on anyway, just explicitly use the -depth option.");
  }
  culprit_.clear();
  if (deletes_ && links_->are_followed && host_.dialect == Dialect::bsd) {
    refuse("-delete: forbidden when symlinks are followed");
  }
  return join_items();
}

namespace {

/// `test` as find has it in a line that acts: -xtype, -lname, -empty and -fstype look at the entry
/// first, by the one stat of its line. If it is gone by then, they say so and are false.
Expression after_a_look(Expression test) {
  constexpr Needs looks = needs::target | needs::target_type | needs::empty | needs::origin;
  if ((needs_of(test) & looks) == 0) return test;
  const auto any = query::range_test(query::links_row, {0, UINT64_MAX});
  return Expression::all({Expression::of(any), std::move(test)});
}

Expression expression_of(const Node& node, const query::Meaning& meaning, bool acts = false) {
  std::vector<Expression> operands;
  switch (node.kind) {
    case Kind::test:
      return acts ? after_a_look(node.leaf->test(meaning)) : node.leaf->test(meaning);
    case Kind::prune:
      return Expression::all({});
    case Kind::negation:
      return Expression::negation(expression_of(node.nodes.front(), meaning, acts));
    case Kind::all:
    case Kind::any:
      for (const Node& inner : node.nodes) operands.push_back(expression_of(inner, meaning, acts));
      return node.kind == Kind::all ? Expression::all(std::move(operands))
                                    : Expression::any(std::move(operands));
    default:  // of an action: see loosened()
      throw std::logic_error("an action in a condition");
  }
}

MakeTest made(Node node) {
  return [node = std::move(node)](const query::Meaning& meaning) {
    return expression_of(node, meaning);
  };
}

/// The steps of a tree: neighbours without an action are one test.
FindStep step_of(const Node& node, const query::Meaning& meaning, bool acts) {
  if (node.kind == Kind::action) return node.leaf->step;
  if (node.kind == Kind::prune) return {.kind = FindStep::Kind::prune};
  if (!has_steps(node)) {
    return {.kind = FindStep::Kind::test, .test = expression_of(node, meaning, acts)};
  }
  FindStep step{.kind = node.kind == Kind::all        ? FindStep::Kind::all
                        : node.kind == Kind::any      ? FindStep::Kind::any
                        : node.kind == Kind::negation ? FindStep::Kind::negation
                                                      : FindStep::Kind::list};
  Node tests{.kind = node.kind};
  const auto add_tests = [&] {
    if (!tests.nodes.empty()) step.steps.push_back(step_of(tests, meaning, acts));
    tests.nodes.clear();
  };
  const bool joins = node.kind == Kind::all || node.kind == Kind::any;
  for (const Node& inner : node.nodes) {
    if (joins && !has_steps(inner)) {
      tests.nodes.push_back(inner);
    } else {
      add_tests();
      step.steps.push_back(step_of(inner, meaning, acts));
    }
  }
  add_tests();
  return step;
}

/// The condition that is true whenever `node` may be true: the status of a command may be any.
Node loosened(const Node& node, bool positive = true) {
  if (node.kind == Kind::command) return positive ? everything() : nothing_at_all();
  if (node.kind == Kind::negation) return negated(loosened(node.nodes.front(), !positive));
  if (node.nodes.empty()) return node;
  Node result{.kind = node.kind};
  for (const Node& inner : node.nodes) {
    result = joined(node.kind, std::move(result), loosened(inner, positive));
  }
  return result;
}

}  // namespace

/// True if all that the line does is one print for an entry, so that a search which emits what
/// reaches it does the same.
bool FindLine::is_filter() const {
  for (auto reached = reached_.begin(); reached != reached_.end(); ++reached) {
    const FindStep& step = reached->action.leaf->step;
    const FindStep& first = reached_.front().action.leaf->step;
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
  FindSearch search{.help = help_, .warnings = warnings_};
  if (help_ != FindSearch::Help::none) return search;
  const Node truth = run(top, everything());
  for (const Reached& reached : reached_) {
    const FindStep& step = reached.action.leaf->step;
    search.acts = search.acts || !step.file.empty() || step.kind == FindStep::Kind::command ||
                  step.kind == FindStep::Kind::remove;
  }
  // With nothing but -quit, find prints as well.
  if (std::all_of(reached_.begin(), reached_.end(), [](const Reached& reached) {
        const FindStep& step = reached.action.leaf->step;
        return step.kind == FindStep::Kind::quit && !step.status;
      })) {
    Node print = action_node({.kind = FindStep::Kind::print});
    reached_.push_back({truth, print});
    top = {.nodes = {std::move(top), std::move(print)}};
  }
  const bool contents_first = depth_first_ || deletes_;
  Node condition = nothing_at_all();
  for (const Reached& reached : reached_) {
    condition = either_of(condition, loosened(reached.when));
  }
  if (is_safe_) {
    top = {.nodes = {action_node({.kind = FindStep::Kind::safe}), std::move(top)}};
    condition = everything();
  }
  Node prune = nothing_at_all();
  for (const Node& one : prunes_) {
    if (first_of(Kind::command, one) == nullptr) {
      prune = either_of(prune, one);
      continue;
    }
    condition = either_of(condition, loosened(one));  // decided when the steps are carried out
  }
  if (min_depth_) {
    // find applies no test, -prune included, to entries above -mindepth.
    const Expression deep =
        Expression::of(query::range_test(query::depth_row, {*min_depth_, unlimited_depth}));
    prune = both_of(test_node(deep), prune);
  }
  search.where = made(std::move(condition));
  search.prune = made(std::move(prune));
  const FindStep& first = reached_.front().action.leaf->step;
  const bool filters = is_filter() && !contents_first && !is_sorted_ && !is_safe_;
  if (filters) {
    top = reached_.front().action;
    search.end = first.end;
  }
  if (!filters || first.kind != FindStep::Kind::print) {
    std::optional<Scope::Order> order;
    if (contents_first || is_sorted_) order = {contents_first, is_sorted_};
    search.steps = [top = std::move(top), order, acts = search.acts,
                    ignores_vanished = ignores_vanished_,
                    of_bsd = host_.dialect == Dialect::bsd](const query::Meaning& meaning) {
      return FindSteps{step_of(top, meaning, acts), order, ignores_vanished, of_bsd};
    };
  }
  search.returns = host_.dialect == Dialect::gnu;
  search.is_guess = is_guess_;
  if (!roots_file_) search.roots = roots_;
  search.roots_file = roots_file_;
  search.scope.list_roots = search.scope.parents_first = true;
  search.scope.ignores_vanished = ignores_vanished_;
  search.scope.follow = links_->are_followed;
  search.scope.follow_roots = links_->follows_roots;
  search.scope.mounts = stays_ ? Scope::Mounts::of_device : Scope::Mounts::all;
  search.scope.cross_volumes = search.scope.network = !stays_;
  search.scope.min_depth = min_depth_.value_or(0);
  search.scope.max_depth = max_depth_.value_or(unlimited_depth);
  return search;
}

FindSearch read_find(const Words& words, const Host& host) {
  FindLine line(words, host);
  try {
    return line.search();
  } catch (const NotRunnable& failure) {
    return {.warnings = line.warnings(),
            .error = failure.error,
            .culprit = failure.culprit.empty() ? line.culprit() : failure.culprit,
            .has_other_word = failure.is_other_word};
  }
}

bool is_one_volume_of_bsd(const Words& words, std::size_t at, const Host& host) {
  if (words[at] != "-x" || at + 1 == words.size()) return false;
  const std::string& next = words[at + 1];
  const bool has_test = at + 2 < words.size() && is_find_predicate(words[at + 2]);
  return is_directory(host, next) && (has_test || !host.is_program || !host.is_program(next));
}

bool is_of_find(const Words& words, const Host& host) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (is_one_volume_of_bsd(words, i, host)) return true;
    if (lists("-- -x -X --exec --exec-batch", word)) return false;
    if (is_find_predicate(word) && !cli::find_option(word) && !find_foreign(word)) return true;
    if ((word == "!" || word == "(") && words.size() > i + 1 && words[i + 1].starts_with("-")) {
      return true;
    }
    // -g -name searches for "-name".
    if (word.starts_with("-") && word.size() > 1) {
      const cli::OptionRow* const row = cli::find_option(word);
      if (row != nullptr && takes_value(*row)) ++i;
    }
  }
  return false;
}

std::optional<FindSearch> search_of_find(const Words& words, const Host& host) {
  // `-x src lib`, without a test, may be our -x.
  if (!is_of_find(words, host) || std::none_of(words.begin(), words.end(), is_find_predicate)) {
    return std::nullopt;
  }
  FindSearch search = read_find(words, host);
  if (!search.error.empty() || !search.culprit.empty()) return search;
  const auto selects = [](const std::string& word) {
    const Predicate* const row = find_predicate(word);
    return row != nullptr && row->form >= Form::name && row->form < Form::action &&
           row->form != Form::type;
  };
  const auto deletes = [](const std::string& word) {
    const Predicate* const row = find_predicate(word);
    return row != nullptr && row->here == "--delete";
  };
  // Nothing asks before it deletes everything.
  const bool is_sane = std::none_of(words.begin(), words.end(), deletes) ||
                       std::any_of(words.begin(), words.end(), selects);
  // The only root may be meant as a TEXT.
  const bool may_be_text = search.roots.size() == 1 &&
                           search.roots.front().find('/') == std::string::npos &&
                           host.place_of(search.roots.front()) == Place::missing;
  if (!is_sane || may_be_text || search.is_guess) return std::nullopt;
  const auto name = std::find_if(words.begin(), words.end(), [](const std::string& word) {
    return lists("-name -iname", word);
  });
  if (name != words.end() && (name + 1)->find_first_of("*?[\\") == std::string::npos) {
    search.wider = words;
    Words::iterator wider = search.wider.begin() + (name - words.begin());
    *wider = "-iname";
    *++wider = "*" + *(name + 1) + "*";
  }
  return search;
}

}  // namespace ffind::foreign
