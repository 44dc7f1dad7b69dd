// SPDX-License-Identifier: MIT
// Keys compare as values do; what is unknown comes last.
#include "output/sort_store.h"

#include <string>
#include <vector>

#include "catch.h"
#include "unit/output/matches.h"

namespace sort_key_test {

using namespace ffind;
using namespace ffind::output;

namespace {

std::string head(Entry& entry, const std::string& field, bool reversed = false) {
  KeyMaker keys({{find_record_field(field), reversed}}, nullptr);
  std::string out;
  keys.append_head(out, entry);
  return out;
}

std::string head_of_size(std::uint64_t size, bool reversed) {
  MatchedEntry match("a");
  match.sized(size);
  return head(match.entry, "size", reversed);
}

std::string head_of_time(Instant time, bool reversed) {
  MatchedEntry match("a");
  match.entry.metadata.modified = time;
  match.entry.present |= needs::modified;
  return head(match.entry, "modified", reversed);
}

std::string head_of(const std::string& field, const std::string& name, bool reversed = false) {
  MatchedEntry match(name);
  return head(match.entry, field, reversed);
}

}  // namespace

TEST_CASE("numbers and times compare by value, reversed the other way round") {
  const std::vector<std::uint64_t> sizes = {0,         1, 255, 256, 65536, std::uint64_t{1} << 40,
                                            UINT64_MAX};
  for (std::size_t i = 1; i < sizes.size(); ++i) {
    CHECK(head_of_size(sizes[i - 1], false) < head_of_size(sizes[i], false));
    CHECK(head_of_size(sizes[i - 1], true) > head_of_size(sizes[i], true));
  }
  const std::vector<Instant> times = {{INT64_MIN}, {-5}, {-1, 1}, {}, {0, 1}, {1}, {INT64_MAX}};
  for (std::size_t i = 1; i < times.size(); ++i) {
    CHECK(head_of_time(times[i - 1], false) < head_of_time(times[i], false));
    CHECK(head_of_time(times[i - 1], true) > head_of_time(times[i], true));
  }
}

TEST_CASE("what is unknown comes last, reversed or not") {
  MatchedEntry unknown("a");
  for (const bool reversed : {false, true}) {
    CHECK(head(unknown.entry, "size", reversed) > head_of_size(0, reversed));
    CHECK(head(unknown.entry, "size", reversed) > head_of_size(UINT64_MAX, reversed));
    CHECK(head_of("ext", "b", reversed) > head_of("ext", "b.a", reversed));
    CHECK(head_of("ext", "b", reversed) > head_of("ext", "b.zzz", reversed));
  }
}

TEST_CASE("names compare folded and naturally, and by their bytes where that is the same") {
  const std::vector<std::string> ordered = {"file1",  "File2",      "file2",      "file02",
                                            "FILE10", "\xC3\xA9 1", "\xC3\x89 2", "e\xCC\x81 3"};
  for (std::size_t i = 1; i < ordered.size(); ++i) {
    INFO(ordered[i - 1] << " | " << ordered[i]);
    if (ordered[i] == "file02") continue;  // "file02" is before "file2" by bytes
    CHECK(head_of("name", ordered[i - 1]) < head_of("name", ordered[i]));
    CHECK(head_of("name", ordered[i - 1], true) > head_of("name", ordered[i], true));
  }
  CHECK(head_of("name", "file02") < head_of("name", "file2"));
  CHECK(head_of("name", "a") < head_of("name", "a1"));
  CHECK(head_of("name", "a", true) > head_of("name", "a1", true));
}

TEST_CASE("extensions that differ in case only leave the order to the next key") {
  CHECK(head_of("ext", "x.JPG") == head_of("ext", "y.jpg"));
  CHECK(head_of("ext", "x.jpg") < head_of("ext", "y.png"));
}

TEST_CASE("names that are not UTF-8 are told apart by their bytes") {
  CHECK(head_of("name", "a\xFF") != head_of("name", "a\xFE"));
  CHECK(head_of("name", "a\xFE") < head_of("name", "a\xFF"));
}

TEST_CASE("no head is the beginning of another") {
  KeyMaker keys({{find_record_field("name"), true}, {find_record_field("ext"), false}}, nullptr);
  std::vector<std::string> heads;
  for (const char* const name : {"a", "a.b", "a.bc", "aa", "a1", "a10", "b."}) {
    MatchedEntry match(name);
    keys.append_head(heads.emplace_back(), match.entry);
  }
  for (const std::string& one : heads) {
    for (const std::string& other : heads) {
      if (&one != &other) CHECK(other.substr(0, one.size()) != one);
    }
  }
}

TEST_CASE("the path ends the keys, and what stands behind it is not asked for") {
  const KeyMaker keys({{find_record_field("path"), true}, {find_record_field("size"), false}},
                      nullptr);
  CHECK(keys.path_reversed());
  CHECK(keys.needs() == needs::directory);
  const KeyMaker both({{find_record_field("size"), false}, {find_record_field("path"), false}},
                      nullptr);
  CHECK_FALSE(both.path_reversed());
  CHECK((both.needs() & needs::size) != 0);
}

TEST_CASE("lists have no order") {
  CHECK_FALSE(has_order(*find_record_field("tags")));
  CHECK(has_order(*find_record_field("size")));
}

}  // namespace sort_key_test
