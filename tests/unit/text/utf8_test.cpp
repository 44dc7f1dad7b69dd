// SPDX-License-Identifier: MIT
// Text: UTF-8, normalisation, and case folding held against RE2's.
#include "text/utf8.h"
#include "text/ascii.h"
#include "text/unicode.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "catch.h"
#include "query/patterns/pattern.h"
#include "random.h"
#include "unit/text/code_points_of_tests.h"

namespace utf8_test {

using namespace ffind;
using namespace ffind::text;

namespace {

std::unique_ptr<const query::Pattern> regex(std::string_view text, KeyCase key_case) {
  return query::make_regex(text, key_case, {"-e", "-e x"}, text);
}

/// A class of all `members`; none of its letters is looked for in any way but RE2's.
std::string class_of(const std::vector<char32_t>& members) {
  std::string text = "[";
  for (const char32_t c : members) text += utf8(c);
  return text + "]";
}

/// All, with something between that combines with none of them.
std::string spread(const std::vector<char32_t>& members) {
  std::string text;
  for (const char32_t c : members) text += utf8(c) + "-";
  return text;
}

struct Letters {
  std::vector<std::vector<char32_t>> orbits;  ///< with more than one member
  std::string uncased;                        ///< all, as the inside of a class
};

/// What fold says. Left out is what RE2 does not know as assigned, since the two libraries may
/// follow different versions of Unicode; and what is not NFC, since no subject ever has it.
Letters letters_by_fold() {
  const auto known = regex("^[\\pL\\pM\\pN\\pS]$", KeyCase::kept);
  std::map<char32_t, std::vector<char32_t>> orbits;
  for (char32_t c = 0x41; c <= 0x10FFFF; ++c) {
    if (is_surrogate(c)) continue;
    const char32_t folded = fold(c);
    if (folded != c || c < 0x80) orbits[folded].push_back(c);
  }
  for (auto& [folded, members] : orbits) {
    if (folded >= 0x80) members.push_back(folded);
    const auto unfit = [&](char32_t c) {
      return key_of(utf8(c), KeyCase::kept) != utf8(c) || !known->matches(utf8(c));
    };
    members.erase(std::remove_if(members.begin(), members.end(), unfit), members.end());
  }
  Letters letters;
  for (char32_t c = 0x80; c <= 0x10FFFF; ++c) {
    const auto is_uncased = [&](char32_t x) {
      return x <= 0x10FFFF && !is_surrogate(x) && orbits.count(fold(x)) == 0 &&
             (x >= 0x3400 || key_of(utf8(x), KeyCase::kept) == utf8(x));
    };
    if (!is_uncased(c)) continue;
    letters.uncased += utf8(c) + "-";
    while (is_uncased(c + 1)) ++c;
    letters.uncased += utf8(c);
  }
  for (auto& [folded, members] : orbits) {
    if (members.size() > 1) letters.orbits.push_back(members);
  }
  return letters;
}

std::u32string decoded(std::string_view text) {
  std::u32string code_points;
  for (std::size_t i = 0; i < text.size();) code_points += next_code_point(text, i);
  return code_points;
}

}  // namespace

TEST_CASE("fold puts into one orbit what RE2 takes for the same letter") {
  const Letters letters = letters_by_fold();
  CHECK(letters.orbits.size() > 1300);
  for (std::size_t from = 0; from < letters.orbits.size(); from += 50) {
    std::string expression = "^";
    std::vector<std::string> subjects(4);
    for (std::size_t i = from; i < std::min(from + 50, letters.orbits.size()); ++i) {
      const auto& orbit = letters.orbits[i];
      expression += class_of({orbit[0]}) + "-";
      for (std::size_t s = 0; s < subjects.size(); ++s) {
        subjects[s] += utf8(orbit[s % orbit.size()]) + "-";
      }
    }
    const auto pattern = regex(expression + "$", KeyCase::folded);
    for (const std::string& subject : subjects) CHECK(pattern->matches(subject));
  }
}

TEST_CASE("fold keeps apart what RE2 takes for different letters") {
  const Letters letters = letters_by_fold();
  // Two orbits differ in some bit of their numbers: what has the bit is held against what has not.
  for (std::size_t bit = 1; bit < letters.orbits.size(); bit <<= 1) {
    std::vector<char32_t> with;
    std::vector<char32_t> without;
    for (std::size_t i = 0; i < letters.orbits.size(); ++i) {
      auto& side = (i & bit) != 0 ? with : without;
      side.insert(side.end(), letters.orbits[i].begin(), letters.orbits[i].end());
    }
    CHECK_FALSE(regex(class_of(with), KeyCase::folded)->matches(spread(without)));
    CHECK_FALSE(regex(class_of(without), KeyCase::folded)->matches(spread(with)));
  }
}

TEST_CASE("fold leaves alone what RE2 knows in one case only") {
  const Letters letters = letters_by_fold();
  const auto uncased = regex("[" + letters.uncased + "]", KeyCase::folded);
  for (const auto& orbit : letters.orbits) CHECK_FALSE(uncased->matches(spread(orbit)));
}

TEST_CASE("fold knows the letters that are easily got wrong") {
  CHECK(fold(U'ß') == fold(U'ẞ'));
  CHECK(fold(U'ς') == fold(U'Σ'));
  CHECK(fold(U'ſ') == U's');
  CHECK(fold(U'\u212A') == U'k');
  CHECK(fold(U'\u01C5') == fold(U'\u01C4'));
  CHECK(fold(U'\u0345') == fold(U'ι'));
  CHECK(fold(U'\u13A0') == fold(U'\uAB70'));
  CHECK(fold(U'İ') == U'İ');
  CHECK(fold(U'ı') == U'ı');
}

TEST_CASE("is_ascii sees a high byte at every place of every length") {
  for (std::size_t size = 0; size < 40; ++size) {
    std::string text(size, 'x');
    CHECK(is_ascii(text));
    for (std::size_t i = 0; i < size; ++i) {
      text[i] = static_cast<char>(0x80);
      CHECK_FALSE(is_ascii(text));
      text[i] = 'x';
    }
  }
}

TEST_CASE("is_utf8 takes every code point and refuses what only looks like one") {
  for (char32_t c = 0; c <= 0x10FFFF; c += c < 0x3000 ? 1 : 97) {
    const std::string text = utf8(c);
    const bool valid = is_utf8(text);
    if (valid == is_surrogate(c)) FAIL("U+" << std::hex << static_cast<unsigned>(c));
    if (valid && decoded(text) != std::u32string(1, c)) FAIL(std::hex << static_cast<unsigned>(c));
  }
  for (const char* text : {"\x80", "\xC0\x80", "\xC1\xBF", "\xC3", "\xC3(", "\xE0\x80\x80",
                           "\xE0\x9F\xBF", "\xED\xA0\x80", "\xF0\x8F\xBF\xBF", "\xF4\x90\x80\x80",
                           "\xF5\x80\x80\x80", "\xFF", "\xE2\x82", "ok\xE9", "\xF0\x9F\x98"}) {
    CHECK_FALSE(is_utf8(text));
  }
}

TEST_CASE("a text and its decomposition have one key") {
  CHECK(key_of("gro\u0308\u00DFe", KeyCase::kept) == "größe");
  CHECK(key_of("GRO\u0308\u1E9EE", KeyCase::folded) == "größe");
  CHECK(key_of("\u1100\u1161", KeyCase::kept) == "가");
  CHECK(key_of("가\u11A8", KeyCase::kept) == "각");
  CHECK(key_of("か\u3099", KeyCase::kept) == "が");
  CHECK(key_of("a\u0323\u0307", KeyCase::kept) == key_of("a\u0307\u0323", KeyCase::kept));
  CHECK(key_of("\u212B\u212A", KeyCase::kept) == "ÅK");
}

TEST_CASE("compositions that Unicode excludes are not made") {
  CHECK(key_of("\u0915\u093C", KeyCase::kept) == "\u0915\u093C");
  CHECK(key_of("\u0958", KeyCase::kept) == "\u0915\u093C");
}

TEST_CASE("no key depends on the way that saves normalising") {
  // U+0344 is never NFC, so it forces the long way; a slash combines with nothing.
  const std::string force = "/\u0344";
  const std::string forced = key_of(force, KeyCase::kept);
  const std::vector<std::string> heads = {"", "a", "E", "ö", "\u1100", "가", "か", "ϒ", "Ж"};
  for (char32_t c = 0x80; c <= 0x10FFFF; c += c < 0x3200 ? 1 : 31) {
    if (is_surrogate(c)) continue;
    for (const std::string& head : heads) {
      const std::string text = head + utf8(c);
      if (key_of(text, KeyCase::kept) + forced != key_of(text + force, KeyCase::kept)) {
        FAIL(head << " U+" << std::hex << static_cast<unsigned>(c));
      }
    }
  }
}

TEST_CASE("a key is its own key, however long") {
  Random random(7);
  for (int round = 0; round < 200; ++round) {
    std::string text;
    for (unsigned i = random() % 2000; i > 0; --i) {
      const char32_t c = random() % (random() % 2 == 0 ? 0x600U : 0x20000U);
      text += utf8(is_surrogate(c) ? U'x' : c);
    }
    const std::string key = key_of(text, KeyCase::kept);
    CHECK(key_of(key, KeyCase::kept) == key);
    CHECK(is_utf8(key_of(text, KeyCase::folded)));
  }
}

TEST_CASE("upper case is what Unicode calls upper or title case") {
  CHECK(has_upper_case("reporT"));
  CHECK(has_upper_case("Ärger"));
  CHECK(has_upper_case("\u01C5"));
  CHECK(has_upper_case("bad\xFFX"));
  CHECK_FALSE(has_upper_case("größe 12 漢字 ß"));
  CHECK_FALSE(has_upper_case("bad\xFFx\xC9"));
}

}  // namespace utf8_test
