// SPDX-License-Identifier: MIT
// Expressions: construction, spelling, bounds and optimisation of trees of tests.
//
// All of it works on the interface of Test (ffind/query.h) and knows no test in particular. The
// optimiser rewrites a tree without changing its value for any entry:
//
//     a and (b and c)             a and b and c        nested junctions are flattened
//     a and true, not (not a)     a                    constants are folded, negations cancelled
//     a or b or a                 a or b               repetitions, recognised by their text
//     ext = c or ext = h          ext in (c, h)        tests of one family become one test
//     contents ~ x and size > 1   size > 1 and ...     sorted by cost, system calls included
//
// An expression is as deep as the parser permits (100 levels), so recursion is safe here.
#include "query/expression.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "ffind/query.h"
#include "text/ascii.h"
#include "text/format.h"
#include "text/problem.h"
#include "text/times.h"

namespace ffind {
namespace {

/// Parentheses are written around every junction that is an operand of another (`inside`), needed
/// or not: a or (b and c) reads without rules of precedence.
void append_text(std::string& text, const Expression& expression, bool inside) {
  const std::vector<Expression>& operands = expression.operands;
  if (expression.op == Expression::Op::test) {
    text += expression.test->text();
    return;
  }
  if (expression.op == Expression::Op::negation) {
    text += "not ";
    append_text(text, operands.front(), true);
    return;
  }
  const bool is_all = expression.op == Expression::Op::all;
  if (operands.empty()) text += is_all ? "true" : "false";
  const bool in_parentheses = inside && operands.size() > 1;
  if (in_parentheses) text += '(';
  for (const Expression& operand : operands) {
    if (&operand != operands.data()) text += is_all ? " and " : " or ";
    append_text(text, operand, inside || operands.size() > 1);
  }
  if (in_parentheses) text += ')';
}

}  // namespace

bool Test::is_unknown(const Entry& entry) const {
  // Failures of attributes that this test does not read do not count, nor do those of a type that
  // it rejects without reading.
  if ((needs() & entry.failed) == 0) return false;
  return entry.type == FileType::unknown || (bound().types & bit_of(entry.type)) != 0;
}

Expression Expression::of(std::shared_ptr<const Test> test) {
  return {.op = Op::test, .test = std::move(test)};
}

Expression Expression::all(std::vector<Expression> operands) {
  return {.op = Op::all, .operands = std::move(operands)};
}

Expression Expression::any(std::vector<Expression> operands) {
  return {.op = Op::any, .operands = std::move(operands)};
}

Expression Expression::negation(Expression operand) {
  Expression negated{.op = Op::negation};
  negated.operands.push_back(std::move(operand));
  return negated;
}

// The inverse of parse_expression. `not` binds closer than `and`, so it takes parentheses only
// around a junction: not (a or b), not a.
std::string to_text(const Expression& expression) {
  std::string text;
  append_text(text, expression, false);
  return text;
}

// Conjunction: each member becomes the stricter of the two. The longer of two texts is kept, since
// fewer names contain it; a bound has room for one.
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

// Disjunction: each member becomes the looser of the two. A text is kept only if both contain it:
// "report.pdf" and "report" become "report", "pdf" and "doc" nothing.
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

/// Answers of evaluate() for bounds. `not (a or b)` is bounded by nothing: the tests are evaluated
/// for false, and a bound says only when a test may be true.
struct Bounds {
  using Answer = Bound;

  /// A test has no bound for the entries for which it is false.
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
    // Evaluate each operand once: twice at each of 50 levels would never end.
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

namespace {

/// Nanoseconds that loading an attribute takes, measured warm on ext4. Only their order matters.
///
///     paths        put together from the names of the parents
///     type         usually in the records of the directory
///     metadata     one stat, whatever it returns
///     calls        one readlink, getxattr, access, look-up or stat that follows
///     attributes   several calls
///     empty        opens and reads a directory
///     contents     opens and reads a file
int cost_of_needs(Needs needs) {
  int cost = 0;
  if ((needs & (needs::relative_path | needs::absolute_path)) != 0) cost += 20;
  // Nearly every file system returns the type with the name. Tests of names still come first.
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

/// Cost of a whole tree, as if all operands were evaluated. 64 bits, since some thousand tests of
/// contents exceed an int.
std::int64_t cost_of(const Expression& expression) {
  if (expression.op == Expression::Op::test) {
    return std::int64_t{expression.test->cost()} + cost_of_needs(expression.test->needs());
  }
  std::int64_t cost = 0;
  for (const Expression& operand : expression.operands) cost += cost_of(operand);
  return cost;
}

/// `all` and `any` without operands.
Expression constant(bool value) {
  return value ? Expression::all({}) : Expression::any({});
}

/// Folds not true to false and not not a to a. Negations are not moved into junctions: evaluate()
/// does that.
Expression optimise_negation(Expression expression) {
  Expression operand = optimise(std::move(expression.operands.front()));
  if (operand.always() || operand.never()) return constant(operand.never());
  if (operand.op == Expression::Op::negation) return std::move(operand.operands.front());
  return Expression::negation(std::move(operand));
}

/// Empty for anything but a test, and for tests that cannot be merged.
std::string_view family_of(const Expression& operand) {
  return operand.op == Expression::Op::test ? operand.test->family() : std::string_view();
}

/// Replaces the tests of each family by one: `kind = image or kind = video` looks a name up once.
/// All tests of a family are merged at once; one by one, 4,000 extensions took 11 s.
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

/// Drops operands with the text of an earlier one. Texts are equal only if the expressions are,
/// since they can be parsed back.
void drop_repeated(std::vector<Expression>& operands) {
  std::unordered_set<std::string> texts;
  const auto is_known = [&](const Expression& one) { return !texts.insert(to_text(one)).second; };
  operands.erase(std::remove_if(operands.begin(), operands.end(), is_known), operands.end());
}

/// Stable, so that tests of equal cost stay in the order in which they were typed. Each cost is
/// computed once, not at each comparison.
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

/// Optimises the operands, then the junction: constants, flattening, repetitions, families, order.
/// Only `any` merges families: a set of extensions is a disjunction.
Expression optimise_junction(Expression expression) {
  const bool is_all = expression.op == Expression::Op::all;
  std::vector<Expression> operands;
  for (Expression& part : expression.operands) {
    Expression operand = optimise(std::move(part));
    if (operand.always() || operand.never()) {
      // In `all`, true is neutral and false decides; in `any` the other way round.
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
  if (expression.op == Expression::Op::test) return expression;
  if (expression.op == Expression::Op::negation) return optimise_negation(std::move(expression));
  return optimise_junction(std::move(expression));
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

bool selects(const Expression& expression) {
  const auto one_does = [](const Expression& operand) { return selects(operand); };
  const auto& operands = expression.operands;
  if (expression.op == Expression::Op::test) return expression.test->selects();
  if (expression.op == Expression::Op::any) {
    return std::all_of(operands.begin(), operands.end(), one_does);
  }
  return std::any_of(operands.begin(), operands.end(), one_does);
}

Needs needs_of(const Expression& expression) {
  if (expression.op == Expression::Op::test) return expression.test->needs();
  Needs needs = needs::none;
  for (const Expression& operand : expression.operands) needs |= needs_of(operand);
  return needs;
}

// Words in the order of each enumeration.
std::string_view to_text(Method method) {
  constexpr std::string_view words[] = {"auto", "walk", "catalog"};
  return words[static_cast<std::size_t>(method)];
}

std::string_view to_text(Reader reader) {
  constexpr std::string_view words[] = {"auto", "getdents", "readdir", "fts", "bulk"};
  return words[static_cast<std::size_t>(reader)];
}

std::string_view to_text(FileType type) {
  constexpr std::string_view words[] = {"unknown", "file",   "directory", "symlink",
                                        "fifo",    "socket", "block",     "char"};
  return words[static_cast<std::size_t>(type)];
}

}  // namespace ffind

namespace ffind::query {
namespace {

/// RFC 3339 in UTC, or seconds since 1970 for years that it does not have, without trailing zeros
/// of the fraction. A single nanosecond (`exact`) keeps them: without a fraction it would mean the
/// whole second.
std::string timestamp(Instant time, bool exact) {
  const bool has_date = text::has_date(time);
  std::string text;
  if (has_date) {
    text::append_rfc3339(text, time);
    text.pop_back();  // the Z
  } else {
    text::append_epoch(text += '@', time);
  }
  const std::size_t point = text.size() - 10;
  const std::size_t last = text.find_last_not_of('0');
  if (last > point) {
    text.resize(last + 1);
  } else if (!exact) {
    text.resize(point);
  }
  return has_date ? text += 'Z' : text;
}

template <typename T>
std::string spelt(T value, bool exact) {
  if constexpr (std::is_unsigned_v<T>) {
    return std::to_string(value);
  } else {
    return timestamp(value, exact);
  }
}

/// True for characters that a bare value may have without being read otherwise.
bool is_plain(char character) {
  constexpr std::string_view others = "._-+";
  return text::is_letter_or_digit(character) || others.find(character) != std::string_view::npos;
}

}  // namespace

std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (std::size_t at = 0; at < text.size();) {
    // Empty for a control character and for a byte that is not UTF-8: one byte is escaped.
    const std::string_view character = text::plain_character_at(text, at);
    if (character.empty()) {
      result += "\\x";
      text::append_hex(result, static_cast<unsigned char>(text[at]), 2);
      at += 1;
      continue;
    }
    if (character == "\"" || character == "\\") result += '\\';
    result += character;
    at += character.size();
  }
  return result += '"';
}

bool is_word_of_the_language(std::string_view text) {
  const std::string word = text::fold_ascii(text.substr(0, 4));
  return text.size() < 4 && (word == "and" || word == "or" || word == "not" || word == "in");
}

std::string bare_or_quoted(std::string_view text) {
  const bool is_bare = !text.empty() && std::all_of(text.begin(), text.end(), is_plain);
  return is_bare && !is_word_of_the_language(text) ? std::string(text) : quoted(text);
}

// In order: nothing, a single value, a..b, and one open end. A range that is open at both ends
// becomes `>=` its lowest value, which is true of every value as well.
template <typename T>
std::string range_text(std::string_view field, const text::Range<T>& range) {
  const bool has_first = range.first != std::numeric_limits<T>::min();
  const bool has_last = range.last != std::numeric_limits<T>::max();
  if (range.first > range.last) return "false";
  const std::string first = spelt(range.first, false);
  const std::string last = spelt(range.last, true);
  if (range.first == range.last) return text::format("{} = {}", field, last);
  if (has_first && has_last) return text::format("{} = {}..{}", field, first, last);
  return has_last ? text::format("{} <= {}", field, last) : text::format("{} >= {}", field, first);
}
template std::string range_text(std::string_view field, const text::SizeRange& range);
template std::string range_text(std::string_view field, const text::TimeRange& range);
template std::string range_text(std::string_view field, const text::DepthRange& range);

}  // namespace ffind::query
