// SPDX-License-Identifier: MIT
// Expressions and globs held against texts that are not UTF-8: rewritten, and against a naive
// reading of the text, character by character.

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "catch.h"
#include "query/patterns/pattern.h"
#include "random.h"
#include "text/utf8.h"

namespace byte_regex_test {

using namespace ffind;
using namespace ffind::query;

namespace {

bool finds(std::string_view regex, std::string_view subject,
           text::KeyCase key_case = text::KeyCase::kept) {
  return make_regex(regex, key_case, {}, regex)->matches(subject);
}

bool fits(std::string_view glob, std::string_view subject,
          text::KeyCase key_case = text::KeyCase::kept) {
  return make_glob(glob, key_case, {})->matches(subject);
}

/// A character, or a byte that is part of none.
struct Unit {
  char32_t value;
  bool is_byte;
};

std::vector<Unit> units_of(std::string_view text) {
  std::vector<Unit> units;
  for (std::size_t at = 0; at < text.size();) {
    const char32_t c = text::checked_code_point(text, at);
    const bool is_byte = c == text::no_code_point;
    units.push_back({is_byte ? static_cast<unsigned char>(text[at++]) : c, is_byte});
  }
  return units;
}

/// What stands for one unit, and what it stands for.
struct Atom {
  std::string text;
  bool negated = false;
  bool bytes = false;  ///< the ranges are of bytes as well
  std::vector<std::pair<char32_t, char32_t>> ranges{};

  bool holds(const Unit& unit, bool folding) const {
    const auto in = [&](char32_t c) {
      return std::any_of(ranges.begin(), ranges.end(),
                         [c](const auto& range) { return c >= range.first && c <= range.second; });
    };
    const char32_t other = unit.value ^ 0x20U;
    const bool letter = (unit.value | 0x20U) >= 'a' && (unit.value | 0x20U) <= 'z';
    const bool inside =
        unit.is_byte ? bytes && in(unit.value) : in(unit.value) || (folding && letter && in(other));
    return inside != negated;
  }
};

const std::vector<Atom> atoms = {
    {"a", false, false, {{'a', 'a'}}},
    {"K", false, false, {{'K', 'K'}}},
    {"é", false, false, {{0xE9, 0xE9}}},
    {"[é]", false, false, {{0xE9, 0xE9}}},
    {"[É-ïb-d]", false, false, {{0xC9, 0xEF}, {'b', 'd'}}},
    {"[à-ï]", false, false, {{0xE0, 0xEF}}},
    {"[^é]", true, false, {{0xE9, 0xE9}}},
    {"[^a-s日]", true, false, {{'a', 's'}, {0x65E5, 0x65E5}}},
    {".", true, false, {}},
    {"\\C", true, false, {}},
    {"[\\x{4E00}-\\x{9FFF}]", false, false, {{0x4E00, 0x9FFF}}},
    {"\\xE9", false, true, {{0xE9, 0xE9}}},
    {"[\\xC0-\\xEFx]", false, true, {{0xC0, 0xEF}, {'x', 'x'}}},
    {"[^\\xE3]", true, true, {{0xE3, 0xE3}}},
    {"\\W", true, false, {{'a', 'z'}, {'A', 'Z'}, {'0', '9'}, {'_', '_'}}},
    {"[\\d-é]", false, false, {{'0', '9'}, {'-', '-'}, {0xE9, 0xE9}}},
    {"\\Qé\\E", false, false, {{0xE9, 0xE9}}},
};

std::string random_text(Random& random) {
  static const char* const pieces[] = {"a",    "K",    "k",    "\u212A", "b",    "é",    "É",
                                       "ï",    "日",   "x",    "-",      "5",    "\xFF", "\xE9",
                                       "\xC3", "\xA9", "\xE3", "\xC0",   "\x80", "B",    "\n"};
  std::string text;
  for (unsigned i = random() % 5; i > 0; --i) text += pieces[random() % std::size(pieces)];
  return text;
}

}  // namespace

TEST_CASE("a class takes whole characters in what is not UTF-8") {
  CHECK_FALSE(finds("[é]", "\xE9t\xE9"));
  CHECK_FALSE(finds("[é]", "\xE3\xA9\xFF"));
  CHECK_FALSE(finds("^[é]$", "\xC3"));
  CHECK_FALSE(finds("[à-ï]", "\xC0\x80"));
  CHECK(finds("^x[é]\\W$", "xé\xFF"));
  CHECK(finds("^[^é]$", "\xC3"));
  CHECK_FALSE(finds("^[^é]..$", "é\xFF"));
  CHECK(finds("^..$", "日\xFF"));
  CHECK(finds("^[\\p{Han}]\\pL.$", "日é\xFF"));
  CHECK(finds("[\\x{4E00}-\\x{9FFF}]x", "日x\xFF"));
  CHECK(finds("[\\xE0-\\xEF]$", "日\xE9"));
  CHECK(finds("a\\xDF[b]",
              "a\xDF"
              "b"));
}

TEST_CASE("an expression that is no UTF-8 itself takes whole characters too") {
  CHECK(finds("^[é\xFE]+\xFF$", "é\xFE\xFF"));
  CHECK_FALSE(finds("[é]\xFF", "\xC3\xFF"));
  CHECK(finds("[\xF0-\xFF]$", "é\xFE"));
  CHECK_FALSE(finds("^[^\xFE]$", "\xFE"));
}

TEST_CASE("of what is not UTF-8 only letters of ASCII fold") {
  CHECK(finds("[k-m]É+", "LÉ\xFF", text::KeyCase::folded));
  CHECK_FALSE(finds("[é]", "É\xFF", text::KeyCase::folded));
  CHECK_FALSE(finds("[\\xE9]", "\xC9", text::KeyCase::folded));
  CHECK_FALSE(finds("[k]", "\u212A\xFF", text::KeyCase::folded));
  CHECK(finds("(?i)k[x](?-i:y)z", "KXyZ\xFF"));
  CHECK_FALSE(finds("(?i)k[x](?-i:y)z", "KXYZ\xFF"));
  CHECK_FALSE(finds("((?i)k)[x]", "KX\xFF"));
  CHECK(finds("[[:upper:]]\\p{Lu}", "aé\xFF", text::KeyCase::folded));
  CHECK_FALSE(finds("[[:upper:]]\\p{Lu}", "aé\xFF"));
  CHECK(byte_regex("(?i)a(?s-i:b)(?i-s)c", text::KeyCase::kept) == "[aA](?s:b)(?-s)[cC]");
}

TEST_CASE("a glob takes whole characters in what is not UTF-8") {
  CHECK_FALSE(fits("x[é]*", "x\xE3\xFF"));
  CHECK(fits("x[é]*", "xé\xFF"));
  CHECK(fits("[à-ï]\xFF", "é\xFF"));
  CHECK_FALSE(fits("[à-ï]*\xFF", "\xC3\xFF"));
  CHECK(fits("??", "日\xFF"));
  CHECK_FALSE(fits("*???", "日\xFF"));
  CHECK(fits("[!é]?", "\xC3\xFF"));
  CHECK(fits("[\xF0-\xFF]a",
             "\xFE"
             "a"));
}

TEST_CASE("expressions match in bytes what a naive reading says") {
  Random random(17);
  unsigned matches = 0;
  for (int round = 0; round < 20000; ++round) {
    const bool folding = round % 2 == 0;
    std::vector<Atom> wanted;
    std::string regex = round % 3 == 0 ? "" : "^";
    for (unsigned i = random() % 3 + 1; i > 0; --i) {
      wanted.push_back(atoms[random() % atoms.size()]);
      regex += wanted.back().text;
    }
    const std::string text = random_text(random) + "\xFF" + random_text(random);
    const std::vector<Unit> units = units_of(text);
    bool expected = false;
    const std::size_t last = regex.front() == '^' ? 0 : units.size();
    for (std::size_t at = 0; at <= last && at + wanted.size() <= units.size(); ++at) {
      bool here = true;
      for (std::size_t i = 0; i < wanted.size(); ++i) {
        here = here && wanted[i].holds(units[at + i], folding);
      }
      expected = expected || here;
    }
    matches += expected ? 1U : 0U;
    if (finds(regex, text, folding ? text::KeyCase::folded : text::KeyCase::kept) != expected) {
      FAIL(regex << (folding ? " folded" : "") << " on " << as_characters(text));
    }
  }
  CHECK(matches > 2000);
  CHECK(matches < 18000);
}

TEST_CASE("bytes as characters are bytes again") {
  Random random(18);
  for (int round = 0; round < 1000; ++round) {
    const std::string text = random_text(random) + "\xF0\x9F\x98";
    CHECK(text::is_utf8(as_characters(text)));
    CHECK(as_bytes(as_characters(text)) == text);
  }
}

}  // namespace byte_regex_test
