// SPDX-License-Identifier: MIT
// Sizes and permissions as people read them; and that --size finds what is shown.
#include "output/fields/numbers.h"

#include <limits>
#include <random>
#include <string>

#include "catch.h"
#include "query/values/range.h"

using namespace ffind;

namespace {

std::string human(std::uint64_t bytes, SizeUnits units = SizeUnits::decimal) {
  std::string out;
  append_human_size(out, bytes, units);
  return out;
}

std::string letters(std::uint32_t mode) {
  std::string out;
  append_mode_letters(out, mode);
  return out;
}

}  // namespace

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

TEST_CASE("permissions are shown as ls shows them") {
  CHECK(letters(0100644) == "-rw-r--r--");
  CHECK(letters(0040755) == "drwxr-xr-x");
  CHECK(letters(0120777) == "lrwxrwxrwx");
  CHECK(letters(0010600) == "prw-------");
  CHECK(letters(0140000) == "s---------");
  CHECK(letters(0060660) == "brw-rw----");
  CHECK(letters(0020666) == "crw-rw-rw-");
  CHECK(letters(0104755) == "-rwsr-xr-x");
  CHECK(letters(0106644) == "-rwSr-Sr--");
  CHECK(letters(0102755) == "-rwxr-sr-x");
  CHECK(letters(0041777) == "drwxrwxrwt");
  CHECK(letters(0041770) == "drwxrwx--T");
  CHECK(letters(0000644) == "?rw-r--r--");
}
