// SPDX-License-Identifier: MIT
// The optimiser: same meaning, less work. Flattens, folds constants, drops repetitions, and puts
// first what is cheap. Called by Matcher; pure.
#include <algorithm>
#include <utility>

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
  if ((needs & (needs::target | needs::target_mode | needs::capabilities)) != 0) cost += 2'000;
  if ((needs & (needs::finder | needs::attributes)) != 0) cost += 5'000;
  if ((needs & needs::empty) != 0) cost += 10'000;
  if ((needs & needs::contents) != 0) cost += 100'000;
  return cost;
}

int cost_of(const Expression& expression) {
  if (expression.op == Expression::Op::test) {
    return expression.test->cost() + cost_of_needs(expression.test->needs());
  }
  int cost = 0;
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

/// `kind = image or kind = video` looks a name up once.
bool joined(std::vector<Expression>& operands, const Expression& operand) {
  if (operand.op != Expression::Op::test) return false;
  for (Expression& other : operands) {
    if (other.op != Expression::Op::test) continue;
    if (auto both = other.test->either(*operand.test)) {
      other.test = std::move(both);
      return true;
    }
  }
  return false;
}

void add_operand(std::vector<Expression>& operands, Expression operand, bool is_all) {
  if (!is_all && joined(operands, operand)) return;
  const std::string text = to_text(operand);
  const bool known = std::any_of(operands.begin(), operands.end(),
                                 [&](const Expression& other) { return to_text(other) == text; });
  if (!known) operands.push_back(std::move(operand));
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
      add_operand(operands, std::move(operand), is_all);
      continue;
    }
    for (Expression& nested : operand.operands) add_operand(operands, std::move(nested), is_all);
  }
  if (operands.size() == 1) return std::move(operands.front());
  std::stable_sort(operands.begin(), operands.end(), [](const Expression& a, const Expression& b) {
    return cost_of(a) < cost_of(b);
  });
  return is_all ? Expression::all(std::move(operands)) : Expression::any(std::move(operands));
}

}  // namespace

Expression optimise(Expression expression) {
  if (is_junction(expression.op)) return optimise_junction(std::move(expression));
  if (expression.op == Expression::Op::negation) return optimise_negation(std::move(expression));
  return expression;
}

Needs needs_of(const Expression& expression) {
  if (expression.op == Expression::Op::test) return expression.test->needs();
  Needs needs = needs::none;
  for (const Expression& operand : expression.operands) needs |= needs_of(operand);
  return needs;
}

}  // namespace ffind
