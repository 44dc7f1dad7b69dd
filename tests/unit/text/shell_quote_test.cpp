// SPDX-License-Identifier: MIT
// Words that a shell reads back as they were.
#include "text/quoting.h"

#include <array>
#include <cstdio>
#include <memory>

#include "catch.h"

namespace shell_quote_test {

using namespace ffind::text;

namespace {

std::string quoted(std::string_view word) {
  std::string out;
  append_shell_quoted(out, word);
  return out;
}

/// What the shell makes of `line`: its words, each in brackets.
std::string read_by_shell(const std::string& line) {
  const std::string script = "printf '[%s]' " + line;
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(::popen(script.c_str(), "r"),
                                                             ::pclose);
  std::string text;
  std::array<char, 4096> buffer{};
  for (std::size_t count = 0;
       (count = std::fread(buffer.data(), 1, buffer.size(), pipe.get())) > 0;) {
    text.append(buffer.data(), count);
  }
  return text;
}

}  // namespace

TEST_CASE("plain words stay as they are, others are quoted") {
  CHECK(quoted("src/a-b_c.txt") == "src/a-b_c.txt");
  CHECK(quoted("a b") == "'a b'");
  CHECK(quoted("").size() == 2);
  CHECK(quoted("it's") == "'it'\\''s'");
  CHECK(quoted("a=b") == "'a=b'");
  CHECK(quoted("--count=dir") == "--count=dir");
  CHECK(quoted("~") == "'~'");
  CHECK(quoted("a\nb\xfe") == "'a\nb\xfe'");
  CHECK(shell_line({"rm", "-f", "a b"}, QuotedFor::shell) == "rm -f 'a b'");
}

TEST_CASE("a shell reads every byte back") {
  std::string all;
  for (int byte = 1; byte < 256; ++byte) all += static_cast<char>(byte);
  CHECK(read_by_shell(quoted(all)) == "[" + all + "]");
  for (int byte = 1; byte < 256; ++byte) {
    const std::string word(1, static_cast<char>(byte));
    INFO(byte);
    CHECK(read_by_shell(shell_line({word, "x" + word, ""}, QuotedFor::shell)) ==
          "[" + word + "][x" + word + "][]");
  }
}

TEST_CASE("what is shown on a terminal is quoted otherwise only where it could steer it") {
  CHECK(shell_line({"rm", "it's.txt", "a\tb.txt", "back\\slash"}, QuotedFor::terminal) ==
        "rm 'it'\\''s.txt' $'a\\tb.txt' 'back\\slash'");
}

}  // namespace shell_quote_test
