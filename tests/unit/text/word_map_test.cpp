// SPDX-License-Identifier: MIT
// The read-only map holds what std::map would hold, for every size, length of text and order.
#include "text/word_map.h"

#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "catch.h"
#include "text/ascii.h"

namespace word_map_test {

using namespace ffind;
using text::WordMap;

namespace {

using Entries = std::vector<std::pair<std::string, int>>;

std::string random_text(std::mt19937& random, unsigned longest, unsigned letters) {
  std::string word(random() % (longest + 1), ' ');
  for (char& c : word) c = static_cast<char>('a' + random() % letters);
  return word;
}

/// Every text of the map, and as many others, longer and shorter ones among them.
void check_against_model(const Entries& entries, std::mt19937& random, unsigned longest,
                         unsigned letters) {
  std::map<std::string, int> model;
  for (const auto& entry : entries) model.insert(entry);
  const WordMap<int> map(entries);
  REQUIRE(map.size() == model.size());
  for (const auto& [word, value] : model) {
    const int* const found = map.find(word);
    REQUIRE(found != nullptr);
    CHECK(*found == value);
    std::string upper = word;
    for (char& c : upper) c = random() % 2 == 0 ? static_cast<char>(c - 'a' + 'A') : c;
    const int* const folded = map.find_folded(upper);
    REQUIRE(folded != nullptr);
    CHECK(*folded == value);
  }
  for (std::size_t i = 0; i < entries.size() + 10; ++i) {
    const std::string word = random_text(random, longest + 2, letters + 1);
    CHECK((map.find(word) != nullptr) == (model.count(word) == 1));
  }
}

}  // namespace

TEST_CASE("word map: maps of every size hold what std::map holds, the first of equal texts") {
  std::mt19937 random(1);
  for (std::size_t count = 0; count <= 70; ++count) {
    for (const unsigned longest : {2U, 8U, 20U}) {
      Entries entries;
      for (std::size_t i = 0; i < count; ++i) {
        entries.emplace_back(random_text(random, longest, 3), static_cast<int>(i));
      }
      check_against_model(entries, random, longest, 3);
    }
  }
}

TEST_CASE("word map: a large map holds what std::map holds") {
  std::mt19937 random(2);
  Entries entries;
  for (int i = 0; i < 20'000; ++i) entries.emplace_back(random_text(random, 12, 26), i);
  check_against_model(entries, random, 12, 26);
}

TEST_CASE("word map: texts that differ after the eighth byte, and bytes past ASCII") {
  const WordMap<int> map(Entries{
      {"12345678", 1}, {"123456789", 2}, {"12345678a", 3}, {"\xff", 4}, {"\xc3\xa4", 5}, {"", 6}});
  CHECK(*map.find("12345678") == 1);
  CHECK(*map.find("123456789") == 2);
  CHECK(*map.find("12345678a") == 3);
  CHECK(*map.find_folded("12345678A") == 3);
  CHECK(map.find("1234567") == nullptr);
  CHECK(map.find("1234567890") == nullptr);
  CHECK(*map.find("\xff") == 4);
  CHECK(*map.find("\xc3\xa4") == 5);
  CHECK(*map.find("") == 6);
}

TEST_CASE("word map: a map that was moved finds its texts") {
  WordMap<int> first(Entries{{"a", 1}, {"extension", 2}});
  const WordMap<int> moved = std::move(first);
  CHECK(*moved.find("a") == 1);
  CHECK(*moved.find("extension") == 2);
  CHECK(WordMap<int>().find("a") == nullptr);
}

}  // namespace word_map_test
