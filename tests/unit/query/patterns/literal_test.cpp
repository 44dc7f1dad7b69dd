// SPDX-License-Identifier: MIT
// Literals: the fast ways against the plain ones, and the whole against RE2.
#include "query/patterns/pattern.h"

#include <algorithm>
#include <string>

#include "catch.h"
#include "random.h"
#include "text/ascii.h"

namespace literal_test {

using namespace ffind;
using namespace ffind::query;

namespace {

bool matches(PatternKind kind, std::string_view text, text::KeyCase key_case,
             std::string_view subject) {
  // Exactly as much memory as the subject has, so that a sanitizer sees each byte read too many.
  const std::vector<char> bytes(subject.begin(), subject.end());
  return make_literal(kind, text, key_case)->matches({bytes.data(), bytes.size()});
}

bool contains(std::string_view text, std::string_view subject) {
  return matches(PatternKind::contains, text, text::KeyCase::folded, subject);
}

std::string random_ascii(Random& random, unsigned longest) {
  std::string text;
  for (unsigned i = random() % (longest + 1); i > 0; --i) text += "aAbB@[`{zZ/"[random() % 11];
  return text;
}

std::string random_unicode(Random& random, unsigned longest) {
  static const char* const letters[] = {
      "a",      "A",       "k",      "K",       "\u212A", "s",       "S",
      "ſ",      "e",       "é",      "e\u0301", "É",      "E\u0301", "ß",
      "ẞ",      "ς",       "σ",      "Σ",       "İ",      "ı",       "i",
      "I",      "µ",       "μ",      "ω",       "Ω",      "\u2126",  "å",
      "\u212B", "A\u030A", "\u01C6", "\u01C5",  "\u01C4", "가",      "\u1100\u1161",
      "\u0345", "\u0301",  "\u0327", "-",       "漢",     "😀",       "\u1E9B",
      "ᾳ",      "ᾼ",       "\u1FBE", "\uAB70",  "\u13A0"};
  std::string text;
  for (unsigned i = random() % (longest + 1); i > 0; --i) {
    text += letters[random() % std::size(letters)];
  }
  return text;
}

/// In a group, so that nothing but RE2 looks for it.
std::string as_regex(PatternKind kind, std::string_view text) {
  std::string quoted = "(?:";
  for (const char c : text) quoted += (c == '-' ? "\\" : "") + std::string(1, c);
  quoted += ")";
  const bool from_start = kind == PatternKind::exact || kind == PatternKind::starts;
  const bool to_end = kind == PatternKind::exact || kind == PatternKind::ends;
  return (from_start ? "^" : "") + quoted + (to_end ? "$" : "");
}

constexpr PatternKind kinds[] = {PatternKind::contains, PatternKind::exact, PatternKind::starts,
                                 PatternKind::ends};

}  // namespace

TEST_CASE("a literal is found at every place of an ASCII name") {
  for (std::size_t before = 0; before < 20; ++before) {
    for (std::size_t after = 0; after < 20; ++after) {
      const std::string subject = std::string(before, 'r') + "RePort" + std::string(after, 't');
      CHECK(contains("report", subject));
      CHECK_FALSE(contains("reports", subject));
      CHECK(matches(PatternKind::starts, "report", text::KeyCase::folded, subject) ==
            (before == 0));
      CHECK(matches(PatternKind::ends, "report", text::KeyCase::folded, subject) == (after == 0));
      CHECK_FALSE(matches(PatternKind::contains, "report", text::KeyCase::kept, subject));
    }
  }
}

TEST_CASE("literals in ASCII agree with a search in plain lower case") {
  Random random(1);
  int hits = 0;
  for (int round = 0; round < 30000; ++round) {
    const std::string text = random_ascii(random, round % 3 == 0 ? 12 : 3);
    const std::string subject = random_ascii(random, 40);
    const std::string lower = text::fold_ascii(subject);
    const std::string key = text::fold_ascii(text);
    const bool found = lower.find(key) != std::string::npos;
    hits += found ? 1 : 0;
    if (contains(key, subject) != found) FAIL(key << " in " << subject);
    if (matches(PatternKind::contains, text, text::KeyCase::kept, subject) !=
        (subject.find(text) != std::string::npos)) {
      FAIL(text << " in " << subject);
    }
    CHECK(matches(PatternKind::exact, text, text::KeyCase::folded, subject) == (lower == key));
    CHECK(matches(PatternKind::starts, text, text::KeyCase::folded, subject) ==
          lower.starts_with(key));
    CHECK(matches(PatternKind::ends, text, text::KeyCase::folded, subject) == lower.ends_with(key));
  }
  CHECK(hits > 1000);
}

TEST_CASE("literals agree with RE2 on any Unicode, composed or not") {
  Random random(2);
  int hits = 0;
  for (int round = 0; round < 3000; ++round) {
    const PatternKind kind = kinds[random() % 4];
    const text::KeyCase key_case = random() % 3 == 0 ? text::KeyCase::kept : text::KeyCase::folded;
    const std::string text = random_unicode(random, 3);
    const std::string expression = as_regex(kind, text);
    const auto regex = make_regex(expression, key_case, {}, expression);
    const auto literal = make_literal(kind, text, key_case);
    for (int i = 0; i < 10; ++i) {
      std::string subject = random_unicode(random, 5);
      if (i % 2 == 0) subject += text;
      if (i % 5 == 0) subject += random_unicode(random, 1);
      const bool found = regex->matches(subject);
      hits += found ? 1 : 0;
      if (literal->matches(subject) != found) FAIL(text << " in " << subject);
    }
  }
  CHECK(hits > 3000);
}

TEST_CASE("literals agree with RE2 on names that are not UTF-8") {
  Random random(3);
  for (int round = 0; round < 1000; ++round) {
    const PatternKind kind = kinds[random() % 4];
    const std::string text = random_unicode(random, 2);
    const std::string expression = as_regex(kind, text);
    const std::string subject = random_unicode(random, 2) + text + "\xE9" + text;
    const bool found =
        make_regex(expression, text::KeyCase::folded, {}, expression)->matches(subject);
    if (matches(kind, text, text::KeyCase::folded, subject) != found)
      FAIL(text << " in " << subject);
  }
}

TEST_CASE("the first letters of a decomposed name are not found without their accents") {
  CHECK_FALSE(contains("gro", "gro\u0308\u00DFe"));
  CHECK(contains("grö", "GRO\u0308SSE"));
  CHECK(contains("gro\u0308", "größe"));
  CHECK_FALSE(matches(PatternKind::ends, "cafe", text::KeyCase::folded, "cafe\u0301"));
}

TEST_CASE("simple folding does not make two letters of one") {
  CHECK_FALSE(contains("ss", "straße"));
  CHECK(contains("STRAẞE", "straße"));
}

TEST_CASE("letters outside ASCII that fold into it meet their partners") {
  CHECK(contains("kelvin", "\u212Aelvin"));
  CHECK(contains("\u212Aelvin", "kelvin"));
  CHECK(contains("ſ", "S"));
}

TEST_CASE("a name that is not UTF-8 is matched as bytes") {
  CHECK(contains("caf", "CAF\xE9"));
  CHECK(contains("caf\xE9", "CAF\xE9"));
  CHECK_FALSE(contains("caf\xE9", "caf\xC9"));
  CHECK(matches(PatternKind::exact, "caf\xE9", text::KeyCase::kept, "caf\xE9"));
  CHECK(contains("é", "\xFFé"));
  CHECK_FALSE(contains("zip", "\xFE"));
}

TEST_CASE("half a letter is not found in a whole one") {
  CHECK_FALSE(contains("\xC3", "é"));
  CHECK_FALSE(contains("\xA9", "é"));
}

TEST_CASE("the empty literal is in every name, and is none") {
  for (const char* subject : {"x", "a longer name.txt", "é", "\xFF", ""}) {
    CHECK(contains("", subject));
    CHECK(matches(PatternKind::exact, "", text::KeyCase::folded, subject) == (*subject == '\0'));
  }
}

TEST_CASE("a byte that no name has is not found past its end") {
  CHECK_FALSE(contains(std::string_view("\0", 1), "abc"));
  CHECK_FALSE(contains(std::string_view("c\0", 2), "abc"));
}

TEST_CASE("subjects longer than any name are matched whole") {
  const std::string path = std::string(5000, 'a') + "/Größe/" + std::string(5000, 'B');
  CHECK(contains("GRÖSSE", path) == false);
  CHECK(contains("GRÖẞE/b", path));
  CHECK(matches(PatternKind::ends, "bbb", text::KeyCase::folded, path));
}

}  // namespace literal_test
