// SPDX-License-Identifier: MIT
// Numbers in names count by their value.
#include "text/unicode.h"

#include <string>
#include <vector>

#include "catch.h"

namespace natural_test {

using namespace ffind;
using namespace ffind::text;

namespace {

std::string key(const std::string& text) {
  std::string out;
  append_natural(out, text);
  return out;
}

}  // namespace

TEST_CASE("what people count comes in the order in which they count") {
  const std::vector<std::string> ordered = {
      "",
      " 2",
      "0",
      "1",
      "2",
      "9",
      "10",
      "18446744073709551616",
      "A2",
      "a",
      "a 2",
      "a.txt",
      "a0",
      "a1",
      "a1.txt",
      "a1b",
      "a2",
      "a2a9",
      "a2a10",
      "a2b1",
      "a9",
      "a10",
      "a10.5",
      "a10.40",
      "a010b",
      "a99999",
      "a100000",
      "a" + std::string(253, '9'),
      "a1" + std::string(253, '0'),
      "a" + std::string(300, '9'),
      "a1" + std::string(300, '0'),
      "a1" + std::string(600, '0'),
      "aa",
      "b1",
  };
  for (std::size_t i = 1; i < ordered.size(); ++i) {
    INFO(ordered[i - 1] << " | " << ordered[i]);
    CHECK(key(ordered[i - 1]) < key(ordered[i]));
  }
}

TEST_CASE("zeros in front of a number do not count") {
  CHECK(key("a007") == key("a7"));
  CHECK(key("a000.b") == key("a0.b"));
  CHECK(key("00") == key("0"));
  CHECK(key("a0b") != key("ab"));
}

TEST_CASE("a key has no zero byte of its own") {
  CHECK(key("x0y").find('\0') == std::string::npos);
  for (std::size_t digits = 0; digits < 1100; ++digits) {
    CHECK(key("x" + std::string(digits, '7') + "y").find('\0') == std::string::npos);
  }
}

}  // namespace natural_test
