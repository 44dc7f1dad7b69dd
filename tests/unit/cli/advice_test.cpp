// SPDX-License-Identifier: MIT
// The parts of a usage error that are added for words of another program. tests/cli/habits.txt has
// the lines.
#include "cli/advice.h"

#include "catch.h"
#include "foreign/foreign.h"

namespace advice_test {

using namespace ffind;
using namespace ffind::cli;
using Catch::Matchers::ContainsSubstring;

namespace {

/// The line that is run in place of the words; empty if none is.
std::string run_for(const std::vector<std::string>& words) {
  const Answer answer = answer_to({.what = "wrong"}, words);
  return answer.line ? foreign::line_to_paste(answer.line->words) : "";
}

UsageParts corrected(const std::vector<std::string>& words) {
  return answer_to({.what = "wrong", .see = "help"}, words).message;
}

}  // namespace

TEST_CASE("advice: a line is offered if it does the same and can be read") {
  const UsageParts parts = corrected({".", "-name", "*.c", "-delete"});
  CHECK(parts.what == "wrong");
  CHECK(parts.suggestion == "ffind --as find . -name '*.c' -delete");
  CHECK(parts.reason.empty());
  CHECK(corrected({"--largest", "7d"}).suggestion.empty());
  CHECK(corrected({"--blubb"}).suggestion.empty());
}

TEST_CASE("advice: a line of find that only looks is a search by its rules") {
  const auto search_of = [](const std::vector<std::string>& words) {
    return answer_to({.what = "wrong"}, words).find;
  };
  const auto search = search_of({".", "-name", "*.c"});
  REQUIRE(search);
  CHECK(search->roots == std::vector<std::string>{"."});
  CHECK(search->scope.list_roots);
  CHECK_FALSE(search_of({".", "-name", "*.c", "-delete"}));
  CHECK_FALSE(search_of({".", "-exec", "true", ";", "-print"}));
  CHECK_FALSE(search_of({".", "-name", "a", "--sort", "size"}));
}

TEST_CASE("advice: of a line that deletes every word has to be understood") {
  const UsageParts parts = corrected({"--delet", "-g", "*.o"});
  CHECK(parts.suggestion.empty());
  CHECK_THAT(parts.reason, ContainsSubstring("delete or run a command, and '--delet' may mean"));
  CHECK(parts.see.empty());
}

TEST_CASE("advice: the error is about the word without a counterpart") {
  const UsageParts parts = corrected({"/", "-type", "f", "-context", "3"});
  CHECK_THAT(parts.what, ContainsSubstring("-context is an option of find"));
  CHECK(parts.reason == "as a line of find: '-context' is not done exactly here");
  CHECK(parts.suggestion.empty());
  CHECK(parts.see == "help");
}

TEST_CASE("advice: a line that is certain and only looks is run") {
  CHECK(run_for({"--today"}) == "ffind --modified today");
  CHECK(run_for({"--files", "-g", "*.c"}) == "ffind -s -t f -g '*.c'");
  CHECK(run_for({"--type", "image", "--count"}) == "ffind --kind image --count");
  for (const std::vector<std::string>& more : {std::vector<std::string>{"--delete"},
                                               {"-x", "ls"},
                                               {"--if", "true"},
                                               {"--pick"},
                                               {"--save", "today"},
                                               {"@big"},
                                               {"--exclude-from", "rules"},
                                               {"--ignore-files", ".ignore"},
                                               {"--download"}}) {
    std::vector<std::string> words = {"--today", "-g", "*.c"};
    if (more.front() == "@big") words.pop_back(), words.pop_back();
    words.insert(words.end(), more.begin(), more.end());
    INFO(more.front());
    CHECK(run_for(words).empty());
  }
}

TEST_CASE("advice: a line that is run has the places of its words") {
  const auto line =
      answer_to({.what = "wrong"}, {"x", "--json", "--larger-than", "1M", "/etc"}).line;
  REQUIRE(line);
  CHECK(line->words == std::vector<std::string>{"--json", "-S", ">1M", "x", "/etc"});
  CHECK(line->argument_places == std::vector<std::size_t>{3, 4});
  CHECK(line->begins == std::vector<std::size_t>{0, 1, 3, 4});
  REQUIRE(line->given.size() == 2);
  CHECK(line->given[0].value_word == UsagePlace::unknown);
  CHECK(line->given[1].word == 1);
  CHECK(line->given[1].value_word == 2);
}

}  // namespace advice_test
