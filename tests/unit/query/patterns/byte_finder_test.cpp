// SPDX-License-Identifier: MIT
// The finder of blocks against the standard library, at every place and length; known bytes against
// keys: they must reject no name whose key contains the pattern's, for many tricky ones in all
// normal forms and cases.
#include "query/patterns/byte_finder.h"

#include <algorithm>
#include <random>
#include <string>

#include "catch.h"
#include "query/patterns/pattern.h"
#include "random.h"
#include "text/ascii.h"
#include "text/unicode.h"
#include "text/utf8.h"

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

namespace {

std::string utf8(char32_t c) {
  std::string text;
  text::append_utf8(text, c);
  return text;
}

std::string decomposed(std::string_view text) {
  std::string result;
  for (std::size_t position = 0; position < text.size();) {
    char32_t parts[text::most_parts];
    const std::size_t count = text::decompose(text::next_code_point(text, position), parts);
    for (std::size_t i = 0; i < count; ++i) text::append_utf8(result, parts[i]);
  }
  return result;
}

char32_t tricky(Random& random) {
  struct Range {
    char32_t first, last;
  };
  constexpr Range ranges[] = {
      {0x20, 0x7E},       {0xA0, 0x17F},      {0x180, 0x24F},    {0x300, 0x345},   {0x370, 0x3FF},
      {0x400, 0x4FF},     {0x5B0, 0x5EA},     {0x600, 0x655},    {0x915, 0x95F},   {0x9BE, 0x9DD},
      {0xB3E, 0xB57},     {0xE01, 0xE4E},     {0xF40, 0xF84},    {0x10A0, 0x10FF}, {0x1100, 0x11C2},
      {0x13A0, 0x13FD},   {0x1C80, 0x1CBF},   {0x1E00, 0x1E9F},  {0x1F00, 0x1FFF}, {0x2126, 0x212B},
      {0x2C00, 0x2C5F},   {0x3041, 0x30FE},   {0x4E00, 0x4E40},  {0x5448, 0x544A}, {0xA640, 0xA64F},
      {0xAB70, 0xABBF},   {0xAC00, 0xAC70},   {0xF900, 0xFA10},  {0xFB1D, 0xFB4E}, {0xFF21, 0xFF5A},
      {0x1D15E, 0x1D165}, {0x1F600, 0x1F610}, {0x2F800, 0x2FA1D}};
  const Range& range = ranges[random() % std::size(ranges)];
  return range.first + random() % (range.last - range.first + 1);
}

}  // namespace

TEST_CASE("no name is refused whose key has the key of the pattern") {
  Random random(5);
  int hits = 0;
  for (int round = 0; round < rounds(2000); ++round) {
    const text::KeyRules rules(round % 2 == 0 ? text::KeyCase::kept : text::KeyCase::folded);
    std::string pattern;
    for (std::uint32_t i = 1 + random() % 4; i > 0; --i) text::append_utf8(pattern, tricky(random));
    const std::string key = text::key_of(pattern, rules);
    const auto piece = finder_of_known_bytes(key, rules);
    const auto allows = [&](std::string_view name) {
      return !piece || piece->find(name, 0) != ByteFinder::npos;
    };
    const auto literal = make_literal(PatternKind::contains, pattern, rules);
    for (int i = 0; i < 12; ++i) {
      std::string name;
      if (i % 3 != 0) text::append_utf8(name, tricky(random));
      // The pattern in another form, letter by letter, and in another case by way of its key.
      const std::string& source = i % 2 == 0 ? pattern : key;
      for (std::size_t position = 0; position < source.size();) {
        const std::string letter = utf8(text::next_code_point(source, position));
        name += random() % 2 == 0 ? letter : decomposed(letter);
        if (i == 11) text::append_utf8(name, tricky(random));
      }
      if (i % 4 != 0) text::append_utf8(name, tricky(random));
      if (i % 5 == 0) name = text::key_of(name, text::KeyCase::kept);
      const bool matches = text::key_of(name, rules).find(key) != std::string::npos;
      hits += matches ? 1 : 0;
      if (matches && !allows(name)) FAIL(pattern << " in " << name);
      if (literal->matches(name) != matches) {
        FAIL(pattern << " as a literal in " << name);
      }
    }
  }
  CHECK(hits > rounds(5000));
}

TEST_CASE("kana and Han are known unless there is a compatibility ideograph") {
  CHECK(finder_of_known_bytes("漢字か", text::KeyCase::folded)->find("字か", 0) == 0);
  for (const char* text : {"\u5442", "が", "\u3099", "я", "한"}) {
    CHECK_FALSE(finder_of_known_bytes(text, text::KeyCase::folded));
  }
}

}  // namespace byte_finder_test
