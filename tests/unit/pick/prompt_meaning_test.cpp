// SPDX-License-Identifier: MIT
#include "pick/prompt.h"

#include "catch.h"

namespace ffind::pick::prompt_meaning_test {
namespace {

PromptMeaning of(std::vector<PromptTerm> terms) {
  PromptMeaning meaning;
  meaning.terms = std::move(terms);
  return meaning;
}
PromptTerm word(std::string text) {
  return {std::move(text), true};
}
PromptTerm field(std::string text) {
  return {std::move(text), false};
}

TEST_CASE("a longer word and another term only narrow") {
  CHECK(only_narrows(of({}), of({word("a")})));
  CHECK(only_narrows(of({word("a")}), of({word("ab")})));
  CHECK(only_narrows(of({word("a")}), of({word("a"), field("ext:c")})));
  CHECK(only_narrows(of({word("a"), word("b")}), of({word("bc"), word("ab")})));
}

TEST_CASE("a shorter word, and a field that changes, do more than narrow") {
  CHECK_FALSE(only_narrows(of({word("ab")}), of({word("a")})));
  CHECK_FALSE(only_narrows(of({field("ext:c")}), of({field("ext:cpp")})));
  CHECK_FALSE(only_narrows(of({field("-a")}), of({field("-ab")})));
  CHECK_FALSE(only_narrows(of({word("a")}), of({})));
}

TEST_CASE("a mark behind a word makes another letter of its last one") {
  CHECK_FALSE(only_narrows(of({word("e")}), of({word("e\u0301")})));
  CHECK(only_narrows(of({word("e\u0301")}), of({word("e\u0301t")})));
}

}  // namespace
}  // namespace ffind::pick::prompt_meaning_test
