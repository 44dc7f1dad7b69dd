// SPDX-License-Identifier: MIT
// The walk that reads its directories from a device, by number: the results are the walk's, and
// what the device refuses the kernel lists.
#include <algorithm>
#include <cerrno>
#include <set>
#include <string>

#include "catch.h"
#include "unit/search/device_search.h"

namespace device_test {

using namespace ffind;
using namespace ffind::search;

TEST_CASE("device: a search by name opens no directory but the root") {
  Search search;
  fill(search.files);
  FakeDevice device(search.files);
  const SearchResult result = search.run({}, device);
  CHECK(search.sink.sorted() == everything);
  CHECK(search.files.opened == Paths{""});
  CHECK(search.files.reads == 0);
  CHECK(search.files.statted.empty());
  CHECK(search.files.open_now == 0);
  CHECK(result.statistics.directories == 6);
  CHECK(result.statistics.entries == everything.size());
  CHECK(result.statistics.walked == 0);
  CHECK(device.asked.empty());
  CHECK(device.expected == 5);
  CHECK(device.wrong_parents == 0);
}

TEST_CASE("device: a directory that it refuses is opened by path, and counted") {
  Search search;
  fill(search.files);
  FakeDevice device(search.files);
  device.refused = {"b/c", "e"};
  const SearchResult result = search.run({}, device);
  CHECK(search.sink.sorted() == everything);
  CHECK(result.statistics.walked == 2);
  CHECK(result.statistics.directories == 6);
  CHECK(search.files.was_opened("b/c"));
  CHECK(search.files.was_opened("e"));
  // Below it the device goes on.
  CHECK_FALSE(search.files.was_opened("b/c/d"));
  CHECK(std::count(device.begun.begin(), device.begun.end(), "b/c/d") == 1);
  CHECK(device.wrong_parents == 0);
  CHECK(search.files.open_now == 0);
}

TEST_CASE("device: a root that it refuses, or does not know, is walked") {
  Search search;
  fill(search.files);
  FakeDevice device(search.files);
  const bool known = GENERATE(true, false);
  device.root_known = known;
  if (known) device.refused = {""};
  const SearchResult result = search.run({}, device);
  CHECK(search.sink.sorted() == everything);
  // Whose numbers nobody knows has children whose numbers nobody knows.
  CHECK(result.statistics.walked == (known ? 1 : 6));
  CHECK(device.begun.size() == (known ? 5 : 0));
}

TEST_CASE("device: where only the kernel knows a number, the device goes on from it") {
  Search search;
  fill(search.files);
  FakeDevice device(search.files);
  device.numberless = {"b"};
  const SearchResult result = search.run({}, device);
  CHECK(search.sink.sorted() == everything);
  CHECK(search.files.was_opened("b"));
  CHECK_FALSE(search.files.was_opened("b/c"));
  CHECK(search.files.reads == 0);
  CHECK(result.statistics.walked == 0);
}

TEST_CASE("device: boundaries are listed, not entered, and the kernel's to tell of") {
  Search search;
  fill(search.files);
  search.task.boundaries = {{"/fake/b", VolumeKind::network, true}};
  FakeDevice device(search.files);
  const SearchResult result = search.run(
      asking(needs::mode, [](Entry& entry) { return entry.require(needs::mode); }), device);
  CHECK(search.sink.sorted() == Paths{"a", "a/one.txt", "a/two.log", "b", "e", "f"});
  CHECK(search.files.statted == Paths{"b"});
  CHECK(search.files.statted_at_hand == Paths{"b"});
  CHECK(std::count(device.asked.begin(), device.asked.end(), "b") == 0);
  CHECK(std::count(device.begun.begin(), device.begun.end(), "b") == 0);
  REQUIRE(result.left_out.size() == 1);
  CHECK(result.left_out[0].path == "/fake/b");
}

TEST_CASE("device: what is excluded, pruned, hidden or too deep is not begun") {
  Search search;
  fill(search.files);
  search.files.add(".git/config");
  FakeDevice device(search.files);
  Query query;
  query.scope.exclude = Expression::any({name_glob("a")});
  query.scope.prune = Expression::any({name_glob("e")});
  query.scope.skip_hidden = true;
  query.scope.max_depth = 2;
  search.run(query, device);
  CHECK(search.sink.sorted() == Paths{"b", "b/c", "e", "f"});
  CHECK(device.begun == Paths{"", "b"});
  CHECK(search.files.opened == Paths{""});
}

TEST_CASE("device: a limit ends the search") {
  Search search;
  fill(search.files);
  FakeDevice device(search.files);
  Query query;
  query.limit = GENERATE(1U, 3U, 10U);
  search.run(query, device);
  CHECK(search.sink.paths.size() == query.limit);
}

TEST_CASE("device: with unique, identities are the device's") {
  Search search;
  fill(search.files);
  FakeDevice device(search.files);
  Query query;
  query.scope.unique = true;
  search.task.roots.push_back(search.task.roots.front());
  search.task.roots.back().open_path = "b";
  search.task.roots.back().printed = "b/";
  search.run(query, device);
  // Which of the two roots comes to "b/c" first is nobody's business.
  CHECK(search.sink.sorted() == everything);
  CHECK(search.files.statted.empty());
  CHECK(search.files.opened.size() == 2);
}

TEST_CASE("device: links that are followed are opened") {
  Search search;
  fill(search.files);
  FakeDevice device(search.files);
  Query query;
  query.scope.follow = true;
  search.run(query, device);
  Paths expected = everything;
  expected.insert(expected.end(), {"f/one.txt", "f/two.log"});
  std::sort(expected.begin(), expected.end());
  CHECK(search.sink.sorted() == expected);
  CHECK(search.files.was_opened("f"));
}

TEST_CASE("device: a directory of many blocks is read to its end") {
  Search search;
  for (int i = 0; i < 9000; ++i) {
    search.files.add("d/" + std::to_string(i), i % 2 == 0 ? FileType::directory : FileType::file);
  }
  FakeDevice device(search.files);
  const SearchResult result = search.run({}, device);
  CHECK(search.sink.paths.size() == 9001);
  CHECK(result.statistics.directories == 4502);
  CHECK(search.files.opened == Paths{""});
}

TEST_CASE("device: where it cannot be opened there is a notice and a walk") {
  Search search;
  fill(search.files);
  FakeDevice device(search.files);
  device.refusal = "it went away";
  const SearchResult result = search.run({}, device);
  CHECK(search.sink.sorted() == everything);
  REQUIRE(search.sink.notices.size() == 1);
  CHECK(search.sink.notices[0] ==
        ".: its catalog cannot be read: it went away; walking it instead");
  CHECK(search.sink.issues.empty());
  CHECK(result.statistics.walked == 0);
  CHECK(search.files.was_opened("b/c/d"));
}

TEST_CASE("device: a root that is a file needs none") {
  Search search;
  fill(search.files);
  search.task = on_device();
  search.task.roots[0].open_path = "a/two.log";
  search.task.roots[0].printed = "a/";
  search.task.roots[0].is_file = true;
  FakeDevice device(search.files);
  search.run(larger_than(1500), device);
  CHECK(search.sink.paths == Paths{"a/two.log"});
  CHECK(search.files.statted == Paths{"a/two.log"});
  CHECK(device.begun.empty());
}

TEST_CASE("device: a root that cannot be opened as what it is is an error") {
  Search search;
  fill(search.files);
  search.task = on_device();
  search.task.roots[0].open_path = "a";
  search.task.roots[0].printed = "a/";
  search.files.open_errors["a"] = ENOTDIR;
  FakeDevice device(search.files);
  search.run({}, device);
  CHECK(search.sink.paths.empty());
  CHECK(search.sink.issues.size() == 1);
}

TEST_CASE("device: many threads, with little room, find everything once") {
  Search search;
  const unsigned threads = GENERATE(1U, 2U, 8U);
  search.task = on_device(threads);
  Paths expected;
  std::set<std::string> unsettled;
  std::set<std::string> refused;
  for (int i = 0; i < 30; ++i) {
    const std::string directory = "d" + std::to_string(i);
    for (int j = 0; j < 30; ++j) {
      const std::string below = directory + "/" + std::to_string(j);
      search.files.add(below + "/f", FileType::file, 1 + static_cast<std::uint64_t>(j));
      if (j % 3 == 0) unsettled.insert(below + "/f");
      if (j % 7 == 0) refused.insert(below);
      if (j > 10) expected.push_back(below + "/f");
    }
    if (i % 5 == 0) refused.insert(directory);
  }
  search.files.most_open = threads * 2 + 2;
  FakeDevice device(search.files);
  device.unsettled = unsettled;
  device.refused = refused;
  device.entries_per_block = 7;
  const SearchResult result = search.run(larger_than(12), device);
  std::sort(expected.begin(), expected.end());
  CHECK(search.sink.sorted() == expected);
  CHECK(result.statistics.walked == refused.size());
  CHECK(result.statistics.directories == 931);
  CHECK(search.sink.issues.empty());
  CHECK(device.wrong_parents == 0);
  CHECK(search.files.open_now == 0);
}

}  // namespace device_test
