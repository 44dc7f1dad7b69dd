// SPDX-License-Identifier: MIT
// What a search asks the file system for, and above all what it does not.
#include <algorithm>
#include <cerrno>

#include "catch.h"
#include "fakes/search_harness.h"

namespace calls_test {

using namespace ffind;

namespace {

void fill(FakeFileSystem& files) {
  files.add("a/one.txt", FileType::file, 10);
  files.add("a/two.log", FileType::file, 2000);
  files.add("b/c/three.txt", FileType::file, 3000);
  files.add(".git/config", FileType::file, 5);
}

}  // namespace

TEST_CASE("a search by name alone makes no stat") {
  FakeFileSystem files;
  fill(files);
  CollectingSink sink;
  Query query;
  query.where = name_glob("*.txt");
  const SearchResult result = search_fake(files, query, sink);
  CHECK(sink.sorted() == Paths{"a/one.txt", "b/c/three.txt"});
  CHECK(files.statted.empty());
  CHECK(result.statistics.stats == 0);
  CHECK(result.statistics.directories == 5);
}

TEST_CASE("a search by type makes no stat where the directory tells types") {
  FakeFileSystem files;
  fill(files);
  CollectingSink sink;
  Query query;
  query.where = Expression::of(query::type_test({FileType::directory}));
  search_fake(files, query, sink);
  CHECK(sink.sorted() == Paths{".git", "a", "b", "b/c"});
  CHECK(files.statted.empty());
}

TEST_CASE("entries of unknown type are statted once and then entered") {
  FakeFileSystem files;
  fill(files);
  files.types_known = false;
  CollectingSink sink;
  const SearchResult result = search_fake(files, {}, sink);
  CHECK(sink.paths.size() == 8);
  CHECK(result.statistics.stats == 8);
}

TEST_CASE("a size filter stats only files whose name fits") {
  FakeFileSystem files;
  fill(files);
  CollectingSink sink;
  Query query;
  query.where = Expression::all(
      {Expression::of(query::range_test(query::size_row, {1000, 5000})), name_glob("*.txt")});
  search_fake(files, query, sink);
  CHECK(sink.sorted() == Paths{"b/c/three.txt"});
  CHECK(files.statted.size() == 2);
  CHECK_FALSE(files.was_statted("a/two.log"));
}

TEST_CASE("what is excluded is never opened and never listed") {
  FakeFileSystem files;
  fill(files);
  CollectingSink sink;
  Query query;
  query.scope.exclude = Expression::any({name_glob("b")});
  search_fake(files, query, sink);
  CHECK_FALSE(files.was_opened("b"));
  CHECK_FALSE(files.was_opened("b/c"));
  CHECK(sink.sorted() == Paths{".git", ".git/config", "a", "a/one.txt", "a/two.log"});
}

TEST_CASE("what is pruned is listed but not opened") {
  FakeFileSystem files;
  fill(files);
  CollectingSink sink;
  Query query;
  query.scope.prune = Expression::any({name_glob("b")});
  search_fake(files, query, sink);
  CHECK_FALSE(files.was_opened("b"));
  CHECK(sink.sorted() == Paths{".git", ".git/config", "a", "a/one.txt", "a/two.log", "b"});
}

TEST_CASE("hidden directories are not opened with skip_hidden") {
  FakeFileSystem files;
  fill(files);
  CollectingSink sink;
  Query query;
  query.scope.skip_hidden = true;
  search_fake(files, query, sink);
  CHECK_FALSE(files.was_opened(".git"));
}

TEST_CASE("without skip_packages nobody asks for the bundle mark") {
  FakeFileSystem files;
  fill(files);
  files.add("Odd/inside");
  files.add("Safari.app/Contents/Info.plist");
  files.bundles = {"Odd"};
  for (const bool known : {false, true}) {
    files.bundles_known = known;
    CollectingSink sink;
    search_fake(files, {}, sink);
    CHECK(files.asked_for_bundle.empty());
    CHECK(files.was_opened("Odd"));
    CHECK(files.was_opened("Safari.app/Contents"));
  }
}

TEST_CASE("with skip_packages a directory is asked for the mark once, unless its name tells") {
  FakeFileSystem files;
  fill(files);
  files.add("Odd/inside");
  files.add("Safari.app/Contents/Info.plist");
  files.bundles = {"Odd"};
  CollectingSink sink;
  Query query;
  query.scope.skip_packages = true;
  search_fake(files, query, sink);
  std::sort(files.asked_for_bundle.begin(), files.asked_for_bundle.end());
  CHECK(files.asked_for_bundle == Paths{".git", "Odd", "a", "b", "b/c"});
  CHECK(files.statted.empty());
  CHECK(sink.sorted() == Paths{".git", ".git/config", "Odd", "Safari.app", "a", "a/one.txt",
                               "a/two.log", "b", "b/c", "b/c/three.txt"});
  CHECK_FALSE(files.was_opened("Odd"));
  CHECK_FALSE(files.was_opened("Safari.app"));
}

TEST_CASE("a reader that tells the bundle mark spares the asking") {
  FakeFileSystem files;
  fill(files);
  files.add("Odd/inside");
  files.bundles = {"Odd"};
  files.bundles_known = true;
  CollectingSink sink;
  Query query;
  query.scope.skip_packages = true;
  search_fake(files, query, sink);
  CHECK(files.asked_for_bundle.empty());
  CHECK_FALSE(files.was_opened("Odd"));
  CHECK(files.was_opened("b/c"));
}

TEST_CASE("a link to a bundle counts as what it leads to, by its own name") {
  FakeFileSystem files;
  files.add("real/Odd/inside");
  files.add("real/plain/inside");
  files.add_link("marked", "real/Odd");
  files.add_link("named.app", "real/plain");
  files.add_link("link", "real/plain");
  files.bundles = {"real/Odd"};
  for (const bool known : {false, true}) {
    files.bundles_known = known;
    files.opened.clear();
    CollectingSink sink;
    Query query;
    query.scope.follow = true;
    query.scope.skip_packages = true;
    search_fake(files, query, sink);
    CHECK_FALSE(files.was_opened("marked"));
    CHECK_FALSE(files.was_opened("named.app"));
    CHECK(files.was_opened("link"));
    CHECK(sink.sorted() == Paths{"link", "link/inside", "marked", "named.app", "real", "real/Odd",
                                 "real/plain", "real/plain/inside"});
  }
}

TEST_CASE("what is mounted somewhere is not asked for its bundle mark") {
  FakeFileSystem files;
  fill(files);
  files.bundles = {"b"};
  CollectingSink sink;
  Query query;
  query.scope.skip_packages = true;
  Task task = task_from(".", 1);
  task.boundaries.push_back({"/fake/b", VolumeKind::network, true});
  const SearchResult result = search_fake(files, query, sink, task);
  CHECK(result.left_out.size() == 1);
  std::sort(files.asked_for_bundle.begin(), files.asked_for_bundle.end());
  CHECK(files.asked_for_bundle == Paths{".git", "a"});
}

TEST_CASE("the bundle mark of what a mount hides is nobody's") {
  FakeFileSystem files;
  fill(files);
  files.traits = {{"a", os::traits::trigger}, {"b", os::traits::mount_point}};
  files.bundles = {"a", "b"};
  for (const bool known : {false, true}) {
    files.bundles_known = known;
    files.asked_for_bundle.clear();
    CollectingSink sink;
    Query query;
    query.scope.skip_packages = true;
    const SearchResult result = search_fake(files, query, sink);
    CHECK(files.asked_for_bundle == (known ? Paths{} : Paths{".git"}));
    REQUIRE(result.left_out.size() == 1);
    CHECK(result.left_out[0].path == "b");
  }
}

TEST_CASE("a root that is a package is searched") {
  FakeFileSystem files;
  files.add("Safari.app/Contents/Info.plist");
  files.bundles = {"Safari.app"};
  CollectingSink sink;
  Query query;
  query.scope.skip_packages = true;
  search_fake(files, query, sink, task_from("Safari.app", 1));
  CHECK(sink.paths.size() == 2);
}

TEST_CASE("directories at the greatest depth are not opened") {
  FakeFileSystem files;
  fill(files);
  CollectingSink sink;
  Query query;
  query.scope.max_depth = 1;
  search_fake(files, query, sink);
  CHECK(sink.sorted() == Paths{".git", "a", "b"});
  CHECK(files.opened == Paths{""});
}

TEST_CASE("a known boundary is listed and not opened") {
  FakeFileSystem files;
  fill(files);
  CollectingSink sink;
  Task task = task_from(".", 1);
  task.boundaries.push_back({"/fake/b", VolumeKind::automount, true});
  const SearchResult result = search_fake(files, {}, sink, task);
  CHECK_FALSE(files.was_opened("b"));
  REQUIRE(result.left_out.size() == 1);
  CHECK(result.left_out[0].path == "/fake/b");
  CHECK(sink.paths.size() == 6);
}

TEST_CASE("a boundary that nobody knew of is met by the kernel's answer") {
  FakeFileSystem files;
  fill(files);
  files.open_errors["b"] = EXDEV;
  CollectingSink sink;
  const SearchResult result = search_fake(files, {}, sink);
  REQUIRE(result.left_out.size() == 1);
  CHECK(result.left_out[0].path == "b");
  CHECK(sink.issues.empty());
}

TEST_CASE("nothing is entered on a volume that mounts what is touched") {
  FakeFileSystem files;
  fill(files);
  CollectingSink sink;
  Task task = task_from(".", 1);
  task.choice.enter = false;
  search_fake(files, {}, sink, task);
  CHECK(files.opened == Paths{""});
  CHECK(sink.paths.size() == 3);
}

TEST_CASE("an empty directory is told by reading it, an empty file by its size") {
  FakeFileSystem files;
  fill(files);
  files.add("hollow", FileType::directory);
  files.add("zero", FileType::file, 0);
  CollectingSink sink;
  Query query;
  query.where = Expression::of(query::flag_test("empty"));
  search_fake(files, query, sink);
  CHECK(sink.sorted() == Paths{"hollow", "zero"});
}

}  // namespace calls_test
