// SPDX-License-Identifier: MIT
// Regular expressions and globs of Rust in the syntax of RE2, and what fd concludes from them.
#include "foreign/rust_regex.h"

#include "catch.h"
#include "text/problem.h"

namespace rust_regex_test {

using namespace ffind;
using namespace ffind::foreign;

bool matches(const std::string& regex, std::string_view name, bool folds = false) {
  INFO(regex << " " << name);
  const RustRegex parsed(regex, folds);
  REQUIRE(parsed.error().empty());
  return query::compile_pattern(parsed.pattern())->matches(name);
}

TEST_CASE("rust regex: a character is valid UTF-8, whatever is around it") {
  CHECK(matches("^.\\.c$", "é.c"));
  CHECK_FALSE(matches("^.\\.c$", "\xff.c"));
  CHECK(matches("\\.c$", "\xff.c"));
  CHECK_FALSE(matches("^[^a]", "\xed\xa0\x80"));
  CHECK_FALSE(matches("é", "e\xcc\x81"));
  CHECK(matches("(?-u:^\\xff)", "\xff.c"));
  CHECK(matches("(?-u)^\\xC3.$", "é"));
}

TEST_CASE("rust regex: classes are of Unicode, in classes as well, and have operators") {
  CHECK(matches("^\\d$", "٣"));
  CHECK_FALSE(matches("^(?-u:\\d)$", "٣"));
  CHECK(matches("^[\\W_]$", "—"));
  CHECK_FALSE(matches("^[a-z&&[^aeiou]]$", "e"));
  CHECK(matches("^[a-z--b~~c]$", "d"));
  CHECK_FALSE(matches("^[a-z--b~~c]$", "c"));
  CHECK(matches("^\\p{lowercase_letter}$", "é"));
  CHECK(matches("^[^é]$", "E", true));
  CHECK_FALSE(matches("^[^é]$", "É", true));
}

TEST_CASE("rust regex: words begin and end with letters of Unicode") {
  CHECK(matches("\\bfoo\\b", "a foo"));
  CHECK_FALSE(matches("\\bfoo", "éfoo"));
  CHECK(matches("\\bfoo", "—foo"));
  CHECK(matches("\\bfoo",
                "\xff"
                "foo"));
  CHECK(matches("é\\Bf", "éf"));
  CHECK(matches("\\<foo\\>", "a foo"));
  CHECK_FALSE(matches("\\b{start}$", "foo"));
}

TEST_CASE("rust regex: errors are Rust's, with the place") {
  const auto error = [](const char* regex) { return RustRegex(regex, false).error(); };
  CHECK(error("{}") ==
        "regex parse error:\n    {}\n    ^\nerror: repetition operator missing expression");
  CHECK(error("a{,2}").ends_with("error: repetition quantifier expects a valid decimal"));
  CHECK(error("é(a").starts_with("regex parse error:\n    é(a\n     ^\n"));
  CHECK(error("\\pX(").ends_with("error: unclosed group"));
  for (const char* const valid : {"(?<n>a)", "a**", "[[:foo:]]", "}", "]", "(?x) a # b", "a{2}{3}",
                                  "[]a]", "\\_", "a{ 1 , 2 }", ""}) {
    INFO(valid);
    CHECK(error(valid).empty());
  }
}

TEST_CASE("rust regex: what RE2 cannot match exactly is refused") {
  for (const char* const regex : {"(?-u:\\xff)\\b", "(?-u:\\xff)\\w", "(?Rm)$", "$\\b"}) {
    INFO(regex);
    CHECK_THROWS_AS(RustRegex(regex, false).pattern(), UsageError);
  }
}

TEST_CASE("rust regex: capitals are those of letters and of the ends of ranges") {
  for (const char* const regex :
       {"A", R"(\w)", R"(\pL)", "[[:upper:]]", "[A-Z]", R"(\p{Lu})", "[^@]", R"(\x41)", "(?i)a"}) {
    INFO(regex);
    CHECK(RustRegex(regex, false).has_upper_case());
  }
  for (const char* const regex : {"a", R"(\W)", R"(\S)", R"(\Aa)", R"([^\w])", R"(\d)",
                                  "[[:digit:]]", R"(\p{Ll})", "(?-u)\\xc3\\xa9", "[^a]"}) {
    INFO(regex);
    CHECK_FALSE(RustRegex(regex, false).has_upper_case());
  }
}

TEST_CASE("rust regex: a dot at the beginning that every match has") {
  for (const char* const regex :
       {R"(^\.)", R"(^\.git)", R"(\A\.a)", R"(^\.(a|b))", "^[.]a", "(?:^\\.)"}) {
    INFO(regex);
    CHECK(RustRegex(regex, false).begins_with_dot());
  }
  for (const char* const regex :
       {"^.a", R"(\.a)", R"(^\.?a)", R"(^\.a|b)", "", "^", R"((^\.))", R"((?m)^\.)"}) {
    INFO(regex);
    CHECK_FALSE(RustRegex(regex, false).begins_with_dot());
  }
}

TEST_CASE("rust globs: as globset writes them") {
  CHECK(rust_regex_of_glob("*.{c,}") == "(?-u)^[^/]*\\.(?:c)$");
  CHECK(rust_regex_of_glob("**/a/**") == "(?-u)^(?:/?|.*/)a/.*$");
  CHECK(rust_regex_of_glob("[!é-]") == "(?-u)^[^/\\xc3\\xa9\\-]$");
  CHECK(rust_regex_of_glob("[,-0]") == "(?-u)^[,-\\.0]$");
  for (const char* const glob : {"[a", "{a", "a}", "\\", "[z-a]"}) {
    INFO(glob);
    CHECK_THROWS_AS(rust_regex_of_glob(glob), UsageError);
  }
}

}  // namespace rust_regex_test
