// SPDX-License-Identifier: MIT
// The one way in which an expression is evaluated. Called by the matcher (does it hold, what is
// decided already) and by the bound; knows no test.
//
// An expression is true, false or unknown of an entry: what cannot be read, or has not been yet,
// makes neither a test nor its negation true (Kleene's logic). Nobody needs all three at once: each
// caller wants to know whether the expression is surely `value`, true or false, and gets an answer
// made of the tests' answers to that. Below a negation the question is the other one.
#pragma once

#include <algorithm>
#include <vector>

#include "ffind/query.h"

namespace ffind::query {

/// `answers` has the type Answer and says what
///   test<value>(test)    one test answers,
///   every(operands, of)  answers there are where all operands must be `value`,
///   some(operands, of)   ... and where one of them is enough,
/// `of` being what makes an operand's answer.
template <bool value, typename Answers>
typename Answers::Answer evaluate(const Expression& expression, Answers answers) {
  const auto of = [answers](const Expression& operand) {
    return evaluate<value>(operand, answers);
  };
  switch (expression.op) {
    case Expression::Op::test:
      return answers.template test<value>(*expression.test);
    case Expression::Op::negation:
      return evaluate<!value>(expression.operands.front(), answers);
    case Expression::Op::all:
      return value ? answers.every(expression.operands, of) : answers.some(expression.operands, of);
    case Expression::Op::any:
      break;
  }
  return value ? answers.some(expression.operands, of) : answers.every(expression.operands, of);
}

/// For answers that are yes or no: no more operands are evaluated than decide it.
struct YesOrNo {
  using Answer = bool;

  template <typename Of>
  static bool every(const std::vector<Expression>& operands, Of of) {
    return std::all_of(operands.begin(), operands.end(), of);
  }
  template <typename Of>
  static bool some(const std::vector<Expression>& operands, Of of) {
    return std::any_of(operands.begin(), operands.end(), of);
  }
};

}  // namespace ffind::query
