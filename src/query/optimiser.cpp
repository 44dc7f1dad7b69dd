// SPDX-License-Identifier: MIT
// The optimiser: same meaning, less work. Flattens, folds constants, drops repetitions, and puts
// first what is cheap. Called by Matcher; pure.
#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "ffind/matcher.h"

namespace ffind {
namespace {

/// What a need costs the kernel, in nanoseconds, measured warm on ext4; only the order counts.
int cost_of_needs(Needs needs) {
  int cost = 0;
  if ((needs & (needs::relative_path | needs::absolute_path)) != 0) cost += 20;
  // Nearly every file system gives the type with the name; behind names all the same.
  if ((needs & needs::type) != 0) cost += 100;
  if ((needs & needs::metadata & ~needs::type) != 0) cost += 1'000;
  constexpr Needs calls = needs::target | needs::target_mode | needs::target_type |
                          needs::capabilities | needs::readable | needs::writable |
                          needs::runnable | needs::children;
  if ((needs & calls) != 0) cost += 2'000;
  if ((needs & (needs::finder | needs::attributes)) != 0) cost += 5'000;
  if ((needs & needs::empty) != 0) cost += 10'000;
  if ((needs & needs::contents) != 0) cost += 100'000;
  return cost;
}

/// Of some thousand files' contents more than an int holds.
std::int64_t cost_of(const Expression& expression) {
  if (expression.op == Expression::Op::test) {
    return std::int64_t{expression.test->cost()} + cost_of_needs(expression.test->needs());
  }
  std::int64_t cost = 0;
  for (const Expression& operand : expression.operands) cost += cost_of(operand);
  return cost;
}

bool is_junction(Expression::Op op) {
  return op == Expression::Op::all || op == Expression::Op::any;
}

Expression constant(bool value) {
  return value ? Expression::all({}) : Expression::any({});
}

Expression optimise_negation(Expression expression) {
  Expression operand = optimise(std::move(expression.operands.front()));
  if (operand.always() || operand.never()) return constant(operand.never());
  if (operand.op == Expression::Op::negation) return std::move(operand.operands.front());
  return Expression::negation(std::move(operand));
}

std::string_view family_of(const Expression& operand) {
  return operand.op == Expression::Op::test ? operand.test->family() : std::string_view();
}

/// `kind = image or kind = video` looks a name up once. All of a family at once: one by one, 4,000
/// extensions took 11 s.
void join_families(std::vector<Expression>& operands) {
  std::map<std::string_view, std::vector<const Test*>> families;
  for (const Expression& operand : operands) {
    const std::string_view family = family_of(operand);
    if (!family.empty()) families[family].push_back(operand.test.get());
  }
  std::vector<Expression> joined;
  for (Expression& operand : operands) {
    const auto found = families.find(family_of(operand));
    if (found == families.end() || found->second.size() == 1) {
      joined.push_back(std::move(operand));
    } else if (found->second.front() == operand.test.get()) {
      joined.push_back(Expression::of(operand.test->either(found->second)));
    }
  }
  operands = std::move(joined);
}

void drop_repeated(std::vector<Expression>& operands) {
  std::unordered_set<std::string> texts;
  const auto is_known = [&](const Expression& one) { return !texts.insert(to_text(one)).second; };
  operands.erase(std::remove_if(operands.begin(), operands.end(), is_known), operands.end());
}

void put_cheap_first(std::vector<Expression>& operands) {
  std::vector<std::pair<std::int64_t, Expression>> priced;
  priced.reserve(operands.size());
  for (Expression& operand : operands) {
    const std::int64_t cost = cost_of(operand);
    priced.emplace_back(cost, std::move(operand));
  }
  std::stable_sort(priced.begin(), priced.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (std::size_t i = 0; i < priced.size(); ++i) operands[i] = std::move(priced[i].second);
}

Expression optimise_junction(Expression expression) {
  const bool is_all = expression.op == Expression::Op::all;
  std::vector<Expression> operands;
  for (Expression& part : expression.operands) {
    Expression operand = optimise(std::move(part));
    if (operand.always() || operand.never()) {
      // In `all` true changes nothing and false decides; in `any` the other way round.
      if (operand.always() == is_all) continue;
      return constant(!is_all);
    }
    if (operand.op != expression.op) {
      operands.push_back(std::move(operand));
      continue;
    }
    for (Expression& nested : operand.operands) operands.push_back(std::move(nested));
  }
  drop_repeated(operands);
  if (!is_all) join_families(operands);
  if (operands.size() == 1) return std::move(operands.front());
  put_cheap_first(operands);
  return is_all ? Expression::all(std::move(operands)) : Expression::any(std::move(operands));
}

}  // namespace

Expression optimise(Expression expression) {
  if (is_junction(expression.op)) return optimise_junction(std::move(expression));
  if (expression.op == Expression::Op::negation) return optimise_negation(std::move(expression));
  return expression;
}

bool narrows(const Expression& expression) {
  const auto one_does = [](const Expression& operand) { return narrows(operand); };
  const auto& operands = expression.operands;
  switch (expression.op) {
    case Expression::Op::test:
      return expression.test->narrows();
    case Expression::Op::all:
      return std::any_of(operands.begin(), operands.end(), one_does);
    case Expression::Op::any:
      return std::all_of(operands.begin(), operands.end(), one_does);
    case Expression::Op::negation:
      break;
  }
  return true;
}

Needs needs_of(const Expression& expression) {
  if (expression.op == Expression::Op::test) return expression.test->needs();
  Needs needs = needs::none;
  for (const Expression& operand : expression.operands) needs |= needs_of(operand);
  return needs;
}

}  // namespace ffind
