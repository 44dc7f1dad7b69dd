// SPDX-License-Identifier: MIT
// Regular expressions: what they are held against, and what is said of those that are wrong.
#include "query/patterns/pattern.h"

#include <string>
#include <thread>
#include <vector>

#include "catch.h"

namespace regex_test {

using namespace ffind;
using namespace ffind::query;

namespace {

bool matches(std::string_view regex, std::string_view subject,
             text::KeyCase key_case = text::KeyCase::folded) {
  return make_regex(regex, key_case, {}, regex)->matches(subject);
}

std::string message_of(std::string_view regex) {
  try {
    make_regex(regex, text::KeyCase::folded, {"-e", "-e '\\.cc$'"}, regex);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

/// Where the caret stands under the expression.
std::size_t caret_of(std::string_view regex) {
  const std::string message = message_of(regex);
  const std::size_t caret = message.find("^\n", message.find('\n'));
  const std::size_t line = message.rfind('\n', caret);
  return caret - line - 1 - 2;  // the line is indented by two
}

}  // namespace

TEST_CASE("an expression is found anywhere unless it is anchored") {
  CHECK(matches("[0-9]+\\.c", "main12.cpp"));
  CHECK_FALSE(matches("^[0-9]+\\.c", "main12.cpp"));
  CHECK_FALSE(matches("[0-9]+\\.c$", "main12.cpp"));
}

TEST_CASE("an expression ignores case only when told to") {
  CHECK(matches("[a-c]x", "BX"));
  CHECK_FALSE(matches("[a-c]x", "BX", text::KeyCase::kept));
  CHECK(matches("[a-c]report", "aREPORT"));
  CHECK(matches("stra.e|ẞ", "ß"));
}

TEST_CASE("the dot and the end take a newline for a character") {
  CHECK(matches("a.b", "a\nb"));
  CHECK_FALSE(matches("[a]$", "a\n"));
}

TEST_CASE("a count with a zero in front is none") {
  CHECK(matches("[a]{02}", "a{02}"));
  CHECK_FALSE(matches("[a]{02}", "aa"));
}

TEST_CASE("names that differ in normalisation match alike") {
  CHECK(matches("^gr.ße$", "gro\u0308ße"));
  CHECK(matches("^gr[o\u0308]ße$", "größe"));
  CHECK(matches("gro\u0308?ß", "grß"));
  CHECK_FALSE(matches("gr[o]", "gro\u0308ße"));
}

TEST_CASE("a name that is not UTF-8 is matched byte by byte") {
  CHECK(matches("caf.", "caf\xE9"));
  CHECK(matches("^caf.$", "caf\xE9"));
  CHECK(matches("caf\\xE9", "caf\xE9"));
  CHECK(matches("[c]af\xE9", "caf\xE9"));
  CHECK(matches("^(é)+.$", "éé\xFF"));
  CHECK(matches("^...$", "é\xFF"));
  CHECK(matches("€|\\x{20AC}x", "€x\xFF"));
  CHECK(matches("[\\x{20AC}]|foo", "foo\xFF"));
  CHECK(matches("\\p{Lu}", "\xC9", text::KeyCase::kept));
  CHECK(matches("[\\x{E9}]", "\xE9"));
  CHECK_FALSE(matches("z.p", "\xFE"));
  CHECK_FALSE(matches("(?:zip)", "\xFE"));
}

TEST_CASE("an expression that is not UTF-8 matches only names that are not") {
  CHECK_FALSE(matches("[c]af\xC3", "café"));
  CHECK_FALSE(matches(".*\xC3", "cafe"));
  CHECK(matches("[\xF0-\xFF]$", "é\xFE"));
  CHECK_FALSE(matches("^[^\xFE]$", "\xFE"));
}

TEST_CASE("an accent written by its number composes as one that is typed") {
  CHECK(matches("^e\\x{301}+$", "e\u0301é"));
  CHECK(matches("^\\x65\\x{301}$", "é"));
  CHECK_FALSE(matches("^e\\x{301}$", "e"));
  CHECK(matches("^x\\x{301}$", "x\u0301"));
  CHECK(matches("^\\x{1100}\\x{1161}", "가"));
}

TEST_CASE("two groups of one name are refused") {
  CHECK(caret_of("(?P<n>a)(?P<n>b)") == 12);
  CHECK(caret_of("(?P<n>a)|((?P<m>b)(?P<n>c))") == 22);
  CHECK(message_of("(?P<n>a)(?P<nn>b)").empty());
}

TEST_CASE("the required literal is folded as the match is") {
  const auto pattern = make_regex("GRÖSSE[0-9]", text::KeyCase::folded, {}, "");
  CHECK(pattern->required_literal() == "grösse");
  CHECK_FALSE(pattern->matches("grosse1"));
  CHECK(pattern->matches("gro\u0308SSE1"));
  CHECK(matches("\u212Aelvin[0-9]", "KELVIN7"));
}

TEST_CASE("one expression serves all threads, names that are not UTF-8 included") {
  const auto pattern = make_regex("[a-f]+[0-9]x?", text::KeyCase::folded, {}, "");
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&pattern] {
      for (int i = 0; i < 500; ++i) {
        if (!pattern->matches("\xFF"
                              "abc1") ||
            pattern->matches("\xFFxyz"))
          std::abort();
        if (!pattern->matches("ABC" + std::to_string(i))) std::abort();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST_CASE("a faulty expression is quoted with the place of the fault") {
  CHECK(caret_of("ab[c") == 2);
  CHECK(caret_of("x|*") == 2);
  CHECK(caret_of("*.txt") == 0);
  CHECK(caret_of("a(b(c)") == 1);
  CHECK(caret_of("(a))b") == 3);
  CHECK(caret_of("\\.\\q") == 2);
  CHECK(caret_of("[b-a]") == 1);
  CHECK(caret_of("ab\\") == 2);
  CHECK(caret_of("a{5}b{2000}") == 5);
  CHECK(caret_of("ok[[:nope:]]") == 3);
  // To the scanner one group, with a long name.
  CHECK(caret_of("a(?<!x)(?<!y)>") == 1);
}

TEST_CASE("a faulty expression is explained") {
  using Catch::Matchers::ContainsSubstring;
  CHECK_THAT(message_of("ab[c"), ContainsSubstring("is not closed"));
  CHECK_THAT(message_of("(a)\\1"), ContainsSubstring("back-reference"));
  CHECK_THAT(message_of("(?=x)"), ContainsSubstring("look-around"));
  CHECK_THAT(message_of("(?<!x)a"), ContainsSubstring("look-around"));
  CHECK_THAT(message_of("*.txt"), ContainsSubstring("glob"));
  CHECK_THAT(message_of("a**"), ContainsSubstring("repeats a repetition"));
  CHECK_THAT(message_of("(\\pL{30}){30}"), ContainsSubstring("memory"));
  CHECK_THAT(message_of("\xFF["), ContainsSubstring("is not closed"));
  CHECK_THAT(message_of("ab[c"), ContainsSubstring("for example: -e '\\.cc$'"));
  CHECK(message_of("[" + std::string(5000, 'x')).size() < 400);
}

TEST_CASE("a class that RE2 does not know is called one, and a range a range") {
  using Catch::Matchers::ContainsSubstring;
  CHECK_THAT(message_of("\\p{Foo}"), ContainsSubstring("'\\p{Foo}' is not a class in RE2"));
  CHECK_THAT(message_of("a\\PX"), ContainsSubstring("is not a class in RE2"));
  CHECK_THAT(message_of("[[:foo:]]"), ContainsSubstring("'[:foo:]' is not a class in RE2"));
  CHECK_THAT(message_of("[b-a]"), ContainsSubstring("is not a range"));
  CHECK(caret_of("\\pL\\p{Foo}") == 3);
}

}  // namespace regex_test
