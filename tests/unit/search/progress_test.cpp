// SPDX-License-Identifier: MIT
// What a search tells of itself while it goes on: asked from within, by a test of entries, so that
// it is known where the search is at that moment.
#include "ffind/searcher.h"

#include <thread>

#include "catch.h"
#include "device_search.h"
#include "fakes/fake_catalog.h"

namespace progress_test {

using namespace ffind;
using namespace ffind::search;

namespace {

Task local(Task task) {
  task.volume.kind = VolumeKind::local;
  return task;
}

/// What `progress` tells when the entry called `name` is looked at.
SearchProgress told_at(const std::string& name, Progress& progress, const Task& task) {
  FakeFileSystem files;
  fill(files);
  CollectingSink sink;
  SearchProgress told;
  const Query query = asking(needs::none, [&](Entry& entry) {
    if (entry.name == name) told = progress.look();
    return true;
  });
  search_fake(files, query, sink, task, {}, {}, &progress);
  return told;
}

}  // namespace

TEST_CASE("a watched search tells which directory it reads") {
  Progress progress;
  progress.watch();
  CHECK(told_at("a", progress, local(task_from(".", 1))).where == ".");
  CHECK(told_at("three.txt", progress, local(task_from(".", 1))).where == "b/c");
}

TEST_CASE("nobody is told where a search is that nobody watches, unless its volume may hang") {
  Progress progress;
  CHECK(told_at("three.txt", progress, local(task_from(".", 1))).where.empty());
  CHECK(told_at("three.txt", progress, task_from(".", 1)).where == "b/c");
}

TEST_CASE("a search tells the counts of the directories that it is done with") {
  Progress progress;
  const SearchProgress told = told_at("four.txt", progress, task_from(".", 1));
  // Above it lie the root, b and c; what lies beside them may have been read before.
  CHECK(told.directories >= 3);
  CHECK(told.entries >= 4 + 1 + 2);
  CHECK(told.matches == told.entries);
}

TEST_CASE("what a search told last is what it counted") {
  Progress progress;
  told_at("", progress, task_from(".", 3));
  const SearchProgress told = progress.look();
  CHECK(told.directories == 6);
  CHECK(told.entries == everything.size());
  CHECK(told.matches == everything.size());
  CHECK(told.where.empty());
}

TEST_CASE("a catalog tells its volume") {
  FakeFileSystem files;
  fill(files);
  FakeCatalog catalog(files);
  Task task = task_from(".", 1);
  task.choice.method = Method::catalog;
  task.volume.mount_point = "/fake";
  CollectingSink sink;
  Progress progress;
  SearchProgress told;
  const Query query = asking(needs::none, [&](Entry&) {
    told = progress.look();
    return true;
  });
  const SearchResult result =
      search_fake(files, query, sink, task, catalog.factory(), {}, &progress);
  CHECK(told.where == "/fake");
  CHECK(progress.look().entries == result.statistics.entries);
}

TEST_CASE("a search that reads a device tells which directory it reads") {
  Search search;
  fill(search.files);
  FakeDevice device(search.files);
  Progress progress;
  SearchProgress told;
  const Query query = asking(needs::none, [&](Entry& entry) {
    if (entry.name == "four.txt") told = progress.look();
    return true;
  });
  search_fake(search.files, query, search.sink, search.task, {}, device.factory(), &progress);
  CHECK(told.where == "b/c/d");
  CHECK(told.entries >= 7);
}

TEST_CASE("a search of many threads may be looked at all the time") {
  FakeFileSystem files;
  for (int index = 0; index < 2000; ++index) {
    files.add("d" + std::to_string(index % 50) + "/e" + std::to_string(index) + "/f");
  }
  CollectingSink sink;
  Progress progress;
  std::atomic<bool> over{false};
  bool grows = true;
  std::thread watcher([&] {
    std::uint64_t entries = 0;
    while (!over.load()) {
      const SearchProgress told = progress.look();
      grows = grows && told.entries >= entries;
      entries = told.entries;
    }
  });
  search_fake(files, {}, sink, task_from(".", 4), {}, {}, &progress);
  over = true;
  watcher.join();
  CHECK(grows);
  CHECK(progress.look().entries == sink.paths.size());
}

}  // namespace progress_test
