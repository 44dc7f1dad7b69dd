// SPDX-License-Identifier: MIT
// The store sorts as a comparison of whole keys would, and keeps no more than it must.
#include "output/sort_store.h"

#include <algorithm>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "catch.h"

namespace sort_store_test {

using namespace ffind;
using namespace ffind::output;

namespace {

struct Record {
  std::string head;
  std::string path;
  std::string record;
};

std::vector<std::string> records_of(const SortStore<std::string_view>& store) {
  std::vector<std::string> records;
  for (std::size_t i = 0; i < store.size(); ++i) records.emplace_back(store[i].kept);
  return records;
}

std::vector<std::string> sorted_by_store(const std::vector<Record>& records, bool reversed,
                                         std::size_t limit = SIZE_MAX) {
  SortStore<std::string_view> store(StoredOrder(reversed), limit);
  for (const auto& [head, path, record] : records) {
    if (store.wants({head, path})) store.add({head, path}, record);
  }
  store.sort();
  return records_of(store);
}

std::vector<std::string> sorted_simply(std::vector<Record> records, bool reversed,
                                       std::size_t limit = SIZE_MAX) {
  std::sort(records.begin(), records.end(), [&](const Record& a, const Record& b) {
    if (a.head != b.head) return (a.head < b.head) != reversed;
    if (a.path != b.path) return (a.path < b.path) != reversed;
    return a.record < b.record;
  });
  if (records.size() > limit) records.resize(limit);
  std::vector<std::string> texts;
  for (const Record& record : records) texts.push_back(record.record);
  return texts;
}

/// Paths with much in common, of all lengths around those of words.
std::vector<Record> random_records(std::size_t count, unsigned seed, bool heads) {
  std::mt19937 random(seed);
  const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  std::vector<Record> records;
  for (std::size_t i = 0; i < count; ++i) {
    std::string path = "some/directory/";
    for (unsigned part = below(5); part > 0; --part)
      path += below(2) != 0 ? "eightchr/" : "\xC3\xA4-/";
    for (unsigned letter = 1 + below(9); letter > 0; --letter)
      path += static_cast<char>('a' + below(2));
    // Heads of one length, or ended by a 0 that is nowhere else in them.
    std::string head;
    if (heads) {
      for (unsigned letter = below(9); letter > 0; --letter)
        head += static_cast<char>('x' + below(2));
      head += '\0';
    }
    const std::string record = below(3) == 0 ? "[" + path + "]" : path + "\n";
    records.push_back({head, path, record});
  }
  return records;
}

}  // namespace

TEST_CASE("a store sorts as a comparison of whole keys does") {
  for (unsigned seed = 0; seed < 40; ++seed) {
    for (const bool reversed : {false, true}) {
      const auto records = random_records(1 + seed * seed, seed, seed % 2 != 0);
      CHECK(sorted_by_store(records, reversed) == sorted_simply(records, reversed));
    }
  }
}

TEST_CASE("with a limit a store keeps the first, as often as it drops the rest") {
  for (const std::size_t limit : std::vector<std::size_t>{0, 1, 7, 1000, 5000}) {
    for (const bool reversed : {false, true}) {
      const auto records = random_records(9000, static_cast<unsigned>(limit), true);
      CHECK(sorted_by_store(records, reversed, limit) == sorted_simply(records, reversed, limit));
    }
  }
}

TEST_CASE("what cannot be among the first is not wanted") {
  SortStore<std::string_view> store(StoredOrder(false), 2);
  for (int i = 0; i < 2000; ++i) store.add({"", std::to_string(1000000 + i)}, "");
  CHECK(store.wants({"", "1000001"}));
  CHECK_FALSE(store.wants({"", "1000002"}));
}

TEST_CASE("a path is kept once where the record begins with it") {
  const std::string path(300, 'p');
  SortStore<std::string_view> store(StoredOrder(false), SIZE_MAX);
  store.add({"head", path}, path + "\n");
  store.add({"head", path}, "record");
  store.sort();
  REQUIRE(store.size() == 2);
  CHECK(store[0].kept == path + "\n");
  CHECK(store[0].kept.data() == store[0].path.data());
  CHECK(store[1].kept == "record");
  CHECK(store[1].head == "head");
}

TEST_CASE("records of any length fit") {
  SortStore<std::string_view> store(StoredOrder(false), SIZE_MAX);
  const std::string large(3 * 1024 * 1024, 'x');
  store.add({"b", ""}, large);
  store.add({"a", ""}, "");
  store.add({"c", large}, "");
  store.sort();
  REQUIRE(store.size() == 3);
  CHECK(store[0].kept.empty());
  CHECK(store[1].kept == large);
  CHECK(store[2].path == large);
}

TEST_CASE("an empty store is sorted") {
  SortStore<std::string_view> store(StoredOrder(false), SIZE_MAX);
  store.sort();
  CHECK(store.size() == 0);
}

TEST_CASE("a Match comes out as it was") {
  SortStore<Match> store(StoredOrder(false), SIZE_MAX);
  Match file{"r/d/file", 2, false, {}, 12, Instant{-3}, "\x1b[1mfile\x1b[0m"};
  file.identity.id = {7, 8};
  file.identity.changed = {-9};
  file.identity.type = FileType::file;
  store.add({"2", file.path}, file);
  store.add({"1", "r/d"}, {"r/d", 3, true});
  store.sort();
  REQUIRE(store.size() == 2);
  CHECK(store[0].kept.path == "r/d");
  CHECK(store[0].kept.is_root);
  CHECK(store[0].kept.text.empty());
  const Match out = store[1].kept;
  CHECK(out.path == file.path);
  CHECK(out.root_size == 2);
  CHECK_FALSE(out.is_root);
  CHECK(out.identity.id == file.identity.id);
  CHECK(out.identity.changed == Instant{-9});
  CHECK(out.identity.type == FileType::file);
  CHECK(out.size == 12U);
  CHECK(out.modified == Instant{-3});
  CHECK(out.text == file.text);
}

}  // namespace sort_store_test
