// SPDX-License-Identifier: MIT
// What heeding ignore files costs, and what it does where files cannot be read. Rules themselves
// are tested in query/ignore, the whole against git by cli/gitignore.py.
#include "search/ignore.h"

#include <algorithm>
#include <cerrno>

#include "catch.h"
#include "fakes/search_harness.h"

namespace ignore_test {

using namespace ffind;
using namespace ffind::search;

namespace {

void fill(FakeFileSystem& files) {
  files.add("a/x");
  files.add("a/y");
  files.add("b/x");
  files.add("x/inside");
}

Query heeding() {
  Query query;
  query.scope.gitignore.enabled = true;
  return query;
}

}  // namespace

TEST_CASE("without --gitignore no file is read") {
  FakeFileSystem files;
  fill(files);
  files.add_file(".gitignore", "x\n");
  CollectingSink sink;
  search_fake(files, {}, sink);
  CHECK(files.files_opened.empty());
  CHECK(sink.paths.size() == 8);
}

TEST_CASE("files of other names decide before git's, and rules of a root after them") {
  FakeFileSystem files;
  fill(files);
  files.add_file(".gitignore", "x\n!y\n");
  files.add_file("a/.ignore", "!x\n");
  CollectingSink sink;
  Query query = heeding();
  query.scope.ignore_files = {".ignore"};
  query.scope.ignore_texts = {{"rules", "y\n/b\n"}};
  search_fake(files, query, sink);
  CHECK(sink.sorted() == Paths{".gitignore", "a", "a/.ignore", "a/x", "a/y"});
  CHECK_FALSE(files.was_opened("b"));
}

TEST_CASE("what an expression excludes is not opened, and what it prunes is listed alone") {
  FakeFileSystem files;
  fill(files);
  files.add("c/x");
  CollectingSink sink;
  Query query;
  query.scope.exclude = Expression::of(query::type_test({FileType::directory}));
  search_fake(files, query, sink);
  CHECK(sink.paths.empty());
  CHECK_FALSE(files.was_opened("a"));
}

TEST_CASE("with --gitignore what is ignored is neither listed, nor opened, nor asked for") {
  FakeFileSystem files;
  fill(files);
  files.add("empty/e");
  files.add_file(".gitignore", "x\n*.o\nempty/\n");
  files.add("a/.git/config");
  files.add("big.o", FileType::file, 5000);
  CollectingSink sink;
  Query query = heeding();
  query.where = Expression::of(query::range_test(query::size_row, {0, 10000}));
  const SearchResult result = search_fake(files, query, sink);
  CHECK(sink.sorted() == Paths{".gitignore", "a/y"});
  CHECK_FALSE(files.was_opened("x"));
  CHECK_FALSE(files.was_opened("empty"));
  CHECK_FALSE(files.was_opened("a/.git"));
  CHECK_FALSE(files.was_statted("big.o"));
  CHECK(result.statistics.issues == 0);
}

TEST_CASE("each ignore file is read once, by all threads together") {
  FakeFileSystem files;
  files.entries_per_block = 2;
  for (int i = 0; i < 40; ++i) files.add("d/f" + std::to_string(i));
  files.add_file("d/.gitignore", "f1*\n");
  for (const unsigned threads : {1U, 4U}) {
    files.files_opened.clear();
    CollectingSink sink;
    search_fake(files, heeding(), sink, threads);
    CHECK(std::count(files.files_opened.begin(), files.files_opened.end(), "d/.gitignore") == 1);
    CHECK(sink.paths.size() == 1 + 40 - 11 + 1);
  }
}

TEST_CASE("an entry of unknown type is statted where rules may be about directories") {
  FakeFileSystem files;
  files.types_known = false;
  files.add("build/x");
  files.add("a/build");
  files.add_file(".gitignore", "build/\n");
  CollectingSink sink;
  search_fake(files, heeding(), sink);
  CHECK(sink.sorted() == Paths{".gitignore", "a", "a/build"});
}

TEST_CASE("an ignore file that cannot be read is reported, and the search goes on") {
  FakeFileSystem files;
  fill(files);
  files.add_file("a/.gitignore", "x\n");
  files.open_errors["a/.gitignore"] = EACCES;
  CollectingSink sink;
  const SearchResult result = search_fake(files, heeding(), sink);
  REQUIRE(sink.issues.size() == 1);
  CHECK(sink.issues[0].path == "a/.gitignore");
  CHECK(sink.issues[0].error == EACCES);
  CHECK(result.statistics.issues == 1);
  CHECK(sink.paths.size() == 8);
}

}  // namespace ignore_test
