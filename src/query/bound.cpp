// SPDX-License-Identifier: MIT
// The bound of an expression: what all its matches have in common. Called by Matcher; pure.
#include <algorithm>
#include <utility>

#include "ffind/matcher.h"
#include "query/bound.h"

namespace ffind {

// Of two texts that a name contains the longer is kept: it is found in fewer names.
Bound meet(Bound a, const Bound& b) {
  if (b.name_contains.size() > a.name_contains.size()) a.name_contains = b.name_contains;
  a.types &= b.types;
  a.least_size = std::max(a.least_size, b.least_size);
  a.most_size = std::min(a.most_size, b.most_size);
  a.first_modified = std::max(a.first_modified, b.first_modified);
  a.last_modified = std::min(a.last_modified, b.last_modified);
  a.most_depth = std::min(a.most_depth, b.most_depth);
  return a;
}

Bound join(Bound a, const Bound& b) {
  if (a.name_contains.find(b.name_contains) != std::string::npos) {
    a.name_contains = b.name_contains;
  } else if (b.name_contains.find(a.name_contains) == std::string::npos) {
    a.name_contains.clear();
  }
  a.types |= b.types;
  a.least_size = std::min(a.least_size, b.least_size);
  a.most_size = std::max(a.most_size, b.most_size);
  a.first_modified = std::min(a.first_modified, b.first_modified);
  a.last_modified = std::max(a.last_modified, b.last_modified);
  a.most_depth = std::max(a.most_depth, b.most_depth);
  return a;
}

Bound bound_of(const Expression& expression) {
  switch (expression.op) {
    case Expression::Op::test:
      return expression.test->bound();
    case Expression::Op::negation:
      return {};
    case Expression::Op::all: {
      Bound bound;
      for (const Expression& operand : expression.operands) {
        bound = meet(std::move(bound), bound_of(operand));
      }
      return bound;
    }
    case Expression::Op::any: {
      if (expression.never()) return {};
      // Each operand once: twice at each of 50 levels would never end.
      auto operand = expression.operands.begin();
      Bound bound = bound_of(*operand);
      while (++operand != expression.operands.end()) {
        bound = join(std::move(bound), bound_of(*operand));
      }
      return bound;
    }
  }
  return {};
}

}  // namespace ffind
