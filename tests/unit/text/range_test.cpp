// SPDX-License-Identifier: MIT
// The grammar that all ranges share, ranges of depths, and where error messages point.
#include "text/ranges.h"

#include <limits>
#include <random>
#include <string>
#include <vector>

#include "catch.h"
#include "random.h"

namespace range_test {

namespace {

using namespace ffind;
using namespace ffind::text;

const ValueSource source{"--depth", "--depth 2, --depth '>3' or --depth 1..4"};

std::string failure(std::string_view text) {
  try {
    parse_depth_range(text, source);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "none";
}

constexpr std::uint32_t most = std::numeric_limits<std::uint32_t>::max();

}  // namespace

TEST_CASE("Ranges of depths") {
  struct Row {
    std::string_view text;
    DepthRange range;
  };
  const std::vector<Row> rows = {
      {"3", {3, 3}},        {"=3", {3, 3}},       {">3", {4, most}},
      {"+3", {4, most}},    {"<3", {0, 2}},       {"-3", {0, 2}},
      {">=3", {3, most}},   {"<=3", {0, 3}},      {"1..4", {1, 4}},
      {"4..4", {4, 4}},     {"2..", {2, most}},   {"..2", {0, 2}},
      {" 1 .. 4 ", {1, 4}}, {" > 3 ", {4, most}}, {"4294967295", {most, most}},
      {"007", {7, 7}},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    CHECK(parse_depth_range(row.text, source) == row.range);
  }
}

TEST_CASE("Ranges that nothing lies in are no mistake") {
  for (const std::string_view text : {"<0", ">4294967295"}) {
    CAPTURE(text);
    const DepthRange range = parse_depth_range(text, source);
    CHECK(range.first > range.last);
    CHECK_FALSE(range.contains(0));
    CHECK_FALSE(range.contains(most));
  }
}

TEST_CASE("An error shows the value, the place and an example") {
  CHECK(failure("12x") ==
        "--depth: a depth is a whole number without a unit\n"
        "  12x\n"
        "    ^\n"
        "  for example: --depth 2, --depth '>3' or --depth 1..4");
}

TEST_CASE("Errors of ranges point at the place") {
  struct Row {
    std::string_view text;
    std::string_view what;
    std::size_t column;
  };
  const std::vector<Row> rows = {
      {"", "a value is missing", 0},
      {"  ", "a value is missing", 0},
      {">", "a value is missing after '>'", 1},
      {">=", "a value is missing after '>='", 2},
      {"x", "'x' is not a number", 0},
      {"--3", "'-3' is not a number", 1},
      {"..", "one end of a range may be omitted, not both", 0},
      {">1..2", "a range with '..' cannot have '>' before it", 0},
      {">= 1..2", "a range with '..' cannot have '>=' before it", 0},
      {"1..2..3", "a range has one '..'", 4},
      {"1...3", "'.3' is not a number", 3},
      {"4..1", "the smaller end of a range comes first", 3},
      {"4294967296", "this number is too large", 0},
      {"1..99999999999999999999", "this number is too large", 3},
      {"1 2", "a depth is a whole number without a unit", 1},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    const std::string message = failure(row.text);
    CHECK(message.find(": " + std::string(row.what) + "\n") != std::string::npos);
    const bool shown = message.find("'" + std::string(row.text) + "'") == std::string::npos;
    CHECK((message.find("\n  " + std::string(row.column, ' ') + "^\n") != std::string::npos) ==
          (shown && !row.text.empty()));
  }
}

TEST_CASE("What would steer a terminal is shown escaped, and the caret follows") {
  struct Row {
    std::string_view text;
    std::size_t position;
    std::string_view shown;
    std::size_t column;
  };
  const std::vector<Row> rows = {
      {"ab", 1, "ab", 1},
      {"ab", 2, "ab", 2},
      {"ab", 99, "ab", 2},
      {"", 0, "", 0},
      {"\x1b[31mx", 1, "\\x1b[31mx", 4},
      {"a\nb", 2, "a\\nb", 3},
      {"\xc3\xa4x", 2, "\xc3\xa4x", 1},  // one column for two bytes
      {"\xe2\x82\xac\xf0\x9f\x98\x80x", 7, "\xe2\x82\xac\xf0\x9f\x98\x80x", 3},
      {"\xc3\xa4x", 1, "\xc3\xa4x", 0},              // inside a character: under it
      {"\xff\xc3x", 2, "\\xff\\xc3x", 8},            // not UTF-8
      {"\xc2\x9bm", 2, "\\xc2\\x9bm", 8},            // C1: a control sequence begins
      {"\xe2\x80\xaex", 3, "\\xe2\\x80\\xaex", 12},  // right-to-left override
  };
  for (const Row& row : rows) {
    CAPTURE(row.text, row.position);
    std::string message;
    try {
      fail_at({"-o", ""}, row.text, row.position, "bad");
    } catch (const UsageError& error) {
      message = error.what();
    }
    const std::string shown{row.shown};
    CHECK(message == (shown.empty()
                          ? "-o: bad"
                          : "-o: bad\n  " + shown + "\n  " + std::string(row.column, ' ') + "^"));
  }
}

TEST_CASE("What is quoted from the value is escaped too") {
  const std::string message = failure("1..\x1b]0;title\x07");
  CHECK(message.find('\x1b') == std::string::npos);
  CHECK(message.find('\x07') == std::string::npos);
}

TEST_CASE("Narrowing keeps what both ranges hold") {
  CHECK(narrow(SizeRange{1, 5}, SizeRange{3, 9}) == SizeRange{3, 5});
  CHECK(narrow(SizeRange{}, SizeRange{3, 9}) == SizeRange{3, 9});
  CHECK_FALSE(narrow(SizeRange{1, 2}, SizeRange{3, 4}).contains(2));
}

TEST_CASE("Random texts are read or refused, and nothing else") {
  std::mt19937 random(1);
  constexpr std::string_view likely = "0123456789.....<>=+--:TZ@ dhmowsykMGiB";
  for (int round = 0; round < rounds(20'000); ++round) {
    std::string text;
    for (auto size = random() % 20; size > 0; --size) {
      text += random() % 16 == 0 ? static_cast<char>(random()) : likely[random() % likely.size()];
    }
    const auto refuses = [&text](auto parse) {
      try {
        parse();
      } catch (const UsageError& error) {
        const std::string_view message = error.what();
        const bool quoted = text.empty() || message.find('\'') != std::string_view::npos;
        if (message.find('^') == std::string_view::npos && !quoted) FAIL("no caret: " << text);
      }
    };
    refuses([&] { parse_size_range(text, source); });
    refuses([&] { parse_depth_range(text, source); });
    refuses([&] { parse_time_range(text, Clock{{1'769'860'805}}, source); });
  }
}

}  // namespace range_test
