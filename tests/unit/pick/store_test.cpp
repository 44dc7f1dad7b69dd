// SPDX-License-Identifier: MIT
// What a search found, kept: names by their directories, paths as they were printed, by any number
// of lanes.
#include <algorithm>
#include <thread>

#include "catch.h"
#include "fakes/collecting_sink.h"
#include "pick/store.h"
#include "unit/pick/pick_harness.h"

namespace store_test {

using namespace ffind;
using namespace ffind::pick;

namespace {

Texts all_paths(const EntryStore& store) {
  Texts paths;
  for (EntryId id = 0; id < store.size(); ++id) paths.push_back(store.path(id));
  return paths;
}

}  // namespace

TEST_CASE("paths are kept as they are printed, in the order found") {
  NarrowedStore picker;
  picker.offer({"a", "dir/", "dir/b", "dir/sub/c", "dir/d", "other/e"});
  CHECK(all_paths(*picker.store) == Texts{"a", "dir", "dir/b", "dir/sub/c", "dir/d", "other/e"});
  CHECK(picker.store->directories() == 4);
  CHECK(picker.store->type(1) == FileType::directory);
  CHECK(picker.store->directory(picker.store->directory_of(3)).depth == 3);
}

TEST_CASE("a path that would begin with a dash has a dot before it") {
  NarrowedStore picker;
  picker.offer({"-a", "-dir/b", "dir/c", "-dir/sub/d", "-dir/e"});
  CHECK(all_paths(*picker.store) == Texts{"./-a", "./-dir/b", "dir/c", "./-dir/sub/d", "./-dir/e"});
  CHECK(picker.store->directories() == 4);
  StoreCursor reader(*picker.store, needs::relative_path, nullptr);
  CHECK(reader.read(0).directory.empty());
  CHECK(reader.read(1).directory == "./-dir/");
  CHECK(reader.read(1).relative_path == "-dir/b");
  CHECK(reader.read(2).directory == "dir/");
  CHECK(reader.read(3).directory == "./-dir/sub/");
}

TEST_CASE("roots have directories of their own, even of one name") {
  NarrowedStore picker;
  Offering a(picker.sink, "a/");
  Offering b(picker.sink, "a/b/");
  a.offer("b/file");
  a.flush();
  b.offer("file");
  b.flush();
  CHECK(all_paths(*picker.store) == Texts{"a/b/file", "a/b/file"});
  StoreCursor reader(*picker.store, needs::relative_path | needs::absolute_path, nullptr);
  CHECK(reader.read(0).relative_path == "b/file");
  CHECK(reader.read(1).relative_path == "file");
  CHECK(reader.read(0).absolute_path == "/where/b/file");
  CHECK(reader.read(1).depth == 1);
}

TEST_CASE("entries are read in any order of their directories") {
  NarrowedStore picker;
  const Texts paths = {"a", "b/c", "b/d/e/f", "b/d/g", "h/i/j", "b/d/e/k", "l"};
  picker.offer(paths);
  StoreCursor reader(*picker.store, GENERATE(needs::none, needs::relative_path), nullptr);
  for (EntryId first = 0; first < paths.size(); ++first) {
    for (EntryId second = 0; second < paths.size(); ++second) {
      CHECK(std::string(reader.read(first).directory).append(picker.store->name(first)) ==
            paths[first]);
      Entry& entry = reader.read(second);
      REQUIRE(entry.require(needs::relative_path));
      CHECK(entry.relative_path == paths[second]);
    }
  }
}

TEST_CASE("a chain of directories takes no more memory than its names, and no quadratic time") {
  NarrowedStore picker;
  std::string path;
  const std::uint32_t depth = 5'000;
  for (std::uint32_t i = 0; i < depth; ++i) {
    picker.offering.offer(path + "d/");
    path += "d/";
  }
  picker.offering.flush();
  REQUIRE(picker.store->size() == depth);
  CHECK(picker.store->directories() == depth);
  CHECK(picker.store->directory(picker.store->directory_of(depth - 1)).depth == depth);
  StoreCursor reader(*picker.store, needs::relative_path, nullptr);
  std::size_t length = 0;
  for (EntryId id = 0; id < depth; ++id) length += reader.read(id).relative_path.size();
  CHECK(length == std::size_t{depth} * depth);
}

TEST_CASE("a long name and an empty batch are fine") {
  NarrowedStore picker;
  const std::string name(30'000, 'x');
  picker.offer({name, "dir/" + name});
  picker.offering.flush();
  StoreCursor reader(*picker.store, needs::relative_path | needs::absolute_path, nullptr);
  CHECK(reader.read(1).relative_path == "dir/" + name);
  CHECK(reader.read(0).absolute_path == "/where/" + name);
}

TEST_CASE("names fill whole segments and are read across their ends") {
  NarrowedStore picker;
  Texts paths;
  for (int i = 0; i < 20'000; ++i)
    paths.push_back("dir" + std::to_string(i / 7) + "/a name, number " + std::to_string(i));
  picker.offer(paths);
  CHECK(all_paths(*picker.store) == paths);
}

TEST_CASE("metadata that came with an entry is kept, and no other") {
  NarrowedStore picker;
  Metadata metadata{};
  metadata.size = 7;
  metadata.mode = 0100644;
  picker.offering.offer("known", needs::size | needs::mode, metadata);
  picker.offering.offer("unknown");
  picker.offering.flush();
  StoreCursor reader(*picker.store, needs::size, nullptr);
  CHECK(reader.read(0).metadata.size == 7);
  CHECK(reader.read(0).require(needs::mode));
  CHECK(reader.read(0).metadata.mode == 0100644);
  CHECK_FALSE(reader.read(1).require(needs::size));
  CHECK_FALSE(reader.read(0).require(needs::modified));
}

TEST_CASE("whether the system marks a directory as a bundle is kept where it is known") {
  NarrowedStore picker;
  picker.offering.offer("dir/");
  picker.offering.offer("plain/", needs::bundle);
  picker.offering.flush();
  StoreCursor reader(*picker.store, needs::none, nullptr);
  CHECK_FALSE(reader.read(0).require(needs::bundle));
  CHECK(reader.read(1).require(needs::bundle));
  CHECK_FALSE(reader.read(1).bundle);
  CHECK(picker.store->type(1) == FileType::directory);
}

TEST_CASE("the first entries are published with each block, later ones by the thousand") {
  NarrowedStore picker;
  picker.offering.offer("first");
  CHECK(picker.store->size() == 0);
  picker.offering.lane().flush_if_due();
  CHECK(picker.store->size() == 1);
  for (int i = 0; i < 1'000; ++i) picker.offering.offer("more" + std::to_string(i));
  picker.offering.lane().flush_if_due();
  CHECK(picker.store->size() == 1'001);
  picker.offering.offer("last");
  picker.offering.lane().flush_if_due();
  CHECK(picker.store->size() == 1'001);
  picker.offering.flush();
  CHECK(picker.store->size() == 1'002);
}

TEST_CASE("a sink that was stopped takes no more") {
  NarrowedStore picker;
  CHECK(picker.offering.offer("a"));
  picker.sink.stop();
  CHECK_FALSE(picker.offering.offer("b"));
}

TEST_CASE("issues are counted, and kept until they can be printed") {
  NarrowedStore picker;
  for (std::size_t i = 0; i < PickSink::most_issues + 5; ++i) picker.sink.report({"path", "", 13});
  picker.sink.notice("path", "text");
  CHECK(picker.sink.issue_count() == PickSink::most_issues + 5);
  CollectingSink printed;
  picker.sink.pass_on(printed);
  CHECK(printed.issues.size() == PickSink::most_issues);
  CHECK(printed.notices.size() == 1);
}

TEST_CASE("lanes fill the store while others read it") {
  NarrowedStore picker;
  constexpr int lanes = 4;
  constexpr int each = 20'000;
  std::vector<std::thread> threads;
  for (int lane = 0; lane < lanes; ++lane) {
    threads.emplace_back([&, lane] {
      Offering offering(picker.sink);
      for (int i = 0; i < each; ++i) {
        offering.offer("shared" + std::to_string(i / 100) + "/" + std::to_string(lane) + "/" +
                       std::to_string(i));
      }
      offering.flush();
    });
  }
  std::size_t seen = 0;
  std::size_t bytes = 0;
  StoreCursor reader(*picker.store, needs::relative_path, nullptr);
  while (seen < std::size_t{lanes} * each) {
    for (const std::size_t size = picker.store->size(); seen < size; ++seen) {
      bytes += reader.read(static_cast<EntryId>(seen)).relative_path.size();
    }
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(bytes > seen * 12);
  Texts paths = all_paths(*picker.store);
  std::sort(paths.begin(), paths.end());
  CHECK(std::adjacent_find(paths.begin(), paths.end()) == paths.end());
  // Each lane's root, for it is another object; and what is below it.
  CHECK(picker.store->directories() == lanes * (1 + 200 + 200));
}

}  // namespace store_test
