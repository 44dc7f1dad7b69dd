// SPDX-License-Identifier: MIT
// What entries are asked for in a walk that reads from a catalog: what is at hand costs no call,
// and the kernel is asked for the rest, and for nothing else.
#include <algorithm>
#include <cerrno>

#include "catch.h"
#include "unit/search/directory_catalog_search.h"

using namespace ffind;

TEST_CASE("directory catalog: metadata at hand cost no call") {
  Search search;
  fill(search.files);
  FakeDirectoryCatalog catalog(search.files);
  catalog.types_known = GENERATE(true, false);
  const SearchResult result = search.run(larger_than(1500), catalog);
  CHECK(search.sink.sorted() == Paths{"a/two.log", "b/c/d/four.txt", "b/c/three.txt"});
  CHECK(search.files.opened == Paths{""});
  CHECK(search.files.statted.empty());
  CHECK(result.statistics.stats == 0);
}

TEST_CASE("directory catalog: what is not at hand costs one stat, and its directory one open") {
  Search search;
  fill(search.files);
  FakeDirectoryCatalog catalog(search.files);
  catalog.unsettled = {"a/one.txt", "a/two.log", "b/c/d/four.txt"};
  const SearchResult result = search.run(larger_than(1500), catalog);
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

TEST_CASE("directory catalog: what the kernel does not tell keeps what was at hand") {
  Search search;
  fill(search.files);
  FakeDirectoryCatalog catalog(search.files);
  catalog.known = needs::metadata & ~needs::size;  // the fake kernel knows no time of creation
  const Query query = asking(needs::size | needs::created, [](Entry& entry) {
    return entry.require(needs::size | needs::created) && entry.metadata.size == 3000 &&
           entry.metadata.created == 5;
  });
  const SearchResult result = search.run(query, catalog);
  CHECK(search.sink.paths == Paths{"b/c/three.txt"});
  CHECK(result.statistics.stats == everything.size());
}

TEST_CASE("directory catalog: a stat that fails leaves what is at hand") {
  Search search;
  fill(search.files);
  FakeDirectoryCatalog catalog(search.files);
  catalog.known = needs::metadata & ~needs::links;
  search.files.stat_errors = {{"b/c/three.txt", EACCES}};
  const Query query = asking(needs::size | needs::links, [](Entry& entry) {
    return entry.name == "three.txt" && !entry.require(needs::links) &&
           entry.require(needs::size) && entry.metadata.size == 3000;
  });
  search.run(query, catalog);
  CHECK(search.sink.paths == Paths{"b/c/three.txt"});
  CHECK(search.sink.issues.size() == 1);
}

TEST_CASE("directory catalog: a directory that cannot be opened for them costs one line") {
  Search search;
  fill(search.files);
  FakeDirectoryCatalog catalog(search.files);
  catalog.unsettled = {"a/one.txt", "a/two.log", "b/c/d/four.txt"};
  const auto error = GENERATE(EACCES, ENOENT);
  search.files.open_errors = {{"a", error}};
  const SearchResult result = search.run(larger_than(1500), catalog);
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

TEST_CASE("directory catalog: emptiness is told without opening") {
  Search search;
  fill(search.files);
  search.files.add("g/nothing");
  Query query;
  query.where = Expression::of(empty_test());
  SECTION("of files and directories") {
    FakeDirectoryCatalog catalog(search.files);
    search.run(query, catalog);
    CHECK(search.sink.sorted() == Paths{"e", "g/nothing"});
    CHECK(search.files.opened == Paths{""});
    CHECK(search.files.statted.empty());
  }
  SECTION("but of those that it refuses") {
    FakeDirectoryCatalog catalog(search.files);
    catalog.refused = {"e", "g"};
    search.run(query, catalog);
    CHECK(search.sink.sorted() == Paths{"e", "g/nothing"});
    CHECK(search.files.was_opened("e"));
    CHECK_FALSE(search.files.was_opened("a"));
  }
  SECTION("of what lies in a directory that the kernel listed") {
    search.files.add("g/h", FileType::directory);
    FakeDirectoryCatalog catalog(search.files);
    catalog.refused = {"g"};
    search.run(query, catalog);
    CHECK(search.sink.sorted() == Paths{"e", "g/h", "g/nothing"});
    CHECK_FALSE(search.files.was_opened("g/h"));
  }
  SECTION("not of those that it cannot read") {
    FakeDirectoryCatalog catalog(search.files);
    catalog.read_errors = {{"a", EIO}};
    catalog.entries_before_errors = 0;
    search.run(query, catalog);
    CHECK(search.sink.sorted() == Paths{"e", "g/nothing"});
    CHECK(search.files.was_opened("a"));
  }
  SECTION("never of mount points") {
    search.task.boundaries = {{"/fake/e", VolumeKind::local, true}};
    FakeDirectoryCatalog catalog(search.files);
    search.run(query, catalog);
    CHECK(search.sink.sorted() == Paths{"g/nothing"});
  }
  SECTION("not by half") {
    FakeDirectoryCatalog catalog(search.files);
    catalog.entries_per_block = 1;
    catalog.types_known = false;
    search.run(query, catalog);
    CHECK(search.sink.sorted() == Paths{"e", "g/nothing"});
    CHECK(search.files.opened == Paths{""});
  }
}

TEST_CASE("directory catalog: where a link leads is the kernel's to tell, of links only") {
  Search search;
  fill(search.files);
  search.files.add_link("b/up", "a");
  FakeDirectoryCatalog catalog(search.files);
  search.run(
      asking(needs::target,
             [](Entry& entry) { return entry.require(needs::target) && entry.target == "a"; }),
      catalog);
  CHECK(search.sink.sorted() == Paths{"b/up", "f"});
  CHECK(search.files.opened == Paths{"", "b"});  // from its parent, which is open
}

TEST_CASE("directory catalog: capabilities take the directory's descriptor") {
  Search search;
  fill(search.files);
  FakeDirectoryCatalog catalog(search.files);
  search.run(asking(needs::capabilities,
                    [](Entry& entry) {
                      return entry.name == "three.txt" && entry.require(needs::capabilities);
                    }),
             catalog);
  CHECK(search.sink.paths == Paths{"b/c/three.txt"});
  CHECK(search.files.opened == Paths{"", "", "b/c"});
  CHECK(search.files.open_now == 0);
}

TEST_CASE("directory catalog: of a link that is followed it tells nothing") {
  Search search;
  fill(search.files);
  FakeDirectoryCatalog catalog(search.files);
  Query query = asking(needs::created, [](Entry& entry) { return entry.require(needs::created); });
  query.scope.follow = true;
  search.run(query, catalog);
  const Paths found = search.sink.sorted();
  CHECK(std::count(found.begin(), found.end(), "a") == 1);
  CHECK(std::count(found.begin(), found.end(), "f") == 0);

  search.sink.paths.clear();
  query.where = Expression::of(empty_test());
  search.run(query, catalog);
  CHECK(search.sink.sorted() == Paths{"e"});
}
