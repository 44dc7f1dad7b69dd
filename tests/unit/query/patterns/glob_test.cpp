// SPDX-License-Identifier: MIT
// Globs: each rule by an example, and all of them against a matcher too simple to be wrong.
#include "query/patterns/pattern.h"

#include <string>
#include <vector>

#include "catch.h"
#include "random.h"
#include "text/utf8.h"

namespace glob_test {

using namespace ffind;
using namespace ffind::query;

namespace {

bool matches(std::string_view glob, std::string_view subject,
             text::KeyCase key_case = text::KeyCase::kept) {
  const std::vector<char> bytes(subject.begin(), subject.end());
  return make_glob(glob, key_case, {})->matches({bytes.data(), bytes.size()});
}

std::string message_of(std::string_view glob) {
  try {
    make_glob(glob, text::KeyCase::kept, {"-g", "-g '*.tar.*'"});
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

// ---- the reference: no folding, UTF-8 subjects, well-formed globs, no stars that meet only when
// braces are expanded (that is one star, not two)

using Text = std::u32string;

Text decoded(std::string_view text) {
  Text code_points;
  for (std::size_t i = 0; i < text.size();) code_points += text::next_code_point(text, i);
  return code_points;
}

std::vector<Text> expanded(const Text& glob) {
  int depth = 0;
  std::size_t open = 0;
  std::vector<std::size_t> cuts;
  for (std::size_t i = 0; i < glob.size(); ++i) {
    if (glob[i] == '{' && depth++ == 0) cuts.push_back(open = i);
    if (glob[i] == ',' && depth == 1) cuts.push_back(i);
    if (glob[i] != '}' || --depth != 0) continue;
    cuts.push_back(i);
    std::vector<Text> all;
    for (std::size_t cut = 0; cut + 1 < cuts.size(); ++cut) {
      const Text middle = glob.substr(cuts[cut] + 1, cuts[cut + 1] - cuts[cut] - 1);
      for (Text& one : expanded(glob.substr(0, open) + middle + glob.substr(i + 1))) {
        all.push_back(std::move(one));
      }
    }
    return all;
  }
  return {glob};
}

bool reference(const Text& glob, std::size_t g, const Text& subject, std::size_t s) {
  if (g == glob.size()) return s == subject.size();
  if (glob[g] == '*') {
    const std::size_t end = std::min(glob.find_first_not_of('*', g), glob.size());
    const bool whole_before = g == 0 || glob[g - 1] == '/';
    if (end - g == 1) {
      return reference(glob, end, subject, s) ||
             (s < subject.size() && subject[s] != '/' && reference(glob, g, subject, s + 1));
    }
    if (whole_before && end < glob.size() && glob[end] == '/') {
      if (reference(glob, end + 1, subject, s)) return true;
      for (std::size_t i = s; i < subject.size(); ++i) {
        if (subject[i] == '/' && reference(glob, end + 1, subject, i + 1)) return true;
      }
      return false;
    }
    const bool something = whole_before && g > 0 && end == glob.size();
    for (std::size_t i = s + (something ? 1 : 0); i <= subject.size(); ++i) {
      if (reference(glob, end, subject, i)) return true;
    }
    return false;
  }
  if (s == subject.size()) return false;
  if (glob[g] == '?') return subject[s] != '/' && reference(glob, g + 1, subject, s + 1);
  if (glob[g] == '[') {  // only [ab] and [!ab] are made
    const std::size_t end = glob.find(']', g);
    const bool negated = glob[g + 1] == '!';
    const bool member = glob.substr(g + 1, end - g - 1).find(subject[s]) != Text::npos;
    return subject[s] != '/' && member != negated && reference(glob, end + 1, subject, s + 1);
  }
  return glob[g] == subject[s] && reference(glob, g + 1, subject, s + 1);
}

bool reference(std::string_view glob, std::string_view subject) {
  for (const Text& one : expanded(decoded(glob))) {
    if (reference(one, 0, decoded(subject), 0)) return true;
  }
  return false;
}

template <std::size_t N>
std::string random_text(Random& random, const char* const (&pieces)[N], unsigned longest) {
  std::string text;
  for (unsigned i = random() % (longest + 1); i > 0; --i) text += pieces[random() % N];
  return text;
}

constexpr const char* subject_pieces[] = {"a", "b", "/", "é", "ab", ".", "漢"};

/// How many of some random subjects match, as the reference says as well.
int agreed_matches(Random& random, const std::string& glob) {
  const auto pattern = make_glob(glob, text::KeyCase::kept, {});
  int hits = 0;
  for (int i = 0; i < 8; ++i) {
    const std::string subject = random_text(random, subject_pieces, 6);
    const bool expected = reference(glob, subject);
    hits += expected ? 1 : 0;
    if (pattern->matches(subject) != expected) FAIL(glob << " on " << subject);
  }
  return hits;
}

}  // namespace

TEST_CASE("globs of text, * and ? agree with the reference") {
  static const char* const pieces[] = {"a", "b", "*", "*", "?", "/", "é", "ab", "."};
  Random random(21);
  int hits = 0;
  for (int round = 0; round < 8000; ++round) {
    std::string glob = random_text(random, pieces, 7);
    if (glob.find("**") != std::string::npos) continue;
    hits += agreed_matches(random, glob);
  }
  CHECK(hits > 2000);
}

TEST_CASE("globs with everything agree with the reference") {
  static const char* const pieces[] = {"a",          "b",   "*",    "?",    "/",     "/",
                                       "é",          "**",  "[ab]", "[!a]", "{a,b}", "{a/,.}",
                                       "{?,b{a,/}}", "**/", "/**",  "."};
  Random random(22);
  int hits = 0;
  for (int round = 0; round < 4000; ++round) {
    const std::string glob = random_text(random, pieces, 5);
    hits += agreed_matches(random, glob);
  }
  CHECK(hits > 1000);
}

TEST_CASE("a glob matches the whole subject") {
  CHECK(matches("*.c", "main.c"));
  CHECK_FALSE(matches("*.c", "main.cc"));
  CHECK_FALSE(matches("main", "main.c"));
  CHECK(matches("main*", "main.c"));
  CHECK(matches("*ai*", "main.c"));
  CHECK_FALSE(matches("", "x"));
}

TEST_CASE("a star or a question mark takes no slash") {
  CHECK_FALSE(matches("*.c", "src/main.c"));
  CHECK_FALSE(matches("src*", "src/main.c"));
  CHECK_FALSE(matches("*main*", "src/main.c"));
  CHECK(matches("src/*", "src/main.c"));
  CHECK(matches("*/main*", "src/main.c"));
  CHECK_FALSE(matches("src?main.c", "src/main.c"));
  CHECK_FALSE(matches("src[/]main.c", "src/main.c"));
  CHECK_FALSE(matches("src[/]\xFF", "src/\xFF"));  // bytes: no letter is above 0xFF
  CHECK_FALSE(matches("src[!a]main.c", "src/main.c"));
  CHECK_FALSE(matches("src[.-0]main.c", "src/main.c"));
  CHECK(matches("src[.-0]main.c", "src0main.c"));
}

TEST_CASE("a leading dot is a character like any other") {
  CHECK(matches("*", ".hidden"));
  CHECK(matches("?hidden", ".hidden"));
}

TEST_CASE("two stars stand for any number of directories") {
  CHECK(matches("**/x", "x"));
  CHECK(matches("**/x", "a/b/x"));
  CHECK_FALSE(matches("**/x", "ax"));
  CHECK(matches("a/**", "a/b"));
  CHECK(matches("a/**", "a/b/c"));
  CHECK_FALSE(matches("a/**", "a"));
  CHECK(matches("a/**/b", "a/b"));
  CHECK(matches("a/**/b", "a/x/y/b"));
  CHECK_FALSE(matches("a/**/b", "a/xb"));
  CHECK(matches("**", "a/b"));
  CHECK(matches("a**b", "axx/yyb"));
  CHECK(matches("{a,c/}**/b", "c/x/b"));
}

TEST_CASE("braces give a choice, and nest") {
  CHECK(matches("*.{c,h}", "x.h"));
  CHECK_FALSE(matches("*.{c,h}", "x.o"));
  CHECK(matches("*.tar{,.{gz,xz}}", "x.tar"));
  CHECK(matches("*.tar{,.{gz,xz}}", "x.tar.xz"));
  CHECK(matches("{a,b,c,d,e,f,g,h,i,j,k,l,m,n}{1,2}", "n2"));
  CHECK_FALSE(matches("{a,b,c,d,e,f,g,h,i,j,k,l,m,n}{1,2}", "n3"));
  CHECK(matches("a,b}", "a,b}"));
}

TEST_CASE("a class knows ranges, negation, names and its own brackets") {
  CHECK(matches("[a-a]", "a"));
  CHECK(matches("[\\^a]", "a"));
  CHECK(matches("[\\^a]", "^"));
  CHECK_FALSE(matches("[\\^a]", "b"));
  CHECK(matches("[a-c]x", "bx"));
  CHECK_FALSE(matches("[!a-c]x", "bx"));
  CHECK(matches("[^a-c]x", "dx"));
  CHECK(matches("[]]", "]"));
  CHECK(matches("[!]]", "a"));
  CHECK(matches("[a-]", "-"));
  CHECK(matches("[\\]x]", "]"));
  CHECK(matches("[[:digit:]_]", "_"));
  CHECK(matches("[[:punct:]]", "["));
  CHECK_FALSE(matches("[[:punct:]]", "/"));
  CHECK(matches("[ä-ö]", "o\u0308"));
  CHECK(matches("[a^]", "^"));
  CHECK(matches("[\\\\]", "\\"));
}

TEST_CASE("a backslash takes a character's meaning away") {
  CHECK(matches("\\*", "*"));
  CHECK_FALSE(matches("\\*", "x"));
  CHECK(matches("a\\{b,c\\}", "a{b,c}"));
  CHECK(matches("\\a", "a"));
}

TEST_CASE("characters that mean something in an expression mean nothing in a glob") {
  CHECK(matches("[ab].+(c)|$^{x\\,y}", "a.+(c)|$^x,y"));
  CHECK_FALSE(matches("[ab].c", "axc"));
}

TEST_CASE("a question mark takes one character, however it is written") {
  CHECK(matches("gr?ße", "gro\u0308ße"));
  CHECK(matches("gr?ße", "größe"));
  CHECK(matches("?", "😀"));
  CHECK(matches("*?", "é"));
  CHECK_FALSE(matches("??", "é"));
  CHECK(matches("caf?", "caf\xE9"));
  CHECK(matches("c?f*", "caf\xE9\xE8"));
}

TEST_CASE("a glob folds letters when case is ignored") {
  CHECK(matches("*.TXT", "a.txt", text::KeyCase::folded));
  CHECK(matches("GR?ẞE*", "größe.txt", text::KeyCase::folded));
  CHECK(matches("[A-C]?É", "bxe\u0301", text::KeyCase::folded));
  CHECK(matches("É?", "É\xFF", text::KeyCase::folded));
  CHECK_FALSE(matches("*.TXT", "a.txt"));
}

TEST_CASE("a glob that is not UTF-8 matches only names that are not") {
  CHECK(matches("caf\xE9*", "caf\xE9.txt"));
  CHECK(matches("*[\xE8-\xEA]", "caf\xE9"));
  CHECK_FALSE(matches("*\xA9", "café"));
  CHECK_FALSE(matches("?*?\xA9", "xxcafé"));
}

TEST_CASE("each byte of a name that is not UTF-8 is a character") {
  CHECK(matches("???", "é\xFF"));
  CHECK_FALSE(matches("??", "é\xFF"));
  CHECK(matches("[!a]????[[:alpha:]]", "日é\xE9"));
  CHECK(matches("*é?", "aé\xFF"));
  CHECK(matches("[\xF0-\xFF]a",
                "\xFE"
                "a"));
  CHECK_FALSE(matches("É?", "é\xFF", text::KeyCase::folded));
}

TEST_CASE("a class by name has what its categories have, and never a slash") {
  CHECK(matches("[[:alpha:]][[:alpha:]]", "\u0928\u093F"));
  CHECK(matches("[[:alnum:]][[:alnum:]]", "7\u0663"));
  CHECK(matches("[[:upper:]][[:lower:]]", "ÄÖ") == false);
  CHECK(matches("[[:punct:]][[:punct:]_]", "!¿"));
  CHECK(matches("[[:print:]x][![:print:]]", "/\n") == false);
  CHECK(matches("a[[:print:]x][![:print:]]", "a \n"));
  CHECK_FALSE(matches("a[![:alpha:]]b", "a/b"));
  CHECK_FALSE(matches("a[[:graph:]]b", "a/b"));
}

TEST_CASE("a glob made to be slow is not") {
  std::string glob;
  for (int i = 0; i < 30; ++i) glob += "*a?";
  CHECK_FALSE(matches(glob + "b", std::string(2000, 'a')));
}

TEST_CASE("a faulty glob is quoted and explained") {
  using Catch::Matchers::ContainsSubstring;
  CHECK_THAT(message_of("a[bc"), ContainsSubstring("unclosed '['"));
  CHECK_THAT(message_of("a[bc"), ContainsSubstring("\n  a[bc\n   ^\n"));
  CHECK_THAT(message_of("a[]"), ContainsSubstring("unclosed '['"));
  CHECK_THAT(message_of("x{a,b"), ContainsSubstring("\n  x{a,b\n   ^\n"));
  CHECK_THAT(message_of("x{a,{b}"), ContainsSubstring("\n   ^\n"));
  CHECK_THAT(message_of("ab\\"), ContainsSubstring("\n    ^\n"));
  CHECK_THAT(message_of("[x9-0]"), ContainsSubstring("backwards"));
  CHECK_THAT(message_of("[x9-0]"), ContainsSubstring("\n    ^\n"));
  CHECK_THAT(message_of("[[:nope:]]"), ContainsSubstring("unknown class"));
  CHECK_THAT(message_of("{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}"),
             ContainsSubstring("1000"));
  CHECK_THAT(message_of(std::string(5000, '{')), ContainsSubstring("deep"));
  std::string large = "o\u0308**{a,b,c,d,e,f,g,h,i,j}{a,b,c,d,e,f,g,h,i,j}";
  for (int i = 0; i < 300; ++i) large += "[\u00E0-\uD7FF]";
  CHECK_THAT(message_of(large), ContainsSubstring("memory") && ContainsSubstring("o\u0308**{a"));
}

TEST_CASE("the place of a fault is found in the glob as it was typed") {
  const auto place_of = [](std::string_view glob, bool without_accents) {
    try {
      make_glob(glob, {text::KeyCase::folded, without_accents}, {});
    } catch (const text::ValueError& error) {
      return error.position();
    }
    return std::string_view::npos;
  };
  CHECK(place_of("äö[", false) == 4);
  CHECK(place_of("äö[", true) == 4);
  CHECK(place_of("o\u0308[", false) == 3);
  CHECK(place_of("o\u0308[", true) == 3);
  CHECK(place_of("o\u0308{a", true) == 3);
  CHECK(place_of("\xFF[", true) == 1);
}

}  // namespace glob_test
