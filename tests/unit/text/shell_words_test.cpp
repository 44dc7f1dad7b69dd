// SPDX-License-Identifier: MIT
// Words of a line, as a shell reads them. What /bin/sh makes of the same lines is compared by the
// black-box case pick-options.
#include "text/quoting.h"

#include "catch.h"

namespace shell_words_test {

using ffind::text::shell_words;
using Words = std::vector<std::string>;

TEST_CASE("blanks separate words") {
  CHECK(shell_words("") == Words{});
  CHECK(shell_words("  --sort\tsize\n -L ") == Words{"--sort", "size", "-L"});
}

TEST_CASE("quotes keep blanks, and may be anywhere in a word") {
  CHECK(shell_words(R"(-E 'a b' --where="size > 1")") == Words{"-E", "a b", "--where=size > 1"});
  CHECK(shell_words("''") == Words{""});
  CHECK(shell_words(R"('a\'b)") == Words{R"(a\b)"});
}

TEST_CASE("a backslash takes the next character, in double quotes only some") {
  CHECK(shell_words(R"(a\ b \"c)") == Words{"a b", "\"c"});
  CHECK(shell_words(R"("\.c \" \\ \$")") == Words{R"(\.c " \ $)"});
  CHECK(shell_words("a\\\nb") == Words{"ab"});
  CHECK(shell_words("a \\\n  b \\\n") == Words{"a", "b"});
}

TEST_CASE("an open quote is no line of words") {
  CHECK_FALSE(shell_words("'a"));
  CHECK_FALSE(shell_words("\"a"));
  CHECK_FALSE(shell_words("a\\"));
}

}  // namespace shell_words_test
