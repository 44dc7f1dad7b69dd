// SPDX-License-Identifier: MIT
// Operations on expressions: three-valued evaluation, combination of bounds, and the spelling of
// values in the expression language. The tree, and the operations that other rooms call (optimise,
// bound_of, needs_of), are declared in ffind/query.h.
//
// An expression is true, false or unknown of an entry: an attribute that cannot be read makes
// neither a test nor its negation true (Kleene's logic). `evaluate<value>` computes whether an
// expression is certainly `value`, from the tests' results for the same question. Below a negation
// the opposite value is evaluated, so `all` acts as a conjunction for true and as a disjunction for
// false, and `any` the other way round.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "ffind/query.h"
#include "text/ranges.h"

namespace ffind::query {

/// `answers` defines the type of the result, Answer, and computes it for
///   test<value>(test)    a single test,
///   every(operands, of)  operands that must all be `value`,
///   some(operands, of)   operands of which one must be `value`;
/// `of(operand)` returns the result of an operand.
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

/// Boolean results, with short-circuit evaluation.
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

/// Returns a bound that is satisfied by whatever satisfies both `a` and `b`.
Bound meet(Bound a, const Bound& b);

/// Returns a bound that is satisfied by whatever satisfies `a` or `b`.
Bound join(Bound a, const Bound& b);

/// Returns `text` in double quotes. Quotes and backslashes are escaped, and so are, as \xNN,
/// control characters and bytes that are not UTF-8: the result can be printed, stored as JSON and
/// typed again.
std::string quoted(std::string_view text);
/// True for keywords, which have to be quoted as values: and, or, not, in; in any case.
bool is_word_of_the_language(std::string_view text);
/// Returns `text` unquoted if it consists of letters, digits and . _ - + and is no keyword.
std::string bare_or_quoted(std::string_view text);

/// "type = file", "type in (file, fifo)"; `word` returns the spelling of a value.
template <typename Values, typename Word>
std::string equality_text(std::string_view field, const Values& values, Word word) {
  std::string list;
  for (const auto& value : values) {
    if (!list.empty()) list += ", ";
    list += word(value);
  }
  const std::string name(field);
  return values.size() == 1 ? name + " = " + list : name + " in (" + list + ')';
}

/// "size = 1..5", "size >= 7"; "false" for an empty range. Parsing the result returns exactly the
/// same range, to the byte and the nanosecond.
template <typename T>
std::string range_text(std::string_view field, const text::Range<T>& range);

}  // namespace ffind::query
