// SPDX-License-Identifier: MIT
// Conditions of find's actions and prunes, as trees that can be compared part by part. For what is
// left unproved there is no line, so the functions may say "unknown" or "not disjoint" of anything.
#include <algorithm>

#include "foreign/find_line.h"

namespace ffind::foreign {

bool is_false(const Node& node) {
  return node.kind == Kind::any && node.nodes.empty();
}

namespace {

bool is_true(const Node& node) {
  return node.kind == Kind::all && node.nodes.empty();
}

/// The conjunction or disjunction of two conditions, by `kind`. An operand that decides the result
/// (false in a conjunction, true in a disjunction) is the result. Duplicates are left out:
/// quadratic, for a few operands.
Node combined(Kind kind, const Node& one, const Node& other) {
  const bool both = kind == Kind::all;
  Node result{kind, {}, {}, {}};
  for (const Node* const node : {&one, &other}) {
    if (both ? is_false(*node) : is_true(*node)) return *node;
    for (const Node& operand : node->kind == kind ? node->nodes : std::vector{*node}) {
      const bool known =
          std::find(result.nodes.begin(), result.nodes.end(), operand) != result.nodes.end();
      if (!known) result.nodes.push_back(operand);
    }
  }
  return result.nodes.size() == 1 ? Node(result.nodes.front()) : result;
}

}  // namespace

Node both_of(const Node& one, const Node& other) {
  return combined(Kind::all, one, other);
}

Node negated(const Node& node) {
  if (is_true(node)) return nothing_at_all();
  if (is_false(node)) return everything();
  if (node.kind == Kind::negation) return node.nodes.front();
  return {Kind::negation, {node}, {}, {}};
}

std::vector<Node> conjuncts_of(const Node& node) {
  if (node.kind == Kind::all) return node.nodes;
  return {node};
}

bool contains(const std::vector<Node>& nodes, const Node& wanted) {
  return std::find(nodes.begin(), nodes.end(), wanted) != nodes.end();
}

Node either_of(const Node& one, const Node& other) {
  Node rest = everything();
  for (const Node& conjunct : conjuncts_of(other)) {
    if (conjunct.kind == Kind::negation && conjunct.nodes.front() == one) continue;
    rest = both_of(rest, conjunct);
  }
  return combined(Kind::any, one, rest);
}

Node below_roots(const Node& node) {
  switch (node.kind) {
    case Kind::test:
      if (node.test.where == "true") return everything();
      return node.test.where == "false" ? nothing_at_all() : node;
    case Kind::negation:
      return negated(below_roots(node.nodes.front()));
    case Kind::all:
    case Kind::any: {
      Node result{node.kind, {}, {}, {}, {}};
      for (const Node& inner : node.nodes) {
        result = node.kind == Kind::all ? both_of(result, below_roots(inner))
                                        : either_of(result, below_roots(inner));
      }
      return result;
    }
    default:
      return node;
  }
}

std::vector<Node> spread_negations(const std::vector<Node>& conjuncts) {
  std::vector<Node> spread;
  for (const Node& conjunct : conjuncts) {
    if (conjunct.kind != Kind::negation || conjunct.nodes.front().kind != Kind::any) {
      spread.push_back(conjunct);
      continue;
    }
    for (const Node& inner : conjunct.nodes.front().nodes) spread.push_back(negated(inner));
  }
  return spread;
}

bool are_disjoint(const Node& one, const Node& other) {
  const auto refutes = [](const Node& left, const Node& right) {
    const std::vector<Node> facts = conjuncts_of(left);
    if (contains(conjuncts_of(right), negated(left))) return true;
    return std::any_of(facts.begin(), facts.end(), [&](const Node& fact) {
      return contains(conjuncts_of(right), negated(fact));
    });
  };
  return refutes(one, other) || refutes(other, one);
}

Truth inverse(Truth truth) {
  return truth ? Truth(!*truth) : truth;
}

Truth truth_at(const Node& node, std::size_t root) {
  switch (node.kind) {
    case Kind::test:
      return root < node.test.at_roots.size() ? node.test.at_roots[root] : std::nullopt;
    case Kind::negation:
      return inverse(truth_at(node.nodes.front(), root));
    case Kind::all:
    case Kind::any: {
      const Truth decisive = node.kind == Kind::any;
      Truth result = inverse(decisive);
      for (const Node& inner : node.nodes) {
        const Truth truth = truth_at(inner, root);
        if (truth == decisive) return decisive;
        if (!truth) result = truth;
      }
      return result;
    }
    case Kind::prune:
    case Kind::action:
    case Kind::command:
      break;
  }
  return std::nullopt;
}

bool changes_by_deletions(const Node& node) {
  if (node.kind != Kind::test) {
    return std::any_of(node.nodes.begin(), node.nodes.end(), changes_by_deletions);
  }
  for (const std::string_view field :
       {"size", "modified", "changed", "accessed", "links", "empty", "newer_than", "target_type"}) {
    if (node.test.where.find(field) != std::string::npos) return !node.test.is_pattern();
  }
  return false;
}

bool prunes_nothing(const Node& node) {
  const auto never = [](const Node& inner) { return prunes_nothing(inner); };
  switch (node.kind) {
    case Kind::test:
      if (node.test.option == "-t") {
        return node.test.values.front().find('d') == std::string::npos;
      }
      return node.test.option == "--broken" || node.test.option == "--empty" ||
             node.test.field == "target";
    case Kind::all:
      return std::any_of(node.nodes.begin(), node.nodes.end(), never);
    case Kind::any:
      return std::all_of(node.nodes.begin(), node.nodes.end(), never);
    default:
      return false;
  }
}

bool is_file_type(const Node& node) {
  return node.kind == Kind::test && node.test.option == "-t" && node.test.values == Words{"f"};
}

}  // namespace ffind::foreign
