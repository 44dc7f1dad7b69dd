// SPDX-License-Identifier: MIT
// Regular expressions of Rust in the syntax of RE2, and what fd concludes from them.
#include "foreign/rust_regex.h"

#include "catch.h"

namespace rust_regex_test {

using namespace ffind::foreign;

TEST_CASE("rust regex: classes of Unicode are spelt out, in classes as well") {
  CHECK(rewritten_for_re2(R"(a\d+[^\d_]\.)").text == R"(a[\p{Nd}]+[^\p{Nd}_]\.)");
  CHECK(rewritten_for_re2(R"(\W)").text.starts_with(R"([^\pL)"));
  CHECK(rewritten_for_re2(R"(\bx\b(a|b){2}[a-c-])").text == R"(\bx\b(a|b){2}[a-c-])");
}

TEST_CASE("rust regex: what RE2 does not have is named") {
  for (const char* const regex :
       {"[a&&b]", "[a--b]", "[a~~b]", "[a[b]]", R"([\W_])", R"(\Qa.b\E)"}) {
    INFO(regex);
    CHECK_FALSE(rewritten_for_re2(regex).only_in_rust.empty());
  }
  CHECK(rewritten_for_re2("[&]&&").only_in_rust.empty());
}

TEST_CASE("rust regex: capitals are those of letters and of classes with some") {
  for (const char* const regex : {"A", R"(\w)", R"(\pL)", "[[:upper:]]", "[A-Z]", R"(\p{Lu})"}) {
    INFO(regex);
    CHECK(rust_has_upper_case(regex));
  }
  for (const char* const regex :
       {"a", R"(\W)", R"(\S)", R"(\Aa)", R"([^\w])", R"(\d)", "[[:digit:]]"}) {
    INFO(regex);
    CHECK_FALSE(rust_has_upper_case(regex));
  }
}

TEST_CASE("rust regex: a dot at the beginning that every match has") {
  for (const char* const regex : {R"(^\.)", R"(^\.git)", R"(\A\.a)", R"(^\.(a|b))"}) {
    INFO(regex);
    CHECK(rust_begins_with_dot(regex));
  }
  for (const char* const regex : {"^.a", R"(\.a)", R"(^\.?a)", R"(^\.a|b)", "", "^"}) {
    INFO(regex);
    CHECK_FALSE(rust_begins_with_dot(regex));
  }
}

}  // namespace rust_regex_test
