// SPDX-License-Identifier: MIT
// What is shown of a value that is wrong, and where the caret stands.
#include "text/problem.h"

#include <string>
#include <vector>

#include "catch.h"

namespace problem_test {

using namespace ffind;
using namespace ffind::text;

namespace {

struct Lines {
  std::string first;
  std::string value;
  std::string caret;
};

Lines lines_of(std::string_view text, std::size_t position) {
  std::string message;
  try {
    fail_at({"-o", ""}, text, position, "bad");
  } catch (const UsageError& error) {
    message = error.what();
  }
  const std::size_t second = message.find("\n  ");
  const std::size_t third = message.find("\n  ", second + 1);
  return {message.substr(0, second), message.substr(second + 3, third - second - 3),
          message.substr(third + 3)};
}

std::string caret_at(std::size_t column) {
  return std::string(column, ' ') + "^";
}

}  // namespace

TEST_CASE("the caret stands under what is seen, however wide that is") {
  struct Row {
    std::string_view text;
    std::size_t position;
    std::size_t column;
  };
  const std::vector<Row> rows = {
      {"漢字x", 6, 4},            // two columns each
      {"漢字x", 3, 2},            // at the second
      {"o\u0308x", 3, 1},         // a mark takes none
      {"o\u0308x", 1, 0},         // at the mark: under its letter
      {"a\u0300\u0301bc", 6, 2},  // several marks
      {"\u0308x", 2, 0},          // a mark with no letter
      {"漢\xFFx", 4, 6},          // an escaped byte takes four
  };
  for (const Row& row : rows) {
    CAPTURE(row.text, row.position);
    CHECK(lines_of(row.text, row.position).caret == caret_at(row.column));
  }
}

TEST_CASE("of a long value is shown what stands around the place") {
  const std::string a(100, 'a');
  const std::string b(100, 'b');
  struct Row {
    std::string text;
    std::size_t position;
    std::string shown;
    std::size_t column;
  };
  const std::vector<Row> rows = {
      {std::string(70, 'a'), 69, std::string(70, 'a'), 69},
      {std::string(71, 'a'), 0, std::string(70, 'a') + "…", 0},
      {std::string(71, 'a'), 71, "…" + std::string(70, 'a'), 71},
      {a + "X" + b, 100, "…" + a.substr(0, 45) + "X" + b.substr(0, 24) + "…", 46},
      {"X" + a, 0, "X" + a.substr(0, 69) + "…", 0},
      {a + "X", 100, "…" + a.substr(0, 69) + "X", 70},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text, row.position);
    const Lines lines = lines_of(row.text, row.position);
    CHECK(lines.value == row.shown);
    CHECK(lines.first == "-o: bad");
    CHECK(lines.caret == caret_at(row.column));
  }
}

TEST_CASE("a long value is cut between characters, never in one") {
  std::string wide;
  for (int i = 0; i < 50; ++i) wide += "漢";
  const Lines lines = lines_of(wide, 75);
  CHECK(lines.value.substr(0, 3) == "…");
  CHECK(lines.value.substr(3, 3) == "漢");
  CHECK(lines.value.size() == 3 + 3 * 35);
  // 25 characters before the place are 50 columns, of which the last 45 hold 22 whole ones.
  CHECK(lines.caret == caret_at(1 + 2 * 22));
  std::string marked;
  for (int i = 0; i < 100; ++i) marked += "o\u0308";
  CHECK(lines_of(marked, 0).value == marked.substr(0, 3 * 70) + "…");
}

TEST_CASE("a fragment quoted in passing is cut behind its beginning") {
  CHECK(beginning_of(std::string(40, 'x')) == std::string(40, 'x'));
  CHECK(beginning_of(std::string(41, 'x')) == std::string(40, 'x') + "…");
  CHECK(beginning_of("").empty());
  CHECK(beginning_of("\xFF") == "\xFF");
}

TEST_CASE("what is wrong is said in full, however long that takes") {
  const std::string what = std::string(200, 'w') + " at last";
  try {
    fail_at({"-o", ""}, "x", 0, what);
  } catch (const UsageError& error) {
    CHECK(std::string(error.what()) == "-o: " + what + "\n  x\n  ^");
  }
}

TEST_CASE("a message has the parts that a usage error has") {
  CHECK(rendered({.what = "no"}) == "no");
  CHECK(rendered({.what = "no", .guess = "; yes?"}) == "no; yes?");
  CHECK(rendered({.what = "no", .place = {.source = "in f, line 3"}}) == "in f, line 3: no");
  CHECK(rendered({.what = "no", .place = {.option = "--size"}}) == "--size: no");
  CHECK(rendered({.what = "no", .place = {.value = "10Q"}}) == "no");
  CHECK(rendered({.what = "no", .place = {.value = "10Q", .position = 2}}) == "no\n  10Q\n    ^");
  CHECK(rendered({.what = "no", .place = {.options = {"-a"}, .word = 3, .quoted = "x"}}) == "no");
  CHECK(rendered({.what = "no", .reason = "why"}) == "no\n  why");
  CHECK(rendered({.what = "no", .suggestion = "ffind x"}) == "no\n  try: ffind x");
  CHECK(rendered({.what = "no", .example = "ffind x"}) == "no\n  for example: ffind x");
  CHECK(rendered({.what = "no", .advice = "or y", .see = "z"}) == "no\n  or y\n  z");
  CHECK(rendered({.what = "no", .note = "in f"}) == "no\n  in f");
  CHECK(rendered({.what = "no", .meanings = {{"for a", "ffind a"}, {"for b", "ffind b"}}}) ==
        "no\n  for a: ffind a\n  for b: ffind b");
}

TEST_CASE("all parts of a message, in their order") {
  UsageParts parts{
      .what = "no",
      .guess = "; yes?",
      .place = {.source = "in f, line 3", .option = "--size", .value = "a b", .position = 1},
      .reason = "why",
      .example = "ffind x",
      .advice = "or y",
      .see = "z",
      .note = "in f"};
  const std::string begin = "in f, line 3: --size: no";
  const std::string caret = "\n  a b\n   ^\n  why";
  CHECK(rendered(parts) ==
        begin + "; yes?" + caret + "\n  for example: ffind x\n  or y\n  z\n  in f");
  parts.suggestion = "ffind v";
  CHECK(rendered(parts) == begin + caret + "\n  try: ffind v\n  in f");
}

TEST_CASE("a value of several lines is shown on one, and once is enough") {
  CHECK(rendered({.what = "no", .place = {.value = "a\nb", .position = 2}}) ==
        "no\n  a\\nb\n     ^");
  CHECK(rendered({.what = "'10Q' is no", .place = {.value = "10Q", .position = 2}}) ==
        "'10Q' is no");
  const UsageError error(UsageParts{.what = "no", .example = "ffind x"});
  CHECK(std::string(error.what()) == rendered(error.parts()));
}

TEST_CASE("an error about a value keeps its parts") {
  try {
    fail_at({"--size", "--size 1M"}, "10Q", 2, "unknown unit 'Q'", "; did you mean 'k'?");
  } catch (const ValueError& error) {
    CHECK(error.position() == 2);
    CHECK(error.what_is_wrong() == "unknown unit 'Q'");
    CHECK(error.parts().place.option == "--size");
    CHECK(std::string(error.what()) ==
          "--size: unknown unit 'Q'; did you mean 'k'?\n  10Q\n    ^\n  for example: --size 1M");
  }
}

}  // namespace problem_test
