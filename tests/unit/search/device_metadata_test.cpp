// SPDX-License-Identifier: MIT
// What entries are asked for in a walk that reads from a device: what is at hand costs no call,
// and the kernel is asked for the rest, and for nothing else.
#include <algorithm>
#include <cerrno>

#include "catch.h"
#include "unit/search/device_search.h"

namespace device_metadata_test {

using namespace ffind;
using namespace ffind::search;

TEST_CASE("device: metadata at hand cost no call") {
  Search search;
  fill(search.files);
  FakeDevice device(search.files);
  device.types_known = GENERATE(true, false);
  const SearchResult result = search.run(larger_than(1500), device);
  CHECK(search.sink.sorted() == Paths{"a/two.log", "b/c/d/four.txt", "b/c/three.txt"});
  CHECK(search.files.opened == Paths{""});
  CHECK(search.files.statted.empty());
  CHECK(result.statistics.stats == 0);
}

TEST_CASE("device: what is not at hand costs one stat, and its directory one open") {
  Search search;
  fill(search.files);
  FakeDevice device(search.files);
  device.unsettled = {"a/one.txt", "a/two.log", "b/c/d/four.txt"};
  const SearchResult result = search.run(larger_than(1500), device);
  CHECK(search.sink.sorted() == Paths{"a/two.log", "b/c/d/four.txt", "b/c/three.txt"});
  CHECK(result.statistics.stats == 3);
  CHECK(search.files.statted.size() == 3);
  CHECK(std::count(search.files.opened.begin(), search.files.opened.end(), "a") == 1);
  CHECK(search.files.was_opened("b/c/d"));
  CHECK_FALSE(search.files.was_opened("b"));
  CHECK_FALSE(search.files.was_opened("b/c"));
  CHECK(result.statistics.walked == 0);
  CHECK(search.files.open_now == 0);
}

TEST_CASE("device: what the kernel does not tell keeps what was at hand") {
  Search search;
  fill(search.files);
  FakeDevice device(search.files);
  device.known = needs::metadata & ~needs::size;  // the fake kernel knows no time of creation
  const Query query = asking(needs::size | needs::created, [](Entry& entry) {
    return entry.require(needs::size | needs::created) && entry.metadata.size == 3000 &&
           entry.metadata.created == Instant{5};
  });
  const SearchResult result = search.run(query, device);
  CHECK(search.sink.paths == Paths{"b/c/three.txt"});
  CHECK(result.statistics.stats == everything.size());
}

TEST_CASE("device: a stat that fails leaves what is at hand") {
  Search search;
  fill(search.files);
  FakeDevice device(search.files);
  device.known = needs::metadata & ~needs::links;
  search.files.stat_errors = {{"b/c/three.txt", EACCES}};
  const Query query = asking(needs::size | needs::links, [](Entry& entry) {
    return entry.name == "three.txt" && !entry.require(needs::links) &&
           entry.require(needs::size) && entry.metadata.size == 3000;
  });
  search.run(query, device);
  CHECK(search.sink.paths == Paths{"b/c/three.txt"});
  CHECK(search.sink.issues.size() == 1);
}

TEST_CASE("device: a directory that cannot be opened for them costs one line") {
  Search search;
  fill(search.files);
  FakeDevice device(search.files);
  device.unsettled = {"a/one.txt", "a/two.log", "b/c/d/four.txt"};
  const auto error = GENERATE(EACCES, ENOENT);
  search.files.open_errors = {{"a", error}};
  const SearchResult result = search.run(larger_than(1500), device);
  CHECK(search.sink.sorted() == Paths{"b/c/d/four.txt", "b/c/three.txt"});
  CHECK(std::count(search.files.opened.begin(), search.files.opened.end(), "a") == 1);
  CHECK(result.statistics.stats == 1);
  if (error == EACCES) {
    REQUIRE(search.sink.issues.size() == 1);
    CHECK(search.sink.issues[0].path == "a");
    CHECK(search.sink.issues[0].error == EACCES);
  } else {
    CHECK(search.sink.issues.empty());
    CHECK(result.statistics.vanished == 1);
  }
}

TEST_CASE("device: emptiness is told without opening") {
  Search search;
  fill(search.files);
  search.files.add("g/nothing");
  Query query;
  query.where = Expression::of(query::flag_test("empty"));
  SECTION("of files and directories") {
    FakeDevice device(search.files);
    search.run(query, device);
    CHECK(search.sink.sorted() == Paths{"e", "g/nothing"});
    CHECK(search.files.opened == Paths{""});
    CHECK(search.files.statted.empty());
  }
  SECTION("but of those that it refuses") {
    FakeDevice device(search.files);
    device.refused = {"e", "g"};
    search.run(query, device);
    CHECK(search.sink.sorted() == Paths{"e", "g/nothing"});
    CHECK(search.files.was_opened("e"));
    CHECK_FALSE(search.files.was_opened("a"));
  }
  SECTION("of what lies in a directory that the kernel listed") {
    search.files.add("g/h", FileType::directory);
    FakeDevice device(search.files);
    device.refused = {"g"};
    search.run(query, device);
    CHECK(search.sink.sorted() == Paths{"e", "g/h", "g/nothing"});
    CHECK_FALSE(search.files.was_opened("g/h"));
  }
  SECTION("never of mount points") {
    search.task.boundaries = {{"/fake/e", VolumeKind::local, true}};
    FakeDevice device(search.files);
    search.run(query, device);
    CHECK(search.sink.sorted() == Paths{"g/nothing"});
  }
  SECTION("not by half") {
    FakeDevice device(search.files);
    device.entries_per_block = 1;
    device.types_known = false;
    search.run(query, device);
    CHECK(search.sink.sorted() == Paths{"e", "g/nothing"});
    CHECK(search.files.opened == Paths{""});
  }
}

TEST_CASE("device: where a link leads is the kernel's to tell, of links only") {
  Search search;
  fill(search.files);
  search.files.add_link("b/up", "a");
  FakeDevice device(search.files);
  search.run(
      asking(needs::target,
             [](Entry& entry) { return entry.require(needs::target) && entry.target == "a"; }),
      device);
  CHECK(search.sink.sorted() == Paths{"b/up", "f"});
  CHECK(search.files.opened == Paths{"", "b"});  // from its parent, which is open
}

TEST_CASE("device: capabilities take the directory's descriptor") {
  Search search;
  fill(search.files);
  FakeDevice device(search.files);
  search.run(asking(needs::capabilities,
                    [](Entry& entry) {
                      return entry.name == "three.txt" && entry.require(needs::capabilities);
                    }),
             device);
  CHECK(search.sink.paths == Paths{"b/c/three.txt"});
  CHECK(search.files.opened == Paths{"", "", "b/c"});
  CHECK(search.files.open_now == 0);
}

TEST_CASE("device: of a link that is followed it tells nothing") {
  Search search;
  fill(search.files);
  FakeDevice device(search.files);
  Query query = asking(needs::created, [](Entry& entry) { return entry.require(needs::created); });
  query.scope.follow = true;
  search.run(query, device);
  const Paths found = search.sink.sorted();
  CHECK(std::count(found.begin(), found.end(), "a") == 1);
  CHECK(std::count(found.begin(), found.end(), "f") == 0);

  search.sink.paths.clear();
  query.where = Expression::of(query::flag_test("empty"));
  search.run(query, device);
  CHECK(search.sink.sorted() == Paths{"e"});
}

}  // namespace device_metadata_test
