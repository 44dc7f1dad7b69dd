// SPDX-License-Identifier: MIT
// Patterns of ignore files, as git matches them.
#include "search/ignore_rules.h"

#include <ctime>
#include <string>

#include "catch.h"

namespace wildmatch_test {

using namespace ffind;
using namespace ffind::search;

TEST_CASE("wildmatch: names") {
  CHECK(matches_name("", ""));
  CHECK_FALSE(matches_name("", "a"));
  CHECK(matches_name("a?c", "abc"));
  CHECK_FALSE(matches_name("a?c", "ac"));
  CHECK(matches_name("*", ""));
  CHECK(matches_name("a*b*c", "a1b2bc"));
  CHECK_FALSE(matches_name("a*b*c", "a1b2b"));
  CHECK(matches_name("**", "abc"));
  CHECK(matches_name("a**c", "abbc"));
  CHECK(matches_name("\\*", "*"));
  CHECK_FALSE(matches_name("\\*", "a"));
}

TEST_CASE("wildmatch: a question mark is one byte, not one character") {
  CHECK_FALSE(matches_name("?", "\xC3\xA4"));
  CHECK(matches_name("??", "\xC3\xA4"));
}

TEST_CASE("wildmatch: where case is ignored, as git ignores it") {
  const auto matches = [](std::string_view pattern, std::string_view name) {
    return matches_path(pattern, name, LetterCase::ignored);
  };
  CHECK(matches("a?C*e", "AbcDE"));
  CHECK(matches("**/Foo/*.TXT", "x/fOO/a.txt"));
  CHECK(matches("[a-c]", "B"));
  CHECK(matches("[A-C]", "b"));
  CHECK(matches("[A-C]", "B"));
  CHECK(matches("[[:upper:]]", "a"));
  CHECK(matches("[[:lower:]]", "A"));
  CHECK(matches("[b]", "B"));
  CHECK_FALSE(matches("[B]", "b"));  // git folds what it looks for, and no single member
  CHECK_FALSE(matches("[B]", "B"));
  CHECK_FALSE(matches("\\B", "B"));
  CHECK(matches("\\b", "B"));
  CHECK_FALSE(matches("\xC3\xA4", "\xC3\x84"));  // of ASCII only
  CHECK_FALSE(matches("[@-Z]", "["));
}

TEST_CASE("wildmatch: classes") {
  CHECK(matches_name("[abc]", "b"));
  CHECK_FALSE(matches_name("[!abc]", "b"));
  CHECK_FALSE(matches_name("[^abc]", "b"));
  CHECK(matches_name("[a-c]x", "bx"));
  CHECK(matches_name("[]-]", "]"));
  CHECK(matches_name("[]-]", "-"));
  CHECK(matches_name("[!]-]", "a"));
  CHECK(matches_name("[\\]]", "]"));
  CHECK(matches_name("[a\\-z]", "-"));
  CHECK_FALSE(matches_name("[a\\-z]", "b"));
  CHECK(matches_name("[[:alpha:]]", "x"));
  CHECK_FALSE(matches_name("[[:alpha:]]", "1"));
  CHECK(matches_name("[[:digit:]x-z]", "y"));
  CHECK(matches_name("[[:]", ":"));
  CHECK(matches_name("[[:]", "["));
  CHECK(matches_name("[[:a]", "a"));
  CHECK_FALSE(matches_name("[a-]", "b"));
  CHECK(matches_name("[a-]", "-"));
  CHECK(matches_name("[\x80-\xFF]", "\xC3"));
}

TEST_CASE("wildmatch: what git never matches is known beforehand") {
  for (const char* const pattern : {"[", "[a", "a[", "[]", "[!]", "[[:nonsense:]]", "[[:alpha:]",
                                    "[[::]]", "\\", "a\\", "[\\", "[a-", "[a-\\"}) {
    INFO(pattern);
    CHECK_FALSE(can_match(pattern));
  }
  for (const char* const pattern : {"[]]", "[!]]", "[[:]", "\\[", "]", "[a-]", "\\\\"}) {
    INFO(pattern);
    CHECK(can_match(pattern));
  }
}

TEST_CASE("wildmatch: in a path only a slash is a slash") {
  CHECK(matches_path("a/b", "a/b"));
  CHECK_FALSE(matches_path("a?b", "a/b"));
  CHECK_FALSE(matches_path("a*b", "a/b"));
  CHECK_FALSE(matches_path("a[/]b", "a/b"));
  CHECK_FALSE(matches_path("a[!x]b", "a/b"));
  CHECK(matches_path("*/b", "a/b"));
  CHECK_FALSE(matches_path("*/b", "b"));
  CHECK_FALSE(matches_path("*", "a/b"));
  CHECK(matches_path("a\\/b", "a/b"));
  CHECK_FALSE(matches_path("a/b", "a/b/c"));
  CHECK_FALSE(matches_path("a/b/c", "a/b"));
}

TEST_CASE("wildmatch: two stars between slashes are any directories") {
  CHECK(matches_path("**/b", "b"));
  CHECK(matches_path("**/b", "x/b"));
  CHECK(matches_path("**/b", "x/y/b"));
  CHECK_FALSE(matches_path("**/b", "xb"));
  CHECK(matches_path("a/**/b", "a/b"));
  CHECK(matches_path("a/**/b", "a/x/y/b"));
  CHECK_FALSE(matches_path("a/**/b", "ab"));
  CHECK(matches_path("a/**", "a/x/y"));
  CHECK_FALSE(matches_path("a/**", "a"));
  CHECK(matches_path("**/a/**/b", "x/a/y/a/z/b"));
  CHECK(matches_path("***/b", "x/y/b"));
  CHECK_FALSE(matches_path("a**/b", "a/x/b"));
  CHECK_FALSE(matches_path("a/**b", "a/x/b"));
  CHECK(matches_path("a/**\\/b", "a/x/b"));
  CHECK_FALSE(matches_path("a/**\\/b", "a/b"));
  CHECK(matches_path("**/*.c", "x/y.c"));
  CHECK(matches_path("foo/*/*", "foo/a/b"));
  CHECK_FALSE(matches_path("foo/*/*", "foo/a"));
}

TEST_CASE("wildmatch: hostile patterns cost no more than their lengths multiplied") {
  std::string stars;
  std::string directories;
  std::string deep;
  for (int i = 0; i < 200; ++i) {
    stars += "a*";
    directories += "**/a*/";
    deep += "aaaaaaaaa/";
  }
  const std::string name(255, 'a');
  std::uint64_t steps = 0;
  CHECK_FALSE(matches_name(stars + "b", name, LetterCase::kept, &steps));
  CHECK(steps < 2 * stars.size() * name.size());
  steps = 0;
  CHECK_FALSE(matches_path(directories + "b", deep + "c", LetterCase::kept, &steps));
  CHECK(steps < 2 * directories.size() * deep.size());
  steps = 0;
  CHECK_FALSE(matches_path("**/" + stars + "/b", deep + "c", LetterCase::kept, &steps));
  CHECK(steps < 2 * stars.size() * deep.size());
}

TEST_CASE("wildmatch: a class full of beginnings of classes takes no longer than its length") {
  std::string pattern = "[";
  for (int i = 0; i < 1 << 21; ++i) pattern += "[:";
  const std::clock_t begin = std::clock();
  CHECK_FALSE(can_match(pattern));
  CHECK(can_match(pattern + "x]"));
  CHECK(matches_name(pattern + "x]", "x"));
  // Looking for the end of each again takes minutes.
  CHECK(std::clock() - begin < 5 * CLOCKS_PER_SEC);
}

TEST_CASE("wildmatch: a bracket behind a beginning of a class ends what it ends for git") {
  CHECK(matches_name("[[:a]", ":"));
  CHECK(matches_name("[[:[:a]", "["));
  CHECK(matches_name("[[:x[:digit:]]", "x") == false);  // no class is called x[:digit
  CHECK(matches_name("[[:aaaaaaaaaaaaaaaaaaab]", "b"));
  CHECK(matches_name("[[:digit:][:upper:]]", "A"));
  CHECK(matches_name("[[:digit:][:upper:]]", "1"));
}

}  // namespace wildmatch_test
