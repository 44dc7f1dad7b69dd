// SPDX-License-Identifier: MIT
// Many workers, many shapes of tree: nothing twice, nothing missed, and an end. Meant to be run
// under ThreadSanitizer.
#include <cerrno>
#include <set>
#include <string>

#include "catch.h"
#include "fakes/search_harness.h"

namespace threads_test {

using namespace ffind;

namespace {

/// `width` directories on each of `levels` levels, two files in each.
std::size_t fill(FakeFileSystem& files, const std::string& path, int levels, int width) {
  std::size_t count = 0;
  for (int index = 0; index < width; ++index) {
    const std::string directory = path + "d" + std::to_string(index);
    files.add(directory, FileType::directory);
    files.add(directory + "/f1");
    files.add(directory + "/f2");
    count += 3;
    if (levels > 1) count += fill(files, directory + "/", levels - 1, width);
  }
  return count;
}

bool has_twins(const Paths& sorted) {
  return std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end();
}

}  // namespace

TEST_CASE("every entry is found once by any number of threads") {
  const unsigned threads = GENERATE(1U, 2U, 8U);
  FakeFileSystem files;
  const std::size_t count = fill(files, "", 4, 4);
  CollectingSink sink;
  const SearchResult result = search_fake(files, {}, sink, threads);
  CHECK(sink.paths.size() == count);
  CHECK_FALSE(has_twins(sink.sorted()));
  CHECK(result.statistics.entries == count);
  CHECK(result.statistics.threads <= threads);
  CHECK(files.open_now == 0);
}

TEST_CASE("a directory comes before what is in it, and a root before the next") {
  const unsigned threads = GENERATE(1U, 2U, 8U);
  const std::size_t kept = GENERATE(0U, 3U, 50U, 10'000U);
  FakeFileSystem files;
  const std::size_t count = fill(files, "", 5, 4);
  Query query;
  query.scope.parents_first = true;
  Task task = task_from(".", threads);
  task.roots.clear();
  for (const std::string name : {"d2", "d0", "d3", "d1"}) {
    Root root;
    root.open_path = name;
    root.printed = name + "/";
    root.canonical = root.absolute = "/fake/" + name;
    task.roots.push_back(root);
  }
  CollectingSink sink;
  sink.kept = kept;
  search_fake(files, query, sink, task);
  CHECK(sink.paths.size() == count - 4);
  std::set<std::string> seen = {"d2", "d0", "d3", "d1"};
  std::string order;
  std::size_t early = 0;
  for (const std::string& path : sink.paths) {
    if (seen.count(path.substr(0, path.rfind('/'))) == 0) ++early;
    seen.insert(path);
    if (order.empty() || order.back() != path[1]) order += path[1];
  }
  CHECK(early == 0);
  CHECK(order == "2031");
}

TEST_CASE("a limit is kept exactly by any number of threads") {
  const unsigned threads = GENERATE(1U, 8U);
  for (const std::uint64_t limit : {1U, 2U, 7U, 100U}) {
    FakeFileSystem files;
    fill(files, "", 3, 5);
    CollectingSink sink;
    Query query;
    query.limit = limit;
    const SearchResult result = search_fake(files, query, sink, threads);
    CHECK(sink.paths.size() == limit);
    CHECK(result.statistics.matches == limit);
  }
}

TEST_CASE("a huge directory is shared among the workers and listed once") {
  const unsigned threads = GENERATE(1U, 4U);
  FakeFileSystem files;
  constexpr std::size_t count = 20'000;
  const std::string padding(100, 'x');
  for (std::size_t index = 0; index < count; ++index) {
    files.add("big/" + padding + std::to_string(index), FileType::file, index);
  }
  CollectingSink sink;
  Query query;
  query.where = Expression::of(query::range_test(query::size_row, {0, count}));
  const SearchResult result = search_fake(files, query, sink, threads);
  CHECK(sink.paths.size() == count);
  CHECK_FALSE(has_twins(sink.sorted()));
  CHECK(result.statistics.stats == count);
}

TEST_CASE("more siblings than may be pending are all entered") {
  const unsigned threads = GENERATE(1U, 4U);
  FakeFileSystem files;
  files.entries_per_block = 300;
  constexpr std::size_t count = 9'000;
  for (std::size_t index = 0; index < count; ++index) {
    files.add("s" + std::to_string(index) + "/leaf");
  }
  CollectingSink sink;
  search_fake(files, {}, sink, threads);
  CHECK(sink.paths.size() == 2 * count);
  CHECK_FALSE(has_twins(sink.sorted()));
}

TEST_CASE("a search that runs out of descriptors closes some and goes on") {
  FakeFileSystem files;
  files.most_open = 6;
  const std::size_t count = fill(files, "", 5, 3);
  CollectingSink sink;
  search_fake(files, {}, sink, 2);
  CHECK(sink.issues.empty());
  CHECK(sink.paths.size() == count);
  CHECK(files.open_at_most <= 6);
}

TEST_CASE("a chain of directories far deeper than a path can be long is walked to its end") {
  FakeFileSystem files;
  files.most_open = 4;
  std::string path = "d";
  constexpr std::size_t depth = 600;
  for (std::size_t level = 1; level < depth; ++level) path += "/directory";
  files.add(path + "/leaf");
  CollectingSink sink;
  search_fake(files, {}, sink, 1);
  CHECK(sink.paths.size() == depth + 1);
  CHECK(sink.issues.empty());
}

}  // namespace threads_test
