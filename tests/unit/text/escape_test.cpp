// SPDX-License-Identifier: MIT
// Names made fit for terminals and JSON: what is escaped, what is left alone, and that no text can
// be made to look like another.
#include "text/quoting.h"

#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "catch.h"

namespace escape_test {

namespace {

using namespace ffind::text;
using namespace std::string_view_literals;

struct Row {
  std::string_view bytes;
  std::string_view expected;
};

std::string shown_as(std::string_view bytes) {
  std::string out = "<";
  append_escaped(out, bytes);
  return out.substr(1);
}

std::string json(std::string_view bytes) {
  std::string out;
  append_json_string(out, bytes);
  return out;
}

std::string base64(std::string_view bytes) {
  std::string out;
  append_base64(out, bytes);
  return out;
}

}  // namespace

TEST_CASE("Ordinary names are shown as they are") {
  const std::vector<std::string_view> names = {
      "",
      "report.pdf",
      "back\\slash and \"quotes\"",
      "~ {}|",
      "a name that is longer than a word, and then some more",
      "\xc3\xa4\xc3\xb6\xc3\xbc.txt",                          // a, o, u with diaeresis
      "a\xcc\x88",                                             // combining diaeresis
      "\xe2\x82\xac",                                          // euro
      "\xf0\x9f\x98\x80",                                      // emoji
      "\xf0\x9f\x91\xa8\xe2\x80\x8d\xf0\x9f\x91\xa9.png",      // emoji joined by ZWJ
      "\xe2\x9d\xa4\xef\xb8\x8f\xe2\x80\x8d\xf0\x9f\x94\xa5",  // variation selector, then ZWJ
      "\xd9\x85\xdb\x8c\xe2\x80\x8c\xd8\xae",                  // Persian with ZWNJ
      "\xe6\x96\x87\xe3\x80\x80\xe5\xad\x97",                  // ideographic space
      "\xf4\x8f\xbf\xbf",                                      // U+10FFFF
      "\xef\xbf\xbd",                                          // U+FFFD itself
      "\xc2\xa0",                                              // U+00A0, right behind C1
      "\xed\x9f\xbf\xee\x80\x80",                              // around the surrogates
  };
  for (const std::string_view name : names) {
    CAPTURE(name);
    CHECK_FALSE(needs_escaping(name));
    CHECK(shown_as(name) == name);
  }
}

TEST_CASE("What steers or misleads is shown escaped") {
  const std::vector<Row> rows = {
      {"\n", "\\n"},
      {"\t", "\\t"},
      {"\r", "\\r"},
      {"\0"sv, "\\x00"},
      {"\x1b[31mred", "\\x1b[31mred"},
      {"12345678\x1b", "12345678\\x1b"},
      {"1234567\x7f", "1234567\\x7f"},
      {"a\\b\nc", "a\\\\b\\nc"},  // only here is the backslash doubled
      {"\xc2\x9b", "\\u{9b}"},    // C1
      {"\xc2\x85", "\\u{85}"},
      {"\xc2\xad", "\\u{ad}"},  // soft hyphen
      {"exe\xe2\x80\xaetxt", "exe\\u{202e}txt"},
      {"\xe2\x81\xa6", "\\u{2066}"},
      {"\xe2\x80\x8f", "\\u{200f}"},
      {"\xd8\x9c", "\\u{61c}"},
      {"\xe2\x80\xa8\xe2\x80\xa9", "\\u{2028}\\u{2029}"},
      {"pass\xe2\x80\x8bword", "pass\\u{200b}word"},
      {"\xef\xbb\xbfname", "\\u{feff}name"},
      {"\xe3\x85\xa4", "\\u{3164}"},
      {"\xf3\xa0\x81\xa1", "\\u{e0061}"},  // a tag: invisible "a"
      // Joiners that join nothing.
      {"pass\xe2\x80\x8dword", "pass\\u{200d}word"},
      {"\xe2\x80\x8d", "\\u{200d}"},
      {"\xc3\xa4\xe2\x80\x8d", "\xc3\xa4\\u{200d}"},
      {"\xc3\xa4\xe2\x80\x8d.txt", "\xc3\xa4\\u{200d}.txt"},
      {"\xc3\xa4\xe2\x80\x8d\xe2\x80\x8d\xc3\xa4", "\xc3\xa4\\u{200d}\\u{200d}\xc3\xa4"},
      // Not UTF-8, byte by byte.
      {"\xff", "\\xff"},
      {"caf\xe9", "caf\\xe9"},
      {"\x80", "\\x80"},
      {"\xc3", "\\xc3"},
      {"\xc3(", "\\xc3("},
      {"\xc0\xaf", "\\xc0\\xaf"},                    // overlong
      {"\xe0\x80\xaf", "\\xe0\\x80\\xaf"},           // overlong
      {"\xed\xa0\x80", "\\xed\\xa0\\x80"},           // surrogate
      {"\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"},  // beyond U+10FFFF
      {"\xe2\x82", "\\xe2\\x82"},                    // cut short
      {"\xc3\xa4\xff", "\xc3\xa4\\xff"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.expected);
    CHECK(needs_escaping(row.bytes));
    CHECK(shown_as(row.bytes) == row.expected);
  }
}

TEST_CASE("Every control byte is found wherever it stands in a word") {
  for (std::size_t size = 1; size < 20; ++size) {
    for (std::size_t at = 0; at < size; ++at) {
      for (int byte = 0; byte < 0x80; ++byte) {
        std::string name(size, 'x');
        name[at] = static_cast<char>(byte);
        const bool expected = byte < 0x20 || byte == 0x7f;
        if (needs_escaping(name) != expected)
          FAIL("byte " << byte << " at " << at << " of " << size);
      }
    }
  }
}

TEST_CASE("JSON strings") {
  const std::vector<Row> rows = {
      {"", "\"\""},
      {"report.pdf", "\"report.pdf\""},
      {"a longer name with \"quotes\"", "\"a longer name with \\\"quotes\\\"\""},
      {"1234567\\", "\"1234567\\\\\""},
      {"\b\f\n\r\t", "\"\\b\\f\\n\\r\\t\""},
      {"\0\x1f"sv, "\"\\u0000\\u001f\""},
      {"\xc3\xa4", "\"\xc3\xa4\""},
      {"\xf0\x9f\x98\x80", "\"\xf0\x9f\x98\x80\""},
      {"/", "\"/\""},
      // Escaped although JSON would let them through: NDJSON is shown on terminals too.
      {"\x7f\xc2\x9b", "\"\\u007f\\u009b\""},
      {"\xe2\x80\xae", "\"\\u202e\""},
      {"\xf3\xa0\x81\xa1", "\"\\udb40\\udc61\""},
  };
  for (const Row& row : rows) {
    CAPTURE(row.bytes);
    std::string out = "x";
    CHECK(append_json_string(out, row.bytes));
    CHECK(out == "x" + std::string(row.expected));
  }
}

TEST_CASE("JSON has one U+FFFD for each maximal subpart of what is not UTF-8") {
  const std::vector<Row> rows = {
      // The example of the Unicode standard, table 3-8 and what follows it.
      {"\xc0\xaf\xe0\x80\xbf\xf0\x81\x82\x41", "????????A"},
      {"\xed\xa0\x80\xed\xbf\xbf\xed\xaf\x41", "????????A"},
      {"\xf4\x91\x92\x93\xff\x41\x80\xbf\x42", "?????A??B"},
      {"\xe1\x80\xe2\xf0\x91\x92\xf1\xbf\x41", "????A"},
      {"a\xff", "a?"},
      {"\xe2\x82", "?"},
      {"\xf0\x9f\x98", "?"},
  };
  for (const Row& row : rows) {
    std::string expected;
    for (const char c : row.expected) expected += c == '?' ? "\xef\xbf\xbd" : std::string(1, c);
    CAPTURE(row.expected);
    std::string out;
    CHECK_FALSE(append_json_string(out, row.bytes));
    CHECK(out == "\"" + expected + "\"");
  }
}

TEST_CASE("Base64") {
  const std::vector<Row> rows = {
      {"", ""},
      {"f", "Zg=="},
      {"fo", "Zm8="},
      {"foo", "Zm9v"},
      {"foob", "Zm9vYg=="},
      {"fooba", "Zm9vYmE="},
      {"foobar", "Zm9vYmFy"},
      {"\xff\xfe\xfd", "//79"},
      {"\xfb\xef\xbe", "++++"},
      {"\0"sv, "AA=="},
  };
  for (const Row& row : rows) {
    CAPTURE(row.expected);
    CHECK(base64(row.bytes) == row.expected);
  }
}

TEST_CASE("Random bytes: shown text is plain, escapes are faithful") {
  std::mt19937 random(1);
  for (int round = 0; round < 20000; ++round) {
    std::string bytes;
    const auto size = random() % 24;
    for (std::size_t i = 0; i < size; ++i) {
      // Mostly bytes that occur in UTF-8 sequences of format characters.
      constexpr std::string_view likely = "\xe2\x80\x8d\xae\xf0\x9f\xc2\x9b\x1b\\x\xed\xa0";
      bytes += random() % 3 == 0 ? static_cast<char>(random()) : likely[random() % likely.size()];
    }
    const std::string shown = shown_as(bytes);
    if (needs_escaping(shown)) FAIL("escaped text needs escaping: " << base64(bytes));
    if (!needs_escaping(bytes)) {
      if (shown != bytes) FAIL("changed: " << base64(bytes));
    } else if (shown.find('\\') == std::string::npos) {
      FAIL("not marked: " << base64(bytes));
    }
    const std::string record = json(bytes);
    for (const char c : record) {
      if (static_cast<unsigned char>(c) < 0x20) FAIL("control byte in JSON: " << base64(bytes));
    }
  }
}

TEST_CASE("A word in dollar quotes has nothing in it that steers, and no byte less") {
  const auto quoted = [](std::string_view bytes) {
    std::string out;
    append_dollar_quoted(out, bytes);
    return out;
  };
  CHECK(quoted("\x1b[0m") == R"($'\033[0m')");
  CHECK(quoted("\n1\x01"
               "1") == R"($'\n1\0011')");
  CHECK(quoted("it's \\ \xff") == R"($'it\'s \\ \377')");
  CHECK(quoted("\u202e\u00e9") == "$'\\342\\200\\256\u00e9'");
}

}  // namespace escape_test
