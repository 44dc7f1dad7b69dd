// SPDX-License-Identifier: MIT
// Property lists that Python's plistlib wrote, and broken ones.
#include "os/formats/finder_attributes.h"

#include "catch.h"
#include "unit/os/formats/finder_data.h"

namespace binary_plist_test {

using namespace ffind::os;
using ffind::testing::finder_data;
using Strings = std::vector<std::string>;

namespace {

/// One of `objects`, each a byte string, with offsets and numbers of a byte.
std::string plist(const Strings& objects, char top = 0) {
  std::string bytes = "bplist00";
  std::string table;
  for (const std::string& object : objects) {
    table += static_cast<char>(bytes.size());
    bytes += object;
  }
  const auto u64 = [](std::size_t number) {
    std::string text(8, '\0');
    text[6] = static_cast<char>(number >> 8U);
    text[7] = static_cast<char>(number);
    return text;
  };
  return bytes + table + std::string("\0\0\0\0\0\0\1\1", 8) + u64(objects.size()) +
         u64(static_cast<std::size_t>(top)) + u64(bytes.size());
}

}  // namespace

TEST_CASE("strings of a list come in their order, as UTF-8") {
  CHECK(strings_of_binary_plist(finder_data("tags.bplist")) ==
        Strings{"Red\n6", "Übung\n2", "plain"});
}

TEST_CASE("a lone string counts, outside the basic plane too") {
  CHECK(strings_of_binary_plist(finder_data("comment.bplist")) == Strings{"Grüße, 𝄞 clef"});
}

TEST_CASE("strings are found in nested lists and dictionaries, once each") {
  const std::string long_one(300, 'x');
  const auto found = strings_of_binary_plist(finder_data("nested.bplist"));
  REQUIRE(found);
  Strings sorted = *found;
  std::sort(sorted.begin(), sorted.end());
  CHECK(sorted == Strings{"a", "b", "c", "d", "k", "n", "t", "v", long_one});
}

TEST_CASE("half of a surrogate pair becomes the replacement character") {
  CHECK(strings_of_binary_plist(plist({std::string("\x62\xD8\x34\0a", 5)})) ==
        Strings{"\xEF\xBF\xBD"
                "a"});
}

TEST_CASE("no prefix of a property list is one") {
  const std::string whole = finder_data("tags.bplist");
  for (std::size_t size = 0; size < whole.size(); ++size) {
    CHECK_FALSE(strings_of_binary_plist(std::string_view(whole).substr(0, size)));
  }
}

TEST_CASE("a list that holds itself ends") {
  CHECK(strings_of_binary_plist(plist({std::string("\xA2\0\1", 3), "\x51x"})) == Strings{"x"});
}

TEST_CASE("what refers outside of the property list is refused") {
  CHECK_FALSE(strings_of_binary_plist(plist({"\x51x"}, 1)));  // no such top
  CHECK_FALSE(strings_of_binary_plist(plist({"\xA1\x05"})));  // no such member
  CHECK_FALSE(strings_of_binary_plist(plist({"\x5Ex"})));     // longer than there is
  CHECK_FALSE(strings_of_binary_plist(plist({"\x5F\x13\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF"})));
  CHECK_FALSE(strings_of_binary_plist(plist({"\xAF\x13\x7F\xFF\xFF\xFF\xFF\xFF\xFF\xFF"})));
  CHECK_FALSE(strings_of_binary_plist(plist({"\x5F\x51x"})));  // a count that is none
}

TEST_CASE("lists nested too deeply are refused") {
  Strings objects;
  for (int i = 1; i <= 40; ++i) objects.push_back(std::string("\xA1") + static_cast<char>(i));
  objects.push_back("\x51x");
  CHECK_FALSE(strings_of_binary_plist(plist(objects)));
}

TEST_CASE("strings that lie in one another cannot make more text than there are bytes") {
  // 100 objects, all of them the same 60 bytes.
  std::string bytes = "bplist00";
  std::string members = "\xAF\x10\x63";
  for (char i = 1; i < 100; ++i) members += i;
  const std::size_t text_at = bytes.size() + members.size();
  bytes += members + "\x5F\x10\x3C" + std::string(60, 'x');
  std::string table(100, static_cast<char>(text_at));
  table[0] = 8;
  const std::size_t table_at = bytes.size();
  bytes += table + std::string("\0\0\0\0\0\0\1\1", 8) + std::string("\0\0\0\0\0\0\0\x64", 8) +
           std::string(8, '\0') + std::string(7, '\0') + static_cast<char>(table_at);
  CHECK_FALSE(strings_of_binary_plist(bytes));
}

}  // namespace binary_plist_test
