// SPDX-License-Identifier: MIT
// The parts of a usage error that are added for words of another program. tests/cli/habits.txt has
// the lines.
#include "cli/advice.h"

#include "catch.h"

namespace advice_test {

using namespace ffind;
using namespace ffind::cli;
using Catch::Matchers::ContainsSubstring;

namespace {

UsageParts corrected(const std::vector<std::string>& words) {
  return with_correction({.what = "wrong", .see = "help"}, words);
}

}  // namespace

TEST_CASE("advice: a line is offered if it does the same and can be read") {
  const UsageParts parts = corrected({".", "-name", "*.c"});
  CHECK(parts.what == "wrong");
  CHECK(parts.suggestion == "ffind -s -g '*.c'");
  CHECK(parts.reason.empty());
  CHECK(corrected({"--largest", "7d"}).suggestion.empty());
  CHECK(corrected({"--blubb"}).suggestion.empty());
}

TEST_CASE("advice: of a line that deletes every word has to be understood") {
  const UsageParts parts = corrected({"--delet", "-g", "*.o"});
  CHECK(parts.suggestion.empty());
  CHECK_THAT(parts.reason, ContainsSubstring("delete or run a command, and '--delet' may mean"));
  CHECK(parts.see.empty());
}

TEST_CASE("advice: the error is about the word without a counterpart") {
  const UsageParts parts = corrected({"/", "-type", "f", "-used", "3"});
  CHECK_THAT(parts.what, ContainsSubstring("-used is an option of find"));
  CHECK(parts.reason == "'-used' has no exact counterpart here");
  CHECK(parts.suggestion.empty());
  CHECK(parts.see == "help");
}

}  // namespace advice_test
