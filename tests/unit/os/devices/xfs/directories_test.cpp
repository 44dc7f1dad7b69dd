// SPDX-License-Identifier: MIT
// Searches of a fake volume whose inodes are read in bulk: what that answers costs no stat, and of
// the rest the kernel is asked, one by one.
#include "os/devices/xfs/directories.h"

#include <algorithm>

#include "catch.h"
#include "unit/os/devices/xfs/calls.h"
#include "unit/search/device_search.h"

namespace ffind::search::directories_test {
namespace {

using namespace os::xfs;

constexpr Nanoseconds long_ago = 0;
constexpr Nanoseconds lately = 2000'000'000'000;

class Bulk {
 public:
  Bulk() {
    search.task.catalog_shape = CatalogShape::inodes;
    search.task.wanted = needs::size | needs::type;
  }

  SearchResult run(const Query& query) {
    for (const FakeFileSystem::Listed& file : search.files.list()) {
      if (file.type != FileType::file) continue;
      if (volume.inodes.count(file.inode) == 0) volume.add(settled_file(file.inode, file.size));
    }
    Plan plan;
    plan.tasks.push_back(search.task);
    return search_fake(search.files, query, search.sink, search.task, {},
                       [&](const Task& task, os::FileSystem& files, std::string&) {
                         return make_readers(
                             std::make_unique<Inodes>(std::make_unique<FakeCalls>(volume), trust(),
                                                      task.wanted, true),
                             7, files);
                       });
  }
  BulkStat& inode_of(const std::string& path) {
    for (const FakeFileSystem::Listed& file : search.files.list()) {
      if (file.path != path) continue;
      volume.add(settled_file(file.inode, file.size));
      return volume.inodes[file.inode];
    }
    FAIL(path);
    return volume.inodes[0];
  }

  Search search{};
  FakeVolume volume{};
};

TEST_CASE("xfs directories: what was read in bulk costs no stat") {
  Bulk bulk;
  fill(bulk.search.files);
  const SearchResult result = bulk.run(larger_than(1500));
  CHECK(bulk.search.sink.sorted() == Paths{"a/two.log", "b/c/d/four.txt", "b/c/three.txt"});
  CHECK(bulk.search.files.statted.empty());
  CHECK(result.statistics.stats == 0);
  CHECK(result.statistics.bulk_reads == 1);
  CHECK(result.statistics.walked == 0);
  CHECK(bulk.volume.read_from == std::vector<std::uint64_t>{0});
}

TEST_CASE("xfs directories: names alone read nothing in bulk") {
  Bulk bulk;
  fill(bulk.search.files);
  Query query;
  query.where = name_glob("*.txt");
  CHECK(bulk.run(query).statistics.bulk_reads == 0);
  CHECK(bulk.volume.read_from.empty());
  CHECK(bulk.volume.directories_asked == 0);
}

TEST_CASE("xfs directories: of what changed lately the kernel is asked") {
  Bulk bulk;
  fill(bulk.search.files);
  // It has grown since its size was on the volume.
  bulk.inode_of("a/two.log").size = 0;
  bulk.inode_of("a/two.log").ctime = 1700;
  const SearchResult result = bulk.run(larger_than(1500));
  CHECK(bulk.search.sink.sorted() == Paths{"a/two.log", "b/c/d/four.txt", "b/c/three.txt"});
  CHECK(bulk.search.files.statted == Paths{"a/two.log"});
  CHECK(result.statistics.stats == 1);
}

TEST_CASE("xfs directories: what the call returns as something else is asked for") {
  Bulk bulk;
  fill(bulk.search.files);
  bulk.inode_of("a/one.txt").mode = 0120777;
  bulk.inode_of("a/two.log").mode = 0040755;
  const SearchResult result = bulk.run(larger_than(1500));
  CHECK(bulk.search.sink.sorted() == Paths{"a/two.log", "b/c/d/four.txt", "b/c/three.txt"});
  CHECK(result.statistics.stats == 2);
}

TEST_CASE("xfs directories: a call that fails leaves all to stat") {
  Bulk bulk;
  fill(bulk.search.files);
  bulk.volume.error = EIO;
  const SearchResult result = bulk.run(larger_than(1500));
  CHECK(bulk.search.sink.sorted() == Paths{"a/two.log", "b/c/d/four.txt", "b/c/three.txt"});
  CHECK(result.statistics.stats == 4);
  CHECK(result.statistics.issues == 0);
}

TEST_CASE("xfs directories: inodes read before a directory was listed count where it has rested") {
  Bulk bulk;
  // All in one chunk: it is read for the first directory.
  for (const char* const path : {"a/one", "b/two", "c/three", "c/four"}) {
    bulk.search.files.add(path, FileType::file, 2000);
  }
  const bool rested = GENERATE(true, false);
  bulk.volume.directory_changed = rested ? long_ago : lately;
  const SearchResult result = bulk.run(larger_than(1500));
  CHECK(bulk.search.sink.paths.size() == 4);
  CHECK(bulk.volume.read_from.size() == 1);
  // Which is the first is the walk's affair; of each other one is asked once.
  CHECK(bulk.volume.directories_asked == 2);
  CHECK((result.statistics.stats == 0) == rested);
  CHECK(result.statistics.stats < 4);
}

TEST_CASE("xfs directories: numbers of inodes and the device are known without a call") {
  Bulk bulk;
  fill(bulk.search.files);
  std::uint64_t devices = 0;
  const SearchResult result = bulk.run(asking(needs::identity, [&](Entry& entry) {
    if (entry.require(needs::identity) && entry.metadata.device == 7) ++devices;
    return false;
  }));
  CHECK(devices == everything.size());
  CHECK(result.statistics.stats == 0);
  CHECK(bulk.volume.read_from.empty());
}

TEST_CASE("xfs directories: a directory shared by threads finds each file once") {
  Bulk bulk;
  for (int i = 0; i < 3000; ++i) {
    bulk.search.files.add("d/" + std::to_string(i), FileType::file, static_cast<unsigned>(i));
  }
  bulk.search.task.threads = 8;
  bulk.search.files.entries_per_block = 100;
  bulk.search.files.stat_takes = std::chrono::microseconds(50);
  bulk.volume.directory_changed = GENERATE(long_ago, lately);
  bulk.run(larger_than(1500));
  CHECK(bulk.search.sink.paths.size() == 1500);
}

}  // namespace
}  // namespace ffind::search::directories_test
