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
#include <string>
#include <string_view>
#include <vector>

#include "ffind/bound.h"
#include "ffind/query.h"
#include "text/ranges.h"

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

/// What satisfies both satisfies this.
Bound meet(Bound a, const Bound& b);

/// What satisfies one of them satisfies this.
Bound join(Bound a, const Bound& b);

/// In double quotes, with \" \\ and \xNN for what would steer a terminal or is not UTF-8, so that
/// the text survives being printed, put into JSON and typed again.
std::string quoted(std::string_view text);
/// Whether `text`, in any case, is one of those that a bare value must not be: and, or, not, in.
bool is_word_of_the_language(std::string_view text);
/// As it is where no quotes are needed: letters, digits and . _ - +
std::string bare_or_quoted(std::string_view text);

/// "type = file", "type in (file, fifo)"; `word` spells a value.
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

/// "size = 1..5", "size >= 7"; "false" for a range that holds nothing. Read again, it is the same
/// range to the byte and the nanosecond.
std::string range_text(std::string_view field, const text::SizeRange& range);
std::string range_text(std::string_view field, const text::TimeRange& range);
std::string range_text(std::string_view field, const text::DepthRange& range);

}  // namespace ffind::query
