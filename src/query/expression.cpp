// SPDX-License-Identifier: MIT
// The expression tree: building it and spelling it as text. Used by everything that makes or shows
// a query; knows no particular test.
#include "ffind/query.h"

#include <utility>

namespace ffind {
namespace {

Expression with_operands(Expression::Op op, std::vector<Expression> operands) {
  Expression expression;
  expression.op = op;
  expression.operands = std::move(operands);
  return expression;
}

void append_text(std::string& text, const Expression& expression, bool inside);

void append_joined(std::string& text, const Expression& expression, std::string_view word,
                   bool inside) {
  if (expression.operands.size() == 1) {
    append_text(text, expression.operands.front(), inside);
    return;
  }
  if (inside) text += '(';
  bool first = true;
  for (const Expression& operand : expression.operands) {
    if (!first) text.append(" ").append(word).append(" ");
    first = false;
    append_text(text, operand, true);
  }
  if (inside) text += ')';
}

void append_text(std::string& text, const Expression& expression, bool inside) {
  switch (expression.op) {
    case Expression::Op::all:
      if (expression.operands.empty()) {
        text += "true";
      } else {
        append_joined(text, expression, "and", inside);
      }
      break;
    case Expression::Op::any:
      if (expression.operands.empty()) {
        text += "false";
      } else {
        append_joined(text, expression, "or", inside);
      }
      break;
    case Expression::Op::negation:
      text += "not ";
      append_text(text, expression.operands.front(), true);
      break;
    case Expression::Op::test:
      text += expression.test->text();
      break;
  }
}

}  // namespace

bool Test::is_unknown(const Entry& entry) const {
  if ((needs() & entry.failed) == 0) return false;
  return entry.type == FileType::unknown || (bound().types & bit_of(entry.type)) != 0;
}

Expression Expression::of(std::shared_ptr<const Test> test) {
  Expression expression;
  expression.op = Op::test;
  expression.test = std::move(test);
  return expression;
}

Expression Expression::all(std::vector<Expression> operands) {
  return with_operands(Op::all, std::move(operands));
}

Expression Expression::any(std::vector<Expression> operands) {
  return with_operands(Op::any, std::move(operands));
}

Expression Expression::negation(Expression operand) {
  std::vector<Expression> operands;
  operands.push_back(std::move(operand));
  return with_operands(Op::negation, std::move(operands));
}

std::string to_text(const Expression& expression) {
  std::string text;
  append_text(text, expression, false);
  return text;
}

}  // namespace ffind
