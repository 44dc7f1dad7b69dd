// SPDX-License-Identifier: MIT
// The optimiser keeps the meaning and puts cheap tests first.
#include "catch.h"
#include "ffind/query.h"
#include "query/predicates/predicates.h"

namespace optimiser_test {

using namespace ffind;
using namespace ffind::query;

namespace {

Expression contains(const std::string& text) {
  PatternSpec spec;
  spec.text = text;
  return Expression::of(pattern_test(Subject::name, spec));
}

Expression size_over(std::uint64_t bytes) {
  return Expression::of(range_test(size_row, {bytes, std::numeric_limits<std::uint64_t>::max()}));
}

Expression is_file() {
  return Expression::of(type_test({FileType::file}));
}

Expression named(PatternKind kind, const std::string& text) {
  PatternSpec spec;
  spec.kind = kind;
  spec.text = text;
  return Expression::of(pattern_test(Subject::name, spec));
}

/// Counts what it is asked.
struct Counts {
  int texts = 0;
  int costs = 0;
  int joins = 0;
};

class CountedTest final : public Test {
 public:
  CountedTest(Counts& counts, std::string text, std::string_view family, int cost)
      : counts_(counts), text_(std::move(text)), family_(family), cost_(cost) {}
  bool holds(Entry&) const override { return false; }
  Needs needs() const override { return needs::none; }
  int cost() const override {
    ++counts_.costs;
    return cost_;
  }
  std::string text() const override {
    ++counts_.texts;
    return text_;
  }
  std::string_view family() const override { return family_; }
  std::shared_ptr<const Test> either(const std::vector<const Test*>& tests) const override {
    ++counts_.joins;
    return std::make_shared<CountedTest>(counts_, std::to_string(tests.size()) + " in one", family_,
                                         cost_);
  }

 private:
  Counts& counts_;
  std::string text_;
  std::string_view family_;
  int cost_;
};

std::string optimised(Expression expression) {
  return to_text(optimise(std::move(expression)));
}

}  // namespace

TEST_CASE("names are tested before types, types before metadata, contents of directories last") {
  CHECK(optimised(Expression::all(
            {Expression::of(flag_test("empty")), size_over(5), is_file(), contains("a")})) ==
        "name contains \"a\" and type = file and size >= 5 and empty");
}

TEST_CASE("the order holds within alternatives too") {
  CHECK(optimised(Expression::any({size_over(5), contains("a")})) ==
        "name contains \"a\" or size >= 5");
}

TEST_CASE("nested junctions of one kind become one") {
  CHECK(optimised(
            Expression::all({Expression::all({contains("a"), contains("b")}), contains("c")})) ==
        "name contains \"a\" and name contains \"b\" and name contains \"c\"");
}

TEST_CASE("a junction of one operand is that operand") {
  CHECK(optimised(Expression::all({Expression::any({contains("a")})})) == "name contains \"a\"");
}

TEST_CASE("constants decide or disappear") {
  CHECK(optimised(Expression::all({contains("a"), Expression::all({})})) == "name contains \"a\"");
  CHECK(optimised(Expression::all({contains("a"), Expression::any({})})) == "false");
  CHECK(optimised(Expression::any({contains("a"), Expression::all({})})) == "true");
  CHECK(optimised(Expression::negation(Expression::any({}))) == "true");
}

TEST_CASE("a test that is there twice is made once") {
  CHECK(optimised(Expression::all({contains("a"), contains("a")})) == "name contains \"a\"");
}

TEST_CASE("a doubled negation goes") {
  CHECK(optimised(Expression::negation(Expression::negation(contains("a")))) ==
        "name contains \"a\"");
}

TEST_CASE("alternatives inside a conjunction keep their parentheses") {
  CHECK(optimised(
            Expression::all({Expression::any({contains("a"), contains("b")}), contains("c")})) ==
        "name contains \"c\" and (name contains \"a\" or name contains \"b\")");
}

TEST_CASE("needs are those of all tests together") {
  CHECK(needs_of(contains("a")) == needs::none);
  CHECK(needs_of(Expression::all({contains("a"), size_over(1)})) == (needs::type | needs::length));
}

TEST_CASE("each of many operands is asked for its text and its cost once, families joined once") {
  constexpr int count = 10'000;
  const bool any = GENERATE(values<int>({0, 1})) == 1;
  const std::string_view family = GENERATE(values<std::string>({"", "f"})) == "f" ? "f" : "";
  Counts counts;
  std::vector<Expression> operands;
  for (int i = 0; i < count; ++i) {
    const std::string text = std::to_string(i);
    operands.push_back(Expression::of(std::make_shared<CountedTest>(counts, text, family, i % 7)));
  }
  const Expression result =
      optimise(any ? Expression::any(std::move(operands)) : Expression::all(std::move(operands)));
  CHECK(counts.texts == count);
  CHECK(counts.joins == (any && family == "f" ? 1 : 0));
  if (any && family == "f") {
    CHECK(to_text(result) == "10000 in one");
  } else {
    CHECK(counts.costs == count);
    REQUIRE(result.operands.size() == count);
    CHECK(to_text(result.operands.front()) == "0");
    CHECK(to_text(result.operands.back()) == "9995");
  }
}

TEST_CASE("tests of one family become one where the first stood, others stay") {
  Counts counts;
  const auto test = [&](const std::string& text, std::string_view family) {
    return Expression::of(std::make_shared<CountedTest>(counts, text, family, 5));
  };
  CHECK(optimised(Expression::any({test("a", "f"), test("b", ""), test("c", "g"), test("d", "f"),
                                   test("d", "f"), test("e", "g"), test("h", "h")})) ==
        "2 in one or b or 2 in one or h");
  CHECK(counts.joins == 2);
}

TEST_CASE("what many operands cost together is no small number") {
  Counts counts;
  std::vector<Expression> dear;
  for (int i = 0; i < 3; ++i) {
    dear.push_back(Expression::of(
        std::make_shared<CountedTest>(counts, std::to_string(i), "", 1'000'000'000)));
  }
  CHECK(optimised(Expression::all({Expression::any(std::move(dear)), contains("a")})) ==
        "name contains \"a\" and (0 or 1 or 2)");
}

TEST_CASE("many extensions and kinds become one test") {
  const auto ext = [](const std::string& text, bool exact = false) {
    return Expression::of(extension_test({text}, exact));
  };
  CHECK(optimised(Expression::any({ext("c"), Expression::of(kind_test(bit_of(Kind::text))),
                                   ext("C", true), ext("h"),
                                   Expression::of(kind_test(bit_of(Kind::code))), ext("cc")})) ==
        "ext case in (C) or ext in (c, h, cc) or kind in (text, code)");
}

TEST_CASE("what holds for as good as everything does not narrow") {
  for (const auto* text : {"*", "**", "?*", "{*,x}"}) {
    INFO(text);
    CHECK_FALSE(narrows(named(PatternKind::glob, text)));
  }
  for (const auto* text : {"", ".", ".*", "^", "$", "^.+$", "a*"}) {
    INFO(text);
    CHECK_FALSE(narrows(named(PatternKind::regex, text)));
  }
  CHECK_FALSE(narrows(contains("")));
  CHECK_FALSE(narrows(named(PatternKind::ends, "")));
  CHECK_FALSE(narrows(Expression::of(range_test(depth_row, {1, unlimited_depth}))));
  CHECK_FALSE(narrows(Expression::of(range_test(links_row, {1, unlimited}))));
  CHECK_FALSE(narrows(Expression::of(permissions_test({0, 0, true}))));
  CHECK_FALSE(narrows(Expression::all({contains(""), named(PatternKind::glob, "*")})));
  CHECK_FALSE(narrows(Expression::any({contains(""), is_file()})));
}

TEST_CASE("what leaves anything out narrows") {
  for (const auto* text : {"*.bak", "?", "[!.]*", "*[!~]", "*.*"}) {
    INFO(text);
    CHECK(narrows(named(PatternKind::glob, text)));
  }
  CHECK(narrows(named(PatternKind::exact, "")));
  CHECK(narrows(is_file()));
  CHECK(narrows(Expression::of(range_test(depth_row, {2, unlimited_depth}))));
  CHECK(narrows(Expression::of(range_test(links_row, {2, unlimited}))));
  CHECK(narrows(Expression::all({contains(""), is_file()})));
  CHECK(narrows(Expression::any({contains("x"), is_file()})));
  CHECK(narrows(Expression::negation(contains("x"))));
}

TEST_CASE("a type, a depth and what matches everything select nothing") {
  const auto near = Expression::of(range_test(depth_row, {1, 2}));
  CHECK_FALSE(selects(Expression::all({})));
  CHECK_FALSE(selects(is_file()));
  CHECK_FALSE(selects(Expression::negation(is_file())));
  CHECK_FALSE(selects(Expression::all({is_file(), near, contains("")})));
  CHECK_FALSE(selects(Expression::any({is_file(), contains("x")})));
  CHECK(selects(contains("x")));
  CHECK(selects(Expression::all({is_file(), contains("x")})));
  CHECK(selects(Expression::negation(contains("x"))));
  CHECK(selects(Expression::of(kind_test(bit_of(Kind::code)))));
  CHECK(selects(Expression::of(flag_test("empty"))));
}

}  // namespace optimiser_test
