// SPDX-License-Identifier: MIT
// Names that patterns take for one another fold to the same.
#include "text/key.h"

#include "catch.h"

using namespace ffind;
using namespace ffind::text;

namespace {

std::string folded(const std::string& name) {
  std::string out = "x";
  append_folded_name(out, name);
  return out;
}

}  // namespace

TEST_CASE("names that differ in case or in normal form fold to the same") {
  CHECK(folded("ReadMe") == "xreadme");
  CHECK(folded("\xC3\x84pfel") == folded("a\xCC\x88pfel"));
  CHECK(folded("\xD0\x9F") == folded("\xD0\xBF"));
  CHECK(folded("\xC3\x9F") != folded("ss"));
}

TEST_CASE("of names that are not UTF-8 the ASCII letters fold") {
  CHECK(folded("A\xFFZ") == "xa\xFFz");
}
