// SPDX-License-Identifier: MIT
// Regular expressions of the C library on several threads, each with its copy of a compiled one.
#include "os/name_patterns.h"

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "catch.h"

namespace name_patterns_test {

using namespace ffind;

TEST_CASE("a regular expression matches whole texts") {
  const os::RegexPredicate regex = os::regex_predicate(".*/a+", "emacs", false);
  REQUIRE(regex.matches);
  CHECK(regex.matches("x/aa"));
  CHECK_FALSE(regex.matches("x/aab"));
  CHECK_FALSE(regex.matches("x\n/a"));
  CHECK(os::regex_predicate(".*/a+", "findutils-default", false).matches("x\n/a"));
  CHECK(os::regex_predicate("A", "posix-extended", true).matches("a"));
}

TEST_CASE("an expression that cannot be compiled has the library's reason") {
  const os::RegexPredicate regex = os::regex_predicate("[a", "posix-basic", false);
  CHECK_FALSE(regex.matches);
  CHECK_FALSE(regex.error.empty());
  const os::RegexPredicate unknown = os::regex_predicate("a", "no-such", false);
  CHECK_FALSE(unknown.matches);
  CHECK(unknown.error.empty());
}

TEST_CASE("more threads than copies of an expression match with it") {
  const os::RegexPredicate regex = os::regex_predicate("\\(a*\\)b", "emacs", false);
  std::atomic<int> right{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 40; ++i) {
    threads.emplace_back([&, text = std::string(static_cast<std::size_t>(i), 'a')] {
      if (regex.matches(text + 'b') && !regex.matches(text)) ++right;
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(right == 40);
}

}  // namespace name_patterns_test
