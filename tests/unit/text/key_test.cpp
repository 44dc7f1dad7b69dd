// SPDX-License-Identifier: MIT
// Keys: NFC held against utf8proc's own, accents ignored, and what memory it takes.
#include "text/unicode.h"

#include <utf8proc.h>

#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "catch.h"
#include "query/patterns/byte_finder.h"
#include "random.h"
#include "unit/text/code_points_of_tests.h"

namespace key_test {

using namespace ffind;
using namespace ffind::text;

namespace {

constexpr KeyRules bare_kept{KeyCase::kept, true};
constexpr KeyRules bare_folded{KeyCase::folded, true};
constexpr KeyRules all_rules[] = {KeyCase::kept, KeyCase::folded, bare_kept, bare_folded};

std::string nfc_by_utf8proc(const std::string& text) {
  constexpr auto options = static_cast<utf8proc_option_t>(UTF8PROC_COMPOSE | UTF8PROC_STABLE);
  utf8proc_uint8_t* result = nullptr;
  const auto size = utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                 static_cast<utf8proc_ssize_t>(text.size()), &result, options);
  REQUIRE(size >= 0);
  const std::string nfc(reinterpret_cast<const char*>(result), static_cast<std::size_t>(size));
  std::free(result);
  return nfc;
}

/// The heap, counted.
class Counting final : public std::pmr::memory_resource {
 public:
  unsigned taken = 0;

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    ++taken;
    return std::pmr::new_delete_resource()->allocate(bytes, alignment);
  }
  void do_deallocate(void* memory, std::size_t bytes, std::size_t alignment) override {
    std::pmr::new_delete_resource()->deallocate(memory, bytes, alignment);
  }
  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override {
    return this == &other;
  }
};

std::string repeated(std::string_view text, std::size_t most) {
  std::string all;
  while (all.size() + text.size() <= most) all += text;
  return all;
}

std::string folded_name(const std::string& name) {
  std::string out = "x";
  append_folded_name(out, name);
  return out;
}

}  // namespace

TEST_CASE("the NFC of every code point is utf8proc's, also behind others") {
  const std::vector<std::string> heads = {"", "e", "ö", "\u1100", "가", "か", "Ж", "ộ", "a\u0327"};
  for (char32_t c = 0x80; c <= 0x10FFFF;
       c += c < 0x3200 || (c >= 0x10000 && c < 0x1F000) ? 1 : 31) {
    // utf8proc 2.8 swallows U+11A7, which is no tail of a syllable, behind one.
    if (is_surrogate(c) || c == 0x11A7) continue;
    for (const std::string& head : heads) {
      const std::string text = head + utf8(c);
      if (key_of(text, KeyCase::kept) != nfc_by_utf8proc(text)) {
        FAIL(head << " U+" << std::hex << static_cast<unsigned>(c));
      }
    }
  }
}

TEST_CASE("the NFC of a heap of marks and letters is utf8proc's") {
  const char* const pieces[] = {
      "a",          "e",          "E",      "ö",      "ậ",      "ǖ",      "s",      "\u0301",
      "\u0302",     "\u0308",     "\u0323", "\u0327", "\u0328", "\u031B", "\u0344", "\u0345",
      "\u0360",     "α",          "ᾳ",      "\u1100", "\u1161", "\u11A8", "가",     "か",
      "\u3099",     "\u0915",     "\u093C", "\u0958", "\u09C7", "\u09BE", "\u05D0", "\u05B7",
      "\u05BC",     "\uFB2C",     "\u0627", "\u0653", "\u064B", "\u0651", "\u0E01", "\u0E38",
      "\u0E48",     "\u212B",     "\u2126", "漢",     "\uF900", "😀",      "\uFE0F", "\U0001D15E",
      "\U00011099", "\U000110BA", "-",      "/"};
  Random random(5);
  for (int round = 0; round < 20000; ++round) {
    std::string text;
    for (unsigned i = 1 + random() % 8; i > 0; --i) text += pieces[random() % std::size(pieces)];
    if (key_of(text, KeyCase::kept) != nfc_by_utf8proc(text)) FAIL(text);
    for (const KeyRules& rules : all_rules) {
      // Whether composed before or not, and its own key.
      const std::string key = key_of(text, rules);
      if (key != key_of(nfc_by_utf8proc(text), rules)) FAIL(text);
      if (rules.without_accents && key != key_of(key, rules)) FAIL(text);
    }
  }
}

TEST_CASE("what only looks like a tail stays behind its syllable") {
  CHECK(key_of("가\u11A7", KeyCase::kept) == "가\u11A7");
}

TEST_CASE("five hundred marks on one letter are put in order") {
  std::string text = "a";
  for (int i = 0; i < 500; ++i) text += i % 2 == 0 ? "\u0301" : "\u0323";
  CHECK(key_of(text, KeyCase::kept) == nfc_by_utf8proc(text));
}

TEST_CASE("ignoring diacritics leaves letters, and the signs that are letters") {
  const auto bare = [](std::string_view text) { return key_of(text, bare_kept); };
  CHECK(bare("größe Ångström naïve") == "große Angstrom naive");
  CHECK(bare("gro\u0308\u00DFe") == "große");
  CHECK(bare("Tiếng Việt ươ đ") == "Tieng Viet uo đ");  // the stroke is part of the letter
  CHECK(bare("Ά ΐ ᾧ й ё ї") == "Α ι ω и е і");
  CHECK(bare("שָׁלוֹם") == "שלום");
  CHECK(bare("مُحَمَّد أحمد آ") == "محمد احمد ا");
  CHECK(bare("ภาษาไทย น้ำ กุ") == "ภาษาไทย นำ กุ");        // tones go, vowels stay
  CHECK(bare("हिन्दी क़") == "हिन्दी क");                  // so do the virama and the vowel signs
  CHECK(bare("가각 \u1100\u1161\u11A8") == "가각 각");  // Hangul holds together
  CHECK(bare("がぱ か\u3099") == "がぱ が");            // other syllables, not accents
  CHECK(bare("❤\uFE0F 漢字") == "❤\uFE0F 漢字");
  CHECK(bare("\u0301").empty());
  CHECK(key_of("ÉTÉ İ", bare_folded) == "ete i");
}

TEST_CASE("no name needs the heap for its key") {
  const char* const texts[] = {"a",
                               "ö",
                               "o\u0308",
                               "ế",
                               "e\u0302\u0301",
                               "\u0390",
                               "\u0344",
                               "가",
                               "\u1100\u1161\u11A8",
                               "\u0958",
                               "\uFB2C",
                               "\u1F82",
                               "😀",
                               "\u0301",
                               "\u023A",
                               "\u3099",
                               "Ω",
                               "\U0001D160",
                               "漢",
                               "\u0E01\u0E49",
                               "K"};
  for (const char* text : texts) {
    const std::string name = repeated(text, 255);
    for (const KeyRules& rules : all_rules) {
      Counting heap;
      KeyScratch scratch(&heap);
      const std::string_view key = key_of(name, rules, scratch);
      CHECK(heap.taken == 0);
      CHECK(key.size() <= 3 * name.size());
    }
  }
}

TEST_CASE("a path too long for the stack takes the heap's memory") {
  const std::string path = repeated("o\u0308/", 4000);
  Counting heap;
  {
    KeyScratch scratch(&heap);
    CHECK(key_of(path, KeyCase::kept, scratch) == nfc_by_utf8proc(path));
  }
  CHECK(heap.taken > 0);
}

TEST_CASE("no code point has a key of more than three times its bytes") {
  for (char32_t c = 1; c <= 0x10FFFF; ++c) {
    if (is_surrogate(c) || (c > 0x3400 && c < 0xA000) || (c > 0x20000 && c < 0x2F800)) continue;
    if (c > 0x30000 && c < 0xE0000) continue;
    KeyScratch scratch;
    for (const KeyRules& rules : {all_rules[1], all_rules[3]}) {
      if (key_of(utf8(c), rules, scratch).size() > 3 * utf8(c).size()) {
        FAIL(std::hex << static_cast<unsigned>(c));
      }
      scratch.release();
    }
  }
}

TEST_CASE("a piece of ASCII in a key stood in the name as it is") {
  for (const KeyRules& rules : {all_rules[0], all_rules[1]}) {
    KeyScratch scratch;
    for (char32_t c = 0x80; c <= 0x10FFFF; ++c) {
      if (is_surrogate(c) || (c > 0x3400 && c < 0xF900) || (c > 0x1E000 && c < 0xE0000)) continue;
      const std::string name = utf8(c);
      for (const char byte : key_of(name, rules, scratch)) {
        if (static_cast<signed char>(byte) < 0) continue;
        if (query::finder_of_known_bytes(std::string_view(&byte, 1), rules)) {
          FAIL(std::hex << static_cast<unsigned>(c));
        }
      }
      scratch.release();
    }
  }
}

TEST_CASE("the known bytes of a key are its longest run of unambiguous ASCII") {
  const auto finds = [](std::string_view key, std::string_view name, const KeyRules& rules) {
    const auto finder = query::finder_of_known_bytes(key, rules);
    return finder && finder->find(name, 0) != query::ByteFinder::npos;
  };
  CHECK(finds("pdf", "\xE6pDf", KeyCase::folded));
  CHECK_FALSE(finds("pdf", "\xE6pDf", KeyCase::kept));
  CHECK_FALSE(finds("pdf", "pd\xE6 \xF0", KeyCase::folded));
  CHECK(finds("karénina", "\xE6nINa", KeyCase::folded));
  CHECK_FALSE(query::finder_of_known_bytes("ks", KeyCase::folded));
  CHECK_FALSE(query::finder_of_known_bytes("abc", bare_kept));
}

TEST_CASE("names that differ in case or in normal form fold to the same") {
  CHECK(folded_name("ReadMe") == "xreadme");
  CHECK(folded_name("\xC3\x84pfel") == folded_name("a\xCC\x88pfel"));
  CHECK(folded_name("\xD0\x9F") == folded_name("\xD0\xBF"));
  CHECK(folded_name("\xC3\x9F") != folded_name("ss"));
}

TEST_CASE("of names that are not UTF-8 the ASCII letters fold") {
  CHECK(folded_name("A\xFFZ") == "xa\xFFz");
}

}  // namespace key_test
