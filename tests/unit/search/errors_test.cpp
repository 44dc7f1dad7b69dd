// SPDX-License-Identifier: MIT
// What goes wrong during a search costs its own entry and nothing else.
#include <cerrno>

#include "catch.h"
#include "fakes/search_harness.h"
#include "os/machine.h"

namespace errors_test {

using namespace ffind;

namespace {

void fill(FakeFileSystem& files) {
  for (const char* const name : {"a", "b", "c"}) {
    for (const char* const leaf : {"x", "y"}) {
      files.add(std::string(name) + "/" + leaf, FileType::file, 7);
    }
  }
}

}  // namespace

TEST_CASE("a directory that may not be opened is reported and the rest is found") {
  FakeFileSystem files;
  fill(files);
  files.open_errors["b"] = EACCES;
  CollectingSink sink;
  const SearchResult result = search_fake(files, {}, sink);
  CHECK(sink.sorted() == Paths{"a", "a/x", "a/y", "b", "c", "c/x", "c/y"});
  REQUIRE(sink.issues.size() == 1);
  CHECK(sink.issues[0].path == "b");
  CHECK(sink.issues[0].error == EACCES);
  CHECK(result.statistics.issues == 1);
}

TEST_CASE("a directory whose contents are in a cloud only is counted, not reported") {
  FakeFileSystem files;
  fill(files);
  files.open_errors["b"] = EDEADLK;
  files.read_errors["c"] = EDEADLK;
  CollectingSink sink;
  const SearchResult result = search_fake(files, {}, sink, 3);
  CHECK(sink.sorted() == Paths{"a", "a/x", "a/y", "b", "c"});
  CHECK(sink.issues.empty());
  CHECK(result.statistics.not_local_directories == 2);
  CHECK(result.statistics.vanished == 0);
  CHECK(result.statistics.issues == 0);
}

TEST_CASE("a directory that cannot be read to its end is reported with the operation") {
  FakeFileSystem files;
  fill(files);
  files.read_errors["b"] = EIO;
  CollectingSink sink;
  search_fake(files, {}, sink);
  REQUIRE(sink.issues.size() == 1);
  CHECK(sink.issues[0].path == "b");
  CHECK(sink.issues[0].operation == "read directory");
}

TEST_CASE("what vanished between listing and opening is counted, not reported") {
  FakeFileSystem files;
  fill(files);
  const int gone = GENERATE(ENOENT, ENOTDIR, ELOOP);
  files.open_errors["b"] = gone;
  CollectingSink sink;
  const SearchResult result = search_fake(files, {}, sink);
  CHECK(sink.issues.empty());
  CHECK(result.statistics.vanished == 1);
}

TEST_CASE("what vanished before its stat is skipped and counted once") {
  FakeFileSystem files;
  fill(files);
  files.stat_errors["a/x"] = ENOENT;
  CollectingSink sink;
  Query query;
  query.where =
      Expression::all({Expression::of(query::range_test(query::size_row, {1, 100})),
                       Expression::of(query::range_test(query::modified_row, {{-1}, {1}}))});
  const SearchResult result = search_fake(files, query, sink);
  CHECK(sink.sorted() == Paths{"a/y", "b/x", "b/y", "c/x", "c/y"});
  CHECK(result.statistics.vanished == 1 + 0);
  CHECK(sink.issues.empty());
}

TEST_CASE("metadata that cannot be read is reported and does not match") {
  FakeFileSystem files;
  fill(files);
  files.stat_errors["a/x"] = EACCES;
  CollectingSink sink;
  Query query;
  query.where = Expression::of(query::range_test(query::size_row, {1, 100}));
  search_fake(files, query, sink);
  CHECK(sink.paths.size() == 5);
  REQUIRE(sink.issues.size() == 1);
  CHECK(sink.issues[0].path == "a/x");
  CHECK(sink.issues[0].operation == "read metadata");
}

TEST_CASE("a root that does not exist is reported by its name") {
  FakeFileSystem files;
  fill(files);
  CollectingSink sink;
  search_fake(files, {}, sink, task_from("nowhere", 1));
  REQUIRE(sink.issues.size() == 1);
  CHECK(sink.issues[0].path == "nowhere");
  CHECK(sink.issues[0].error == ENOENT);
}

TEST_CASE("a root that is a file is itself searched, at depth 0") {
  FakeFileSystem files;
  fill(files);
  CollectingSink sink;
  Query query;
  query.where = Expression::of(query::range_test(query::depth_row, {0, 0}));
  Task task = task_from("a/x", 1);
  task.roots[0].is_file = true;
  search_fake(files, query, sink, task);
  CHECK(sink.paths == Paths{"a/x"});
}

TEST_CASE("a root is what is opened, whatever was planned") {
  FakeFileSystem files;
  fill(files);
  CollectingSink sink;
  SECTION("a file became a directory") {
    Task task = task_from("a", 1);
    task.roots[0].is_file = true;
    search_fake(files, {}, sink, task);
    CHECK(sink.sorted() == Paths{"a/x", "a/y"});
  }
  SECTION("a directory became a file") {
    Task task = task_from("a/x", 1);
    task.roots[0].printed = "a/x/";
    search_fake(files, {}, sink, task);
    CHECK(sink.sorted() == Paths{"a/x"});
  }
  SECTION("a directory that cannot be opened as one is an error, once") {
    files.open_errors["a"] = ENOTDIR;
    Task task = task_from("a", 1);
    task.roots[0].printed = "a/";
    search_fake(files, {}, sink, task);
    CHECK(sink.paths.empty());
    REQUIRE(sink.issues.size() == 1);
    CHECK(sink.issues[0].path == "a");
    CHECK(sink.issues[0].error == ENOTDIR);
  }
}

TEST_CASE("where no descriptor is to be had nobody waits for one twice") {
  FakeFileSystem files;
  for (int index = 0; index < 1000; ++index) {
    files.add("d" + std::to_string(index), FileType::directory);
  }
  files.most_open = 1;
  CollectingSink sink;
  const Nanoseconds begin = os::monotonic_now();
  const SearchResult result = search_fake(files, {}, sink);
  CHECK(os::monotonic_now() - begin < Nanoseconds{10} * 1000 * 1000 * 1000);
  CHECK(sink.paths.size() == 1000);
  CHECK(result.statistics.issues == 1000);
}

TEST_CASE("output that fails stops the search") {
  FakeFileSystem files;
  for (int index = 0; index < 100; ++index) {
    files.add("d" + std::to_string(index) + "/file", FileType::file);
  }
  CollectingSink sink;
  sink.most = 3;
  const SearchResult result = search_fake(files, {}, sink);
  CHECK(sink.paths.size() == 3);
  CHECK(result.statistics.directories == 1);
}

TEST_CASE("accounts that do not answer are reported once, and are no reason to emit") {
  class SilentAccounts final : public Accounts {
    std::optional<std::uint32_t> user_id(const std::string&) const override { return {}; }
    std::optional<std::uint32_t> group_id(const std::string&) const override { return {}; }
    std::optional<std::string> user_name(std::uint32_t) const override { return std::string(); }
    std::optional<std::string> group_name(std::uint32_t) const override { return std::string(); }
  };
  const SilentAccounts accounts;
  FakeFileSystem files;
  for (int index = 0; index < 100; ++index) {
    files.add("d" + std::to_string(index) + "/file", FileType::file);
  }
  Query query;
  query.where = Expression::of(query::orphan_test(query::users, accounts));
  if (GENERATE(true, false)) query.where = Expression::negation(std::move(query.where));
  CollectingSink sink;
  const SearchResult result = search_fake(files, query, sink, 4);
  CHECK(sink.paths.empty());
  REQUIRE(sink.issues.size() == 1);
  CHECK(sink.issues[0].operation == "look up its account");
  CHECK(result.statistics.issues == 1);
}

}  // namespace errors_test
