// SPDX-License-Identifier: MIT
// The optimiser keeps the meaning and puts cheap tests first.
#include "catch.h"
#include "ffind/matcher.h"
#include "query/tests/tests.h"

using namespace ffind;

namespace {

Expression contains(const std::string& text) {
  PatternSpec spec;
  spec.text = text;
  return Expression::of(pattern_test(Subject::name, spec));
}

Expression size_over(std::uint64_t bytes) {
  return Expression::of(size_test({bytes, std::numeric_limits<std::uint64_t>::max()}));
}

Expression is_file() {
  return Expression::of(type_test({FileType::file}));
}

std::string optimised(Expression expression) {
  return to_text(optimise(std::move(expression)));
}

}  // namespace

TEST_CASE("names are tested before types, types before metadata, contents of directories last") {
  CHECK(optimised(Expression::all(
            {Expression::of(empty_test()), size_over(5), is_file(), contains("a")})) ==
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
  CHECK(needs_of(Expression::all({contains("a"), size_over(1)})) == (needs::type | needs::size));
}
