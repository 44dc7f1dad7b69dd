// SPDX-License-Identifier: MIT
// The bound of an expression: what all its matches have in common. Called by Matcher; pure.
#include <algorithm>
#include <utility>
#include <vector>

#include "ffind/matcher.h"
#include "query/bound.h"
#include "query/evaluate.h"

namespace ffind {

// Of two texts that a name contains the longer is kept: it is found in fewer names.
Bound query::meet(Bound a, const Bound& b) {
  if (b.name_contains.size() > a.name_contains.size()) a.name_contains = b.name_contains;
  a.types &= b.types;
  a.least_size = std::max(a.least_size, b.least_size);
  a.most_size = std::min(a.most_size, b.most_size);
  a.first_modified = std::max(a.first_modified, b.first_modified);
  a.last_modified = std::min(a.last_modified, b.last_modified);
  a.most_depth = std::min(a.most_depth, b.most_depth);
  return a;
}

Bound query::join(Bound a, const Bound& b) {
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

namespace {

struct Bounds {
  using Answer = Bound;

  /// Of what a test does not hold for nothing is known.
  template <bool value>
  static Bound test(const Test& test) {
    return value ? test.bound() : Bound{};
  }

  template <typename Of>
  static Bound every(const std::vector<Expression>& operands, Of of) {
    Bound bound;
    for (const Expression& operand : operands) bound = query::meet(std::move(bound), of(operand));
    return bound;
  }

  template <typename Of>
  static Bound some(const std::vector<Expression>& operands, Of of) {
    if (operands.empty()) return {};
    // Each operand once: twice at each of 50 levels would never end.
    auto operand = operands.begin();
    Bound bound = of(*operand);
    while (++operand != operands.end()) bound = query::join(std::move(bound), of(*operand));
    return bound;
  }
};

}  // namespace

Bound bound_of(const Expression& expression) {
  return query::evaluate<true>(expression, Bounds{});
}

}  // namespace ffind
