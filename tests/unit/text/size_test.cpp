// SPDX-License-Identifier: MIT
// Sizes: units, granules to the byte, overflow, and where errors point.
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "catch.h"
#include "text/ranges.h"

namespace size_test {

namespace {

using namespace ffind;
using namespace ffind::text;

const ValueSource source{"--size", "--size 10M"};
constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t pebi = std::uint64_t{1} << 50U;

struct Row {
  std::string_view text;
  SizeRange range;
};

void check(const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    CAPTURE(row.text);
    const SizeRange range = parse_size_range(row.text, source);
    CHECK(range.first == row.range.first);
    CHECK(range.last == row.range.last);
  }
}

std::string human(std::uint64_t bytes, SizeUnits units = SizeUnits::decimal) {
  std::string out;
  append_human_size(out, bytes, units);
  return out;
}

}  // namespace

TEST_CASE("A size with a unit is a granule") {
  check({
      {"10M", {10'000'000, 10'999'999}},
      {"1k", {1000, 1999}},
      {"1K", {1000, 1999}},
      {"1Ki", {1024, 2047}},
      {"1ki", {1024, 2047}},
      {"0k", {0, 999}},
      {"2G", {2'000'000'000, 2'999'999'999}},
      {"3t", {3'000'000'000'000, 3'999'999'999'999}},
      {"1E", {1'000'000'000'000'000'000, 1'999'999'999'999'999'999}},
      {"15Ei", {15ULL << 60U, most}},
      {">=7EiB", {7ULL << 60U, most}},
      {"1P", {1'000'000'000'000'000, 1'999'999'999'999'999}},
      {"1Mi", {1U << 20U, (2U << 20U) - 1}},
      {"1Gi", {1U << 30U, (2U << 30U) - 1}},
      {"1Ti", {std::uint64_t{1} << 40U, (std::uint64_t{2} << 40U) - 1}},
      {"1Pi", {pebi, 2 * pebi - 1}},
      {"10MB", {10'000'000, 10'999'999}},
      {"1KiB", {1024, 2047}},
      {"1kb", {1000, 1999}},
      {" 10 M ", {10'000'000, 10'999'999}},
  });
}

TEST_CASE("Bytes are exact") {
  check({
      {"0", {0, 0}},
      {"512", {512, 512}},
      {"512b", {512, 512}},
      {"512B", {512, 512}},
      {"18446744073709551615", {most, most}},
  });
}

TEST_CASE("A decimal point makes the granule its last digit") {
  check({
      {"1.5M", {1'500'000, 1'599'999}},
      {"1.50M", {1'500'000, 1'509'999}},
      {"1.9k", {1900, 1999}},
      {"1.999k", {1999, 1999}},
      {"0.0k", {0, 99}},
      {"1.5Ki", {1536, 1638}},   // up to, not including, 1638.4
      {"1.1Ki", {1127, 1228}},   // from 1126.4 up to 1228.8
      {"1.25Ki", {1280, 1290}},  // up to 1290.24
      {"1.9Ki", {1946, 2047}},   // from 1945.6
      {"0.123456789012345678T", {123'456'789'012, 123'456'789'012}},
      // Finer than a byte: the byte it lies in.
      {"1.2345k", {1234, 1234}},
      {"1.0001Ki", {1024, 1024}},
      {"=1.2345k", {1234, 1234}},
  });
}

TEST_CASE("Compared, and as the ends of a span, a size is the exact number") {
  check({
      {">10M", {10'000'001, most}},
      {"+10M", {10'000'001, most}},
      {"<10M", {0, 9'999'999}},
      {"-10M", {0, 9'999'999}},
      {">=10M", {10'000'000, most}},
      {"<=10M", {0, 10'000'000}},
      {"=10M", {10'000'000, 10'000'000}},
      {"> 10M", {10'000'001, most}},
      {"1k..2M", {1000, 2'000'000}},
      {"1k..", {1000, most}},
      {"..2M", {0, 2'000'000}},
      {" 1k .. 2M ", {1000, 2'000'000}},
      {"1.5k..2.5k", {1500, 2500}},
      {"0..0", {0, 0}},
      // Between two bytes: 1.1Ki is 1126.4.
      {">1.1Ki", {1127, most}},
      {">=1.1Ki", {1127, most}},
      {"<1.1Ki", {0, 1126}},
      {"<=1.1Ki", {0, 1126}},
      {"1.1Ki..1.2Ki", {1127, 1228}},
  });
}

TEST_CASE("Sizes at the end of 64 bits do not wrap") {
  check({
      {"18446P", {18'446'000'000'000'000'000U, most}},
      {"16383Pi", {16383 * pebi, most}},
      {"16383.9Pi", {18'446'631'483'718'867'354U, most}},
      {">=16383Pi", {16383 * pebi, most}},
      {"16383.999999999999999999Pi", {most, most}},
      {">16383.999999999999999999Pi", {1, 0}},
      {">18446744073709551615", {1, 0}},
      {"<0", {1, 0}},
  });
}

TEST_CASE("Errors of sizes point at the place") {
  struct Bad {
    std::string_view text;
    std::string_view what;
    std::size_t column;
  };
  const std::vector<Bad> rows = {
      {"10Q", "unknown unit 'Q'", 2},
      {"10mm", "unknown unit 'mm'", 2},
      {"10i", "unknown unit 'i'", 2},
      {"10bb", "unknown unit 'bb'", 2},
      {">= 10 Q", "unknown unit 'Q'", 6},
      {"1k..2Q", "unknown unit 'Q'", 5},
      {"10\xc2\xb5", "unknown unit '\xc2\xb5'", 2},
      {"M", "'M' is not a number", 0},
      {"1.M", "digits are missing after the decimal point", 2},
      {".5M", "'.5M' is not a number", 0},
      {"1.5", "a fraction of a byte: a unit is missing, as in 1.5M", 1},
      {"1.5b", "a fraction of a byte", 1},
      {"1,5M", "a decimal point is written '.'", 1},
      {"10 M B", "'B' is unexpected here", 5},
      {"1.1234567890123456789M", "too many digits after the decimal point", 20},
      {"18446744073709551616", "this number is too large", 0},
      {"19E", "no file can be this large", 0},
      {"16Ei", "no file can be this large", 0},
      {"18447P", "no file can be this large", 0},
      {"16384Pi", "no file can be this large", 0},
      {"1k..99999P", "no file can be this large", 4},
      {"2M..1k", "the smaller end of a range comes first", 4},
      {"", "a value is missing", 0},
  };
  for (const Bad& bad : rows) {
    CAPTURE(bad.text);
    std::string message;
    try {
      parse_size_range(bad.text, source);
    } catch (const UsageError& error) {
      message = error.what();
    }
    CHECK(message.rfind("--size: " + std::string(bad.what), 0) == 0);
    const std::string caret = "\n  " + std::string(bad.column, ' ') + "^";
    const bool shown = message.find("'" + std::string(bad.text) + "'") == std::string::npos;
    CHECK((message.find(caret + "\n  for example: --size 10M") != std::string::npos) ==
          (shown && !bad.text.empty()));
  }
}

TEST_CASE("sizes are cut to two digits at least, never rounded up") {
  CHECK(human(0) == "0");
  CHECK(human(999) == "999");
  CHECK(human(1000) == "1.0k");
  CHECK(human(1999) == "1.9k");
  CHECK(human(9999) == "9.9k");
  CHECK(human(10'000) == "10k");
  CHECK(human(999'999) == "999k");
  CHECK(human(1'000'000) == "1.0M");
  CHECK(human(std::numeric_limits<std::uint64_t>::max()) == "18E");
  CHECK(human(1023, SizeUnits::binary) == "1023");
  CHECK(human(1024, SizeUnits::binary) == "1.0Ki");
  CHECK(human(1'048'575, SizeUnits::binary) == "1023Ki");
  CHECK(human(std::uint64_t{5} << 30U, SizeUnits::binary) == "5.0Gi");
  CHECK(human(std::numeric_limits<std::uint64_t>::max(), SizeUnits::binary) == "15Ei");
}

TEST_CASE("a size as it is shown finds the file by --size") {
  std::mt19937_64 random(7);
  for (int i = 0; i < 2000; ++i) {
    const std::uint64_t bytes = random() >> (random() % 60);
    for (const SizeUnits units : {SizeUnits::decimal, SizeUnits::binary}) {
      const std::string text = human(bytes, units);
      INFO(bytes << " shown as " << text);
      const SizeRange range = parse_size_range(text, {"--size", ""});
      CHECK(range.contains(bytes));
    }
  }
}

}  // namespace size_test
