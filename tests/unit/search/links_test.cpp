// SPDX-License-Identifier: MIT
// Following symbolic links: types, loops, and each directory once.
#include "catch.h"
#include "fakes/search_harness.h"

namespace links_test {

using namespace ffind;

namespace {

Query following(bool unique = false) {
  Query query;
  query.scope.follow = true;
  query.scope.unique = unique;
  return query;
}

}  // namespace

TEST_CASE("links are not entered unless they are followed") {
  FakeFileSystem files;
  files.add("dir/file");
  files.add_link("link", "dir");
  CollectingSink sink;
  search_fake(files, {}, sink);
  CHECK(sink.sorted() == Paths{"dir", "dir/file", "link"});
  CHECK(files.statted.empty());
}

TEST_CASE("a followed directory is listed under each path that leads to it") {
  FakeFileSystem files;
  files.add("dir/file");
  files.add_link("link", GENERATE("dir", "/fake/dir"));
  CollectingSink sink;
  search_fake(files, following(), sink);
  CHECK(sink.sorted() == Paths{"dir", "dir/file", "link", "link/file"});
}

TEST_CASE("with unique a directory is visited once, whatever leads to it") {
  FakeFileSystem files;
  files.add("dir/file");
  files.add_link("link", GENERATE("dir", "/fake/dir"));
  files.add_link("self", "");
  CollectingSink sink;
  search_fake(files, following(true), sink);
  CHECK(sink.sorted() == Paths{"dir", "dir/file"});
  CHECK(sink.issues.empty());
}

TEST_CASE("a link back to an ancestor is reported, listed and not entered") {
  FakeFileSystem files;
  files.add("a/b/file");
  files.add_link("a/b/up", GENERATE("a", "/fake/a"));
  CollectingSink sink;
  const SearchResult result = search_fake(files, following(), sink);
  CHECK(sink.sorted() == Paths{"a", "a/b", "a/b/file", "a/b/up"});
  REQUIRE(sink.issues.size() == 1);
  CHECK(sink.issues[0].path == "a/b/up");
  CHECK(sink.issues[0].detail.find("loops back to 'a'") != std::string::npos);
  CHECK(result.statistics.issues == 1);
}

TEST_CASE("a plain directory that is its own ancestor is reported, listed and not entered") {
  FakeFileSystem files;
  files.add("o/t/file");
  files.add_link("o/t/up", GENERATE("o", "/fake/o"));
  CollectingSink sink;
  Task task = task_from("o/t", 1);
  task.roots[0].printed = "o/t/";
  search_fake(files, following(), sink, task);
  CHECK(sink.sorted() == Paths{"o/t/file", "o/t/up", "o/t/up/t"});
  REQUIRE(sink.issues.size() == 1);
  CHECK(sink.issues[0].path == "o/t/up/t");
  CHECK(sink.issues[0].detail == "the same directory as 'o/t', not entered");
}

TEST_CASE("with unique a link to another volume keeps nobody from visiting that") {
  FakeFileSystem files;
  files.add("a/file");
  files.add("far/file");
  files.add_link("a/link", "far");
  files.elsewhere = {"a/link"};
  CollectingSink sink;
  Task task = task_from("a", 1);
  task.roots[0].printed = "a/";
  task.roots.push_back(task.roots[0]);
  task.roots[1].open_path = "far";
  task.roots[1].printed = "far/";
  search_fake(files, following(true), sink, task);
  CHECK(sink.sorted() == Paths{"a/file", "a/link", "far/file"});
  CHECK_FALSE(files.was_opened("a/link"));
}

TEST_CASE("followed links have the type of what they lead to, broken ones stay links") {
  FakeFileSystem files;
  files.add("file");
  files.add_link("good", GENERATE("file", "/fake/file"));
  files.add_link("broken", GENERATE("nowhere", "/fake/nowhere"));
  CollectingSink sink;
  Query query = following();
  query.where = Expression::of(query::type_test({FileType::symlink}));
  search_fake(files, query, sink);
  CHECK(sink.sorted() == Paths{"broken"});
  CHECK(sink.issues.empty());
}

}  // namespace links_test
