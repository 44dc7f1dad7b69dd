// SPDX-License-Identifier: MIT
// What is read off an expression, held against what RE2 does with it.
#include "query/patterns/regex_syntax.h"

#include <string>

#include "catch.h"
#include "query/patterns/pattern.h"
#include "random.h"

namespace regex_syntax_test {

using namespace ffind;
using namespace ffind::query;

namespace {

std::string random_regex(Random& random) {
  static const char* const pieces[] = {
      "a",           "b",    "ab",         "c",     "A",      ".",       "\\.",       "[ab]",
      "[^a]",        "*",    "+",          "?",     "*?",     "{2}",     "{0,1}",     "{1,}",
      "{",           "{,2}", "(ab)",       "(?:b)", "(a|b)",  "|",       "^",         "$",
      "\\A",         "\\z",  "\\b",        "\\x61", "\\141",  "\\x{62}", "\\Qa.b\\E", "\\Q",
      "\\E",         "\\d",  "\\pL",       "(?i)",  "(?s:.)", "é",       "(?P<n>a)",  "[]a]",
      "[[:alpha:]]", ".*",   "\\p{Greek}", "]",     "}",      "\\\\",    "\\n",       "[\\]]",
      "(",           ")",    "[a",         "\\1",   "{02}",   "\\xE9"};
  std::string regex;
  for (unsigned i = random() % 6 + 1; i > 0; --i) regex += pieces[random() % std::size(pieces)];
  return regex;
}

std::string random_subject(Random& random) {
  static const char* const pieces[] = {"a",    "b", "ab", "aab", "A",  "B", ".", "c", "{",
                                       "{,2}", "]", "}",  "\\",  "\n", "é", "É", "1", "a.b"};
  std::string subject;
  for (unsigned i = random() % 7; i > 0; --i) subject += pieces[random() % std::size(pieces)];
  return subject;
}

/// Null where RE2 refuses it. In a group, so that only RE2 decides.
std::unique_ptr<const Pattern> compiled(const std::string& regex, text::KeyCase key_case) {
  try {
    make_regex(regex, key_case, {}, regex);
  } catch (const UsageError&) {
    return nullptr;
  }
  try {
    const std::string grouped = "(?:" + regex + ")";
    return make_regex(grouped, key_case, {}, grouped);
  } catch (const UsageError&) {  // the expression ends inside \Q
    const std::string grouped = "(?:" + regex + "\\E)";
    return make_regex(grouped, key_case, {}, grouped);
  }
}

bool is_plain(std::string_view regex, std::string_view text, bool at_start, bool at_end) {
  const auto plain = plain_literal(regex);
  return plain && plain->text == text && plain->at_start == at_start && plain->at_end == at_end;
}

}  // namespace

TEST_CASE("every match contains the required literal") {
  Random random(11);
  int tried = 0;
  for (int round = 0; round < rounds(8'000); ++round) {
    const std::string regex = random_regex(random);
    const std::string required = required_literal(regex);
    if (required.empty()) continue;
    const text::KeyCase key_case = round % 2 == 0 ? text::KeyCase::kept : text::KeyCase::folded;
    const auto pattern = compiled(regex, key_case);
    if (pattern == nullptr) continue;
    const std::string key = text::key_of(required, key_case);
    for (int i = 0; i < 10; ++i) {
      const std::string subject = random_subject(random) + (i % 2 == 0 ? required : "") + "b";
      if (!pattern->matches(subject)) continue;
      ++tried;
      if (text::key_of(subject, key_case).find(key) == std::string::npos) {
        FAIL(regex << " matches " << subject << " without " << required);
      }
    }
  }
  CHECK(tried > rounds(1'000));
}

TEST_CASE("a plain literal matches what its expression matches") {
  Random random(12);
  int tried = 0;
  for (int round = 0; round < rounds(30'000); ++round) {
    const std::string regex = random_regex(random);
    const auto plain = plain_literal(regex);
    if (!plain) continue;
    const auto pattern = compiled(regex, text::KeyCase::folded);
    if (pattern == nullptr) FAIL(regex << " is no expression at all");
    const PatternKind kind = plain->at_start
                                 ? (plain->at_end ? PatternKind::exact : PatternKind::starts)
                                 : (plain->at_end ? PatternKind::ends : PatternKind::contains);
    const auto literal = make_literal(kind, plain->text, text::KeyCase::folded);
    for (int i = 0; i < 10; ++i) {
      std::string subject = random_subject(random);
      if (i % 2 == 0) subject += plain->text;
      if (i % 3 == 0) subject = plain->text + subject;
      if (i % 4 == 0) subject += "\xFF";
      ++tried;
      if (pattern->matches(subject) != literal->matches(subject)) FAIL(regex << " on " << subject);
    }
  }
  CHECK(tried > rounds(10'000));
}

TEST_CASE("required literals are what stands at the top without a choice") {
  CHECK(required_literal("[0-9]+\\.c") == ".c");
  CHECK(required_literal("test/.*\\.py$") == "test/");
  CHECK(required_literal("report(s|ed)?\\.pdf") == "report");
  CHECK(required_literal("abcd*e") == "abc");
  CHECK(required_literal("abc+d") == "abc");
  CHECK(required_literal("ab{0,3}c") == "a");
  CHECK(required_literal("gr(ö|o)ß*e") == "gr");
  CHECK(required_literal("ö?x") == "x");
  CHECK(required_literal("a\\Q*.*\\Eb") == "a*.*b");
  CHECK(required_literal("a{x}b") == "a{x}b");
  CHECK(required_literal("[abc]").empty());
  CHECK(required_literal("(abc)").empty());
}

TEST_CASE("a choice or a flag at the top leaves nothing required") {
  CHECK(required_literal("abc|d").empty());
  CHECK(required_literal("(?i)abc").empty());
  CHECK(required_literal("abc(?i)def").empty());
}

TEST_CASE("an expression that is only a literal is seen to be one") {
  CHECK(is_plain("report", "report", false, false));
  CHECK(is_plain("^report", "report", true, false));
  CHECK(is_plain("\\.h$", ".h", false, true));
  CHECK(is_plain("\\AMakefile\\z", "Makefile", true, true));
  CHECK(is_plain(".*\\.pdf$", ".pdf", false, true));
  CHECK(is_plain("^.*\\.pdf$", ".pdf", false, true));
  CHECK(is_plain("^report.*$", "report", true, false));
  CHECK(is_plain("\\Qa+b\\E", "a+b", false, false));
  CHECK(is_plain("\\x41", "A", false, false));
  CHECK(is_plain("a{02}", "a{02}", false, false));  // as RE2 reads it
  CHECK(is_plain("", "", false, false));
  CHECK(is_plain("^$", "", true, true));
}

TEST_CASE("an expression that is more than a literal is not taken for one") {
  for (const char* regex : {"a.c", "ab*", "a|b", "(ab)", "[a]", "^^a", "a$b", "a^b", "(?i)a", "\\d",
                            "\\xE9", "a.+", "a.*b", ".**", "\\bx", "a\\", "^*"}) {
    INFO(regex);
    CHECK_FALSE(plain_literal(regex).has_value());
  }
}

TEST_CASE("upper case that stands for itself is seen") {
  for (const char* regex : {"Report", "[A-Z]", "\\x4A", "\\x{4A}", "\\112", "\\QR\\E", "(?P<n>X)",
                            "[[:alpha:]X]", "[]X]", "\\pLX", "\\p{Greek}X", "Ä", "\\.H$", "(?i:X)",
                            "\\QA", "\\x{c4}", "a{2}B", "bad\xFFX"}) {
    INFO(regex);
    CHECK(regex_has_upper_case(regex));
  }
}

TEST_CASE("upper case that names a class, a group or a flag does not count") {
  for (const char* regex :
       {"\\S+", "\\W\\D\\B\\A", "\\pL", "\\PL", "\\p{Greek}", "\\P{Lu}", "(?P<Name>x)",
        "(?<Name>x)", "(?U)x", "(?sU:x)", "[\\S\\D]", "[\\pL]", "[^\\p{Lu}]", "\\Qx\\E",
        "\\x6a\\xe4", "\\C", "[[:^alpha:]]", "bad\xC9"}) {
    INFO(regex);
    CHECK_FALSE(regex_has_upper_case(regex));
  }
}

TEST_CASE("letters written by number are spelt out, unless they would mean something else") {
  CHECK(regex_with_letters_spelt_out("caf\\x65\\x{301}+") == "cafe\u0301+");
  CHECK(regex_with_letters_spelt_out("\\.x\\xE9[e\\x{301}]") == "\\.xé[e\\x{301}]");
  CHECK(regex_with_letters_spelt_out("a{\\x32}e\\x{301}") == "a{\\x32}e\u0301");
  CHECK(regex_with_letters_spelt_out("(?\\x69)\\x2E") == "(?\\x69)\\x2E");
}

TEST_CASE("a letter that is no byte is spelt out for bytes") {
  CHECK(regex_for_bytes("\\x{20AC}\\xE9[\\x{20AC}]") == "€\\xE9[€]");
}

}  // namespace regex_syntax_test
