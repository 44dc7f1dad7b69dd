// SPDX-License-Identifier: MIT
// Sums of space, of entries as the search offers them.
#include "pick/space_sums.h"

#include <map>
#include <optional>
#include <string>

#include "catch.h"
#include "unit/pick/pick_harness.h"

namespace space_sums_test {

using namespace ffind;
using namespace ffind::pick;

namespace {

using Known = std::map<std::string, std::optional<std::uint64_t>>;

Metadata taking(std::uint64_t allocated, std::uint64_t inode = 0, std::uint32_t links = 1) {
  Metadata metadata{};
  metadata.allocated = allocated;
  metadata.size = allocated * 1000;  // sparse, so that a sum of sizes would show
  metadata.inode = inode;
  metadata.links = links;
  return metadata;
}

Known sums_in(const EntryStore& store) {
  const SpaceSums sums(store, store.size(), 0);
  Known known;
  for (EntryId id = 0; id < store.size(); ++id) {
    known[store.path(id)] = sums.of(id);
  }
  return known;
}

}  // namespace

TEST_CASE("a directory's sum is its own space and that of all below it") {
  NarrowedStore picker;
  // Found in any order.
  picker.offering.offer("a/b/c", SpaceSums::needs, taking(100));
  picker.offering.offer("a/", SpaceSums::needs, taking(1));
  picker.offering.offer("a/b/", SpaceSums::needs, taking(2));
  picker.offering.offer("a/d", SpaceSums::needs, taking(30));
  picker.offering.offer("e", SpaceSums::needs, taking(7));
  picker.offering.offer("empty/", SpaceSums::needs, taking(4));
  picker.offering.flush();
  CHECK(sums_in(*picker.store) ==
        Known{{"a", 133}, {"a/b", 102}, {"a/b/c", 100}, {"a/d", 30}, {"e", 7}, {"empty", 4}});
}

TEST_CASE("an inode counts under the first of its paths, and each path has its space") {
  NarrowedStore picker;
  picker.offering.offer("b/link", SpaceSums::needs, taking(100, 9, 3));
  picker.offering.offer("a/b/link", SpaceSums::needs, taking(100, 9, 3));
  picker.offering.offer("a-b/link", SpaceSums::needs, taking(100, 9, 3));
  picker.offering.offer("other/link", SpaceSums::needs, taking(100, 8, 3));
  for (const std::string path : {"a/", "a/b/", "a-b/", "b/", "other/"}) {
    picker.offering.offer(path, SpaceSums::needs, taking(1, 9, 3));
  }
  picker.offering.flush();
  const Known known = sums_in(*picker.store);
  // '-' is before '/'.
  CHECK(known.at("a-b") == 101);
  CHECK(known.at("a") == 2);
  CHECK(known.at("b") == 1);
  CHECK(known.at("other") == 101);
  CHECK(known.at("b/link") == 100);
}

TEST_CASE("of what is not known, files have no sum and directories what is below them") {
  NarrowedStore picker;
  picker.offer({"a/", "a/unknown", "b/"});
  picker.offering.offer("a/known", SpaceSums::needs, taking(5));
  picker.offering.flush();
  CHECK(sums_in(*picker.store) == Known{{"a", 5}, {"a/unknown", {}}, {"a/known", 5}, {"b", 0}});
  // Entries that came after the sums were made.
  const SpaceSums sums(*picker.store, 1, 0);
  CHECK(sums.of(2) == std::nullopt);
}

TEST_CASE("the sum of a mounted volume is in the directories above it") {
  NarrowedStore picker;
  Offering outer(picker.sink, "top/dir/mnt/");
  Offering inner(picker.sink, "top/dir/mnt/deep/er/");
  picker.offering.root.printed = "top/";
  outer.root.below = "dir/mnt";
  inner.root.below = "dir/mnt/deep/er";
  // The inner volume's root comes to the store first.
  inner.offer("file", SpaceSums::needs, taking(1000));
  inner.flush();
  picker.offering.root.printed = "top/";
  const auto offer_below_top = [&](const std::string& path, std::uint64_t bytes) {
    picker.offering.offer(path, SpaceSums::needs, taking(bytes));
  };
  offer_below_top("dir/", 1);
  offer_below_top("dir/mnt/", 2);
  picker.offering.flush();
  outer.offer("deep/", SpaceSums::needs, taking(10));
  outer.offer("deep/er/", SpaceSums::needs, taking(20));
  outer.offer("file", SpaceSums::needs, taking(100));
  outer.flush();
  CHECK(sums_in(*picker.store) == Known{{"top/dir", 1133},
                                        {"top/dir/mnt", 1132},
                                        {"top/dir/mnt/deep", 1030},
                                        {"top/dir/mnt/deep/er", 1020},
                                        {"top/dir/mnt/deep/er/file", 1000},
                                        {"top/dir/mnt/file", 100}});
}

TEST_CASE("a level has what is in a directory, and in directories in it without an entry") {
  NarrowedStore picker;
  Offering volume(picker.sink, "a/mnt/");
  volume.root.below = "a/mnt";
  picker.offering.root.printed = "";
  for (const std::string path : {"a/b/c", "a/", "a/b/", "a/mnt/", "d/e/f", "d/e/g/", "d/e/g/h"}) {
    picker.offering.offer(path, SpaceSums::needs, taking(1));
  }
  picker.offering.flush();
  volume.offer("file", SpaceSums::needs, taking(100));
  volume.flush();
  const EntryStore& store = *picker.store;
  const SpaceSums sums(store, store.size(), 0);
  CHECK(sums.total() == 107);
  const auto on_level = [&](DirectoryId place) {
    const std::vector<bool> level = sums.level(place);
    std::string names;
    for (EntryId id = 0; id < store.size(); ++id) {
      if (level[store.directory_of(id)]) names.append(store.name(id)) += ' ';
    }
    return names;
  };
  CHECK(on_level(no_directory) == "a f g ");
  REQUIRE(sums.only_root() != no_directory);
  CHECK(on_level(sums.only_root()) == "a f g ");
  CHECK(on_level(store.find_directory(sums.only_root(), "a")) == "b mnt ");
  CHECK(on_level(sums.volume_at(3)) == "file ");
  CHECK(sums.volume_at(1) == no_directory);
}

TEST_CASE("a volume below a name that begins with a dash is one of the current directory") {
  NarrowedStore picker;
  Offering volume(picker.sink, "./-dash/mnt/");
  volume.root.below = "-dash/mnt";
  picker.offering.offer("-dash/", SpaceSums::needs, taking(1));
  picker.offering.offer("-dash/mnt/", SpaceSums::needs, taking(2));
  picker.offering.flush();
  volume.offer("file", SpaceSums::needs, taking(100));
  volume.flush();
  CHECK(sums_in(*picker.store) ==
        Known{{"./-dash", 103}, {"./-dash/mnt", 102}, {"./-dash/mnt/file", 100}});
}

TEST_CASE("the list by space begins with the largest, and follows what is found later") {
  NarrowedStore picker;
  picker.volume->sizes = {{"a", 1}, {"a/x", 20}, {"b", 10}, {"a/late", 500}, {"c", 30}};
  picker.offer({"a/", "a/x", "b"});
  CHECK(picker.paths(*picker.in_order(PickOrder::space)) ==
        std::vector<std::string>{"a", "a/x", "b"});
  CHECK(picker.paths(*picker.in_order(PickOrder::space, true)) ==
        std::vector<std::string>{"b", "a/x", "a"});
  picker.offer({"c", "a/late", "unreadable"});
  const auto list = picker.in_order(PickOrder::space);
  CHECK(picker.paths(*list) ==
        std::vector<std::string>{"a", "a/late", "c", "a/x", "b", "unreadable"});
  REQUIRE(list->sums() != nullptr);
  CHECK(list->sums()->of((*list)[0]) == 521);
  // Entries that do not match count all the same.
  CHECK(picker.ask(narrowing(name_contains("b"))) == std::vector<std::string>{"b", "unreadable"});
  CHECK(picker.in_order(PickOrder::name)->sums() == nullptr);
}

}  // namespace space_sums_test
