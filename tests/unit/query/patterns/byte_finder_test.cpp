// SPDX-License-Identifier: MIT
// The finder against the standard library's, at every place and length.
#include "query/patterns/byte_finder.h"
#include "text/ascii.h"

#include <random>
#include <string>

#include "catch.h"

namespace byte_finder_test {

using namespace ffind;
using namespace ffind::query;

TEST_CASE("a needle is found at every place of a block") {
  const std::string needle = GENERATE(values<std::string>(
      {"x", "xy", "xyz", "needle", "a needle that is longer than one vector of sixteen bytes"}));
  for (std::size_t place = 0; place < 200; ++place) {
    std::string bytes(200, '.');
    bytes.insert(place, needle);
    INFO(place);
    CHECK(ByteFinder(needle, text::KeyCase::kept).find(bytes, 0) == place);
    CHECK(ByteFinder(needle, text::KeyCase::folded).find(bytes, place) == place);
    CHECK(ByteFinder(needle, text::KeyCase::kept).find(bytes, place + 1) == ByteFinder::npos);
    // Not behind the end, although the bytes are there.
    CHECK(ByteFinder(needle, text::KeyCase::kept)
              .find({bytes.data(), place + needle.size() - 1}, 0) == ByteFinder::npos);
  }
}

TEST_CASE("case is ignored in ASCII letters only") {
  const ByteFinder letters("kq", text::KeyCase::folded);
  CHECK(letters.find("..Kq", 0) == 2);
  CHECK(letters.find("..KQ", 0) == 2);
  // [ and { differ in the same bit as K and k.
  const ByteFinder braces("a{", text::KeyCase::folded);
  CHECK(braces.find("A{", 0) == 0);
  CHECK(braces.find("A[", 0) == ByteFinder::npos);
  const ByteFinder bytes("\xE4", text::KeyCase::folded);
  CHECK(bytes.find("\xC4", 0) == ByteFinder::npos);
  CHECK(ByteFinder("kq", text::KeyCase::kept).find("KQ", 0) == ByteFinder::npos);
}

TEST_CASE("the finder finds what the standard library finds") {
  std::mt19937 random(4711);
  for (int round = 0; round < 3000; ++round) {
    std::string bytes(random() % 300, ' ');
    for (char& c : bytes) c = "aAbB. "[random() % 6];
    std::string needle(1 + random() % 4, ' ');
    for (char& c : needle) c = "aAbB."[random() % 5];
    const std::size_t from = random() % 20;
    INFO(bytes << "|" << needle << "|" << from);
    CHECK(ByteFinder(needle, text::KeyCase::kept).find(bytes, from) == bytes.find(needle, from));
    const std::string folded = text::fold_ascii(needle);
    CHECK(ByteFinder(folded, text::KeyCase::folded).find(bytes, from) ==
          text::fold_ascii(bytes).find(folded, from));
  }
}

}  // namespace byte_finder_test
