// SPDX-License-Identifier: MIT
// What is found in a file's bytes: the rules, and that no way of cutting them into chunks matters.
#include "query/contents.h"
#include "text/utf8.h"

#include <random>
#include <string>
#include <vector>

#include "catch.h"

namespace content_scanner_test {

using namespace ffind;
using namespace ffind::query;

namespace {

PatternSpec contains(const std::string& text, CaseRule rule = CaseRule::smart) {
  PatternSpec spec;
  spec.text = text;
  spec.case_rule = rule;
  return spec;
}

PatternSpec regex(const std::string& text, CaseRule rule = CaseRule::smart) {
  PatternSpec spec = contains(text, rule);
  spec.kind = PatternKind::regex;
  return spec;
}

bool found(const PatternSpec& spec, std::string_view bytes, std::size_t chunk = 1'000'000,
           bool binary = false, bool tell_last = true) {
  const LinePattern pattern(spec);
  ContentScanner scanner(pattern, binary);
  for (std::size_t at = 0; at < bytes.size(); at += chunk) {
    const bool last = tell_last && at + chunk >= bytes.size();
    if (!scanner.take(bytes.substr(at, chunk), last)) break;
  }
  return scanner.found();
}

std::string utf16(std::u16string_view text, bool big_endian) {
  std::string bytes;
  for (const char16_t unit : text) {
    const char high = static_cast<char>(unit >> 8);
    const char low = static_cast<char>(unit & 0xFF);
    bytes += big_endian ? high : low;
    bytes += big_endian ? low : high;
  }
  return bytes;
}

}  // namespace

TEST_CASE("a text is found over every edge of chunks of every size") {
  std::string bytes;
  for (int i = 0; i < 400; ++i) bytes += "line " + std::to_string(i) + " of many\n";
  for (const std::size_t place : {std::size_t{0}, std::size_t{3000}, bytes.size()}) {
    std::string with = bytes;
    with.insert(place, "needle");
    for (std::size_t chunk = 1; chunk < 40; ++chunk) {
      INFO(place << " " << chunk);
      CHECK(found(contains("needle"), with, chunk));
      CHECK(found(regex("ne+dle"), with, chunk, false, false));
      CHECK_FALSE(found(contains("needles"), with, chunk));
    }
  }
}

TEST_CASE("expressions match within lines") {
  const std::string bytes = "first line\nsecond one\r\n\nlast";
  CHECK(found(regex("^second"), bytes));
  CHECK(found(regex("line$"), bytes));
  CHECK(found(regex("^last$"), bytes));
  CHECK(found(regex("^$"), bytes));
  CHECK(found(regex("\\Asecond"), bytes));
  CHECK(found(regex("(?-m:^)sec[a-z]"), bytes));
  CHECK(found(regex("[a-z]ond .ne.$"), bytes));  // a carriage return is one of the line
  CHECK(found(regex("[st]e[a-z]o"), bytes));
  CHECK_FALSE(found(regex("line.second"), bytes));
  CHECK_FALSE(found(regex("(?s)line.+second"), bytes));
  CHECK_FALSE(found(regex("[a-z]ne\\s+[a-z]econd"), bytes));
  CHECK_FALSE(found(regex("[a-z]ne[^x]+[a-z]econd"), bytes));
  CHECK_FALSE(found(regex("^$"), "a\nb\n"));
  CHECK_FALSE(found(regex("x*"), ""));
  CHECK(found(regex("x*"), "a"));
}

TEST_CASE("a pattern with a line break is refused") {
  CHECK_THROWS_AS(LinePattern(contains("a\nb")), UsageError);
  CHECK_THROWS_AS(LinePattern(regex("a\\nb")), UsageError);
  CHECK_THROWS_AS(LinePattern(contains("")), UsageError);
  CHECK_THROWS_AS(LinePattern(regex("")), UsageError);
  CHECK_NOTHROW(LinePattern(regex("a[^\\n]b")));
}

TEST_CASE("case, and letters that are not ASCII's, mean what they mean in names") {
  CHECK(found(contains("kilo"), "a \xE2\x84\xAAILO b"));
  CHECK(found(contains("K", CaseRule::sensitive), "\xE2\x84\xAA"));
  CHECK_FALSE(found(contains("k", CaseRule::sensitive), "\xE2\x84\xAA"));
  CHECK(found(contains("miss"), "mi\xC5\xBF\xC5\xBF"));
  CHECK_FALSE(found(contains("Miss"), "miss"));
  CHECK(found(contains("\xC3\x9Cmlaut", CaseRule::insensitive), "x\n\xC3\xBCMLAUT\n"));
  CHECK(found(contains("\xC3\xBC"), "nfd: u\xCC\x88"));
  CHECK(found(contains("u\xCC\x88"), "nfc: \xC3\xBC"));
  CHECK(found(regex("f\xC3\xBC[rt]"), "nfd: fu\xCC\x88r"));
  CHECK_FALSE(found(contains("fur"), "fu\xCC\x88r"));  // another letter, as in names
  CHECK(found(contains("caf"), "cafe\xCC\x81"));
  CHECK_FALSE(found(contains("cafe"), "cafe\xCC\x81"));
  CHECK(found(contains("\xE4\xF6"), "bytes \xE4\xF6 as they are"));
  CHECK(found(contains("byte"), "\xFF\xFF BYTE"));
}

TEST_CASE("accents that are ignored are ignored in lines of ASCII, too") {
  for (const char* const text :
       {"\xC3\xA9", "caf[\xC3\xA9x]", "^c.f\xC3\xA9+$", "\xC3\xA9|\xC3\xBC"}) {
    PatternSpec spec = regex(text);
    INFO(text);
    CHECK_FALSE(found(spec, "a line\ncafe\n"));
    spec.ignore_diacritics = true;
    CHECK(found(spec, "a line\ncafe\n"));
    CHECK(found(spec, "a line\ncaf\xC3\xA9\n"));
  }
}

TEST_CASE("no other code point means one in ASCII") {
  for (const text::KeyCase key_case : {text::KeyCase::kept, text::KeyCase::folded}) {
    std::string others;
    for (char32_t c = 0x80; c < 0x110000; ++c) {
      if (c >= 0xD800 && c < 0xE000) continue;
      std::string text;
      text::append_utf8(text, c);
      const std::string key = text::key_of(text, key_case);
      for (const char byte : key) {
        if (static_cast<unsigned char>(byte) < 0x80) others += byte;
      }
    }
    // Those that LinePattern knows.
    CHECK(others == (key_case == text::KeyCase::kept ? ";`K" : "s;`k"));
  }
}

TEST_CASE("a NUL among the first bytes makes a file binary") {
  const std::size_t head = ContentScanner::head_size;
  const std::string line = "needle\n";
  for (const std::size_t chunk : {std::size_t{1}, std::size_t{100}, std::size_t{100'000}}) {
    INFO(chunk);
    for (const std::size_t place : {std::size_t{0}, head - 1}) {
      std::string bytes = line + std::string(2 * head, '.');
      bytes[place] = '\0';
      CHECK_FALSE(found(contains("dle"), bytes, chunk));
      CHECK(found(contains("dle"), bytes, chunk, true));
    }
    std::string bytes = line + std::string(2 * head, '.');
    bytes[head] = '\0';
    CHECK(found(contains("dle"), bytes, chunk));
  }
  CHECK_FALSE(found(contains("x"), std::string("x\0", 2)));
  CHECK(found(contains("x"), std::string("\0x", 2), 1, true));
}

TEST_CASE("UTF-16 with a byte order mark is text") {
  const bool big_endian = GENERATE(values<int>({0, 1})) == 1;
  const std::string bytes =
      utf16(u"\uFEFFerste Zeile\r\nzweite \u00FC \U0001F600 Zeile\n", big_endian);
  for (std::size_t chunk = 1; chunk < 9; ++chunk) {
    CHECK(found(contains("zweite \xC3\xBC \xF0\x9F\x98\x80 zeile"), bytes, chunk));
    CHECK(found(regex("^erste"), bytes, chunk));
    CHECK_FALSE(found(contains("dritte"), bytes, chunk));
  }
  CHECK(found(contains("\xEF\xBF\xBD"), utf16(u"\uFEFF\xD800x", big_endian)));
  CHECK(found(contains("\xEF\xBF\xBD"), utf16(u"\uFEFFx", big_endian) + "x"));
  CHECK(found(regex("^x"), "\xEF\xBB\xBFx"));
}

TEST_CASE("long lines are matched in overlapping parts") {
  constexpr std::size_t longest = ContentScanner::longest_line;
  const std::string wide = "\xC3\xBC";
  for (const std::size_t place :
       {longest / 2 - 3, longest - 3, longest - 1, longest + 7, longest * 3 / 2 - 2, longest * 5}) {
    std::string bytes(place, '.');
    bytes += "needle" + wide + std::string(longest, '.');
    INFO(place);
    CHECK(found(contains("needle" + wide), bytes, 100'001));
    CHECK(found(contains("NEEDLE\xC3\x9C", CaseRule::insensitive), bytes, 4096));
    CHECK(found(regex("e.l[e]" + wide), bytes, 131'072));
    CHECK_FALSE(found(contains("needle."), bytes, 100'001));
  }
  std::string umlauts;
  while (umlauts.size() < 3 * longest) umlauts += wide;
  CHECK(found(contains(wide + "x"), "." + umlauts + "x", 65'536));
  CHECK_FALSE(found(contains("u"), "." + umlauts, 65'536));
}

TEST_CASE("a cut in a long line is neither its end nor a word's") {
  std::string bytes;
  while (bytes.size() < 1'000'000) bytes += "ax";
  for (const std::string& line : {bytes, bytes + "\xC3\xBC", "\xFF" + bytes}) {
    const std::string lines = line + "z\nbz";
    for (const std::size_t chunk : {std::size_t{131'072}, lines.size()}) {
      // With and without bytes behind each cut: the line is taken out of step by one.
      for (const std::string& whole : {lines, "x" + lines}) {
        INFO(chunk);
        CHECK_FALSE(found(regex("a$"), whole, chunk));
        CHECK_FALSE(found(regex("x$"), whole, chunk));
        CHECK_FALSE(found(regex("[ax]{3}$"), whole, chunk));
        CHECK_FALSE(found(regex("a\\b"), whole, chunk));
        CHECK_FALSE(found(regex("^xax*a[^b]*z$"), "a" + lines, chunk));
        CHECK_FALSE(found(regex("^[xa][^b]*xz$"), "\t" + lines, chunk));
        CHECK(found(regex("[^b]z$"), whole, chunk));
        CHECK(found(regex("^bz$"), whole, chunk));
        CHECK_FALSE(found(regex("[^b]\\Bb"), whole, chunk));
      }
    }
  }
  CHECK_FALSE(found(regex("^a"), "b" + bytes, 131'072));
  CHECK_FALSE(found(regex("\\ba"), "b" + bytes, 131'072));
  CHECK_FALSE(found(regex("^x"), "b" + bytes, 131'072));
  CHECK(found(regex("^b"), "b" + bytes, 131'072));
}

TEST_CASE("an expression that outgrows its memory gets the same answers") {
  // Which of the last 19 letters were an a: 2^19 states. With log_errors RE2 says of both texts
  // that its DFA is out of memory; it goes on without one.
  const PatternSpec spec = regex("x[ab]*a[ab]{18}x");
  std::mt19937 random(20261121);
  std::string letters = "x";
  while (letters.size() < 100'000) letters += random() % 2 == 0 ? 'a' : 'b';
  std::string lines;
  while (lines.size() < 100'000) {
    lines += "x" + letters.substr(1 + lines.size() / 2, 700) + "b" + std::string(18, 'a') + "x\n";
  }
  for (const std::string& before : {std::string(), std::string("\xC3\xBC"), std::string("\xFF")}) {
    for (const char decisive : {'a', 'b'}) {
      const std::string end = decisive + letters.substr(1, 18) + "x";
      INFO(before << decisive);
      CHECK(found(spec, before + letters + end) == (decisive == 'a'));
      CHECK(found(spec, lines + before + letters.substr(0, 700) + end) == (decisive == 'a'));
      CHECK(compile_pattern(spec)->matches(before + letters + end) == (decisive == 'a'));
    }
  }
}

TEST_CASE("chunks never change the answer") {
  std::mt19937 random(20261121);
  const std::vector<PatternSpec> specs = {
      contains("ab"), contains("b", CaseRule::sensitive), contains("\xC3\xA4"), regex("a[^x]b"),
      regex("^b+$"),  regex("(?i)s\xC5\xBF|k"),           regex("\\bab?\\b"),   regex("a.*b")};
  const std::string_view parts[] = {"a",       "b", "A",        "\n",        " ",    "x",
                                    "k",       "s", "\xC3\xA4", "a\xCC\x88", "\xE4", "\xE2\x84\xAA",
                                    "\xC5\xBF"};
  int hits = 0;
  for (int round = 0; round < 1000; ++round) {
    std::string bytes;
    for (std::size_t n = random() % 30; n > 0; --n) bytes += parts[random() % std::size(parts)];
    for (const PatternSpec& spec : specs) {
      // Line by line, as a name would be.
      const auto pattern = compile_pattern(spec);
      bool expected = false;
      for (std::size_t from = 0; from < bytes.size();) {
        const std::size_t end = std::min(bytes.find('\n', from), bytes.size());
        expected = expected || pattern->matches(std::string_view(bytes).substr(from, end - from));
        from = end + 1;
      }
      hits += expected ? 1 : 0;
      INFO(bytes << "|" << spec.text);
      CHECK(found(spec, bytes) == expected);
      CHECK(found(spec, bytes, 1 + random() % 7, false, random() % 2 == 0) == expected);
    }
  }
  CHECK(hits > 1000);
}

}  // namespace content_scanner_test
