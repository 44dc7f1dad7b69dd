// SPDX-License-Identifier: MIT
// The matcher: a query made ready to judge entries. On the way of every entry; knows no disk.
#include "ffind/matcher.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "query/packages.h"

namespace ffind {
namespace {

/// In their order: of operands that must all hold the least decides, of others the most.
enum class Answer : std::uint8_t { no, unknown, yes };

Answer negated(Answer answer) {
  if (answer == Answer::unknown) return answer;
  return answer == Answer::no ? Answer::yes : Answer::no;
}

/// The answers of `ask` to the operands taken together, as far as they decide.
template <typename Ask>
Answer together(const Expression& expression, Ask ask) {
  const bool all = expression.op == Expression::Op::all;
  Answer answer = all ? Answer::yes : Answer::no;
  for (const Expression& operand : expression.operands) {
    const Answer next = ask(operand);
    answer = all ? std::min(answer, next) : std::max(answer, next);
    if (answer == (all ? Answer::no : Answer::yes)) break;
  }
  return answer;
}

/// As `holds`, but tells what does not hold from what cannot be known, of a file that could not be
/// read for one. Asked below a negation only.
Answer answer_of(const Expression& expression, Entry& entry) {
  switch (expression.op) {
    case Expression::Op::test:
      if (expression.test->holds(entry)) return Answer::yes;
      if (entry.failed == needs::none) return Answer::no;
      return (expression.test->decisive_needs(entry) & entry.failed) != 0 ? Answer::unknown
                                                                          : Answer::no;
    case Expression::Op::negation:
      return negated(answer_of(expression.operands.front(), entry));
    case Expression::Op::all:
    case Expression::Op::any:
      return together(expression,
                      [&](const Expression& operand) { return answer_of(operand, entry); });
  }
  return Answer::unknown;
}

bool holds(const Expression& expression, Entry& entry) {
  switch (expression.op) {
    case Expression::Op::test:
      return expression.test->holds(entry);
    case Expression::Op::negation:
      return answer_of(expression.operands.front(), entry) == Answer::no;
    case Expression::Op::all:
      return std::all_of(expression.operands.begin(), expression.operands.end(),
                         [&](const Expression& operand) { return holds(operand, entry); });
    case Expression::Op::any:
      return std::any_of(expression.operands.begin(), expression.operands.end(),
                         [&](const Expression& operand) { return holds(operand, entry); });
  }
  return false;
}

/// What `holds` would say, as far as what the entry holds decides it.
Answer known_answer(const Expression& expression, Entry& entry) {
  switch (expression.op) {
    case Expression::Op::test:
      if ((expression.test->needs() & ~entry.present) != 0) return Answer::unknown;
      return expression.test->holds(entry) ? Answer::yes : Answer::no;
    case Expression::Op::negation:
      return negated(known_answer(expression.operands.front(), entry));
    case Expression::Op::all:
    case Expression::Op::any:
      return together(expression,
                      [&](const Expression& operand) { return known_answer(operand, entry); });
  }
  return Answer::unknown;
}

bool is_directory(Entry& entry) {
  if (entry.type == FileType::unknown) entry.require(needs::type);
  return entry.type == FileType::directory;
}

}  // namespace

Matcher::Matcher(const Query& query)
    : where_(optimise(query.where)), scope_(query.scope), needs_(needs::none) {
  scope_.exclude = optimise(std::move(scope_.exclude));
  scope_.prune = optimise(std::move(scope_.prune));
  needs_ = needs_of(where_) | needs_of(scope_.exclude) | needs_of(scope_.prune);
  if (scope_.skip_packages) needs_ |= needs::bundle;
  if (scope_.gitignore.heeded) needs_ |= needs::type;  // rules may be for directories only
}

bool Matcher::excluded(Entry& entry) const {
  // What was named as a root was asked for, whatever it is called.
  if (entry.depth == 0) return false;
  if (scope_.skip_hidden && entry.name.front() == '.') return true;
  return !scope_.exclude.never() && holds(scope_.exclude, entry);
}

/// Whether a directory is listed at most. What costs a call is asked last.
bool Matcher::stays_shut(Entry& entry) const {
  const bool skip_package = scope_.skip_packages && entry.depth > 0;
  if (skip_package && has_package_extension(entry.name)) return true;
  if (!scope_.prune.never() && holds(scope_.prune, entry)) return true;
  return skip_package && entry.require(needs::bundle) && entry.bundle;
}

Verdict Matcher::judge(Entry& entry) const {
  if (excluded(entry)) return {};
  Verdict verdict;
  verdict.descend = entry.depth < scope_.max_depth && is_directory(entry) && !stays_shut(entry);
  verdict.emit = entry.depth >= scope_.min_depth && holds(where_, entry);
  return verdict;
}

bool Matcher::emits(Entry& entry) const {
  return !excluded(entry) && entry.depth >= scope_.min_depth && holds(where_, entry);
}

bool Matcher::may_emit(Entry& entry) const {
  if (scope_.skip_hidden && entry.name.front() == '.') return false;
  return known_answer(where_, entry) != Answer::no &&
         (scope_.exclude.never() || known_answer(scope_.exclude, entry) != Answer::yes);
}

Bound Matcher::bound() const {
  Bound bound = bound_of(where_);
  if (scope_.follow) {
    // Of a link the name is its own, and all else is what it leads to.
    Bound name;
    name.name_contains = std::move(bound.name_contains);
    return name;
  }
  return bound;
}

bool Matcher::descends(Entry& entry) const {
  return entry.depth < scope_.max_depth && !excluded(entry) && !stays_shut(entry);
}

}  // namespace ffind
