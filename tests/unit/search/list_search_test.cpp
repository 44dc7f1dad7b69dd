// SPDX-License-Identifier: MIT
// Lists of paths in place of a walk: the order, the calls an entry costs, how a path is taken
// apart.
#include "search/list_search.h"

#include <algorithm>
#include <cerrno>
#include <set>
#include <string>

#include "catch.h"
#include "fakes/search_harness.h"

namespace list_search_test {

using namespace ffind;

namespace {

/// Searches a list that is read `piece` bytes at a time.
SearchResult search_list(FakeFileSystem& files, const std::string& list, CollectingSink& sink,
                         Query query = {}, unsigned threads = 1, std::size_t piece = 7) {
  if (query.scope.lists.empty()) query.scope.lists = {{"list", '\n'}};
  Plan plan;
  plan.tasks.push_back(task_from(".", threads));
  plan.tasks.front().volume.kind = VolumeKind::local;
  Root top = plan.tasks.front().roots.front();
  top.open_path = top.printed = top.absolute = top.canonical = "/";
  plan.tasks.front().roots.push_back(top);
  const Matcher matcher(query);
  SystemAccess access;
  access.open_file_system = [&](const Task&) { return std::make_unique<LentFileSystem>(files); };
  std::size_t taken = 0;
  access.read_list = [&](std::size_t, char* bytes, std::size_t capacity, std::size_t& count) {
    count = list.copy(bytes, std::min(capacity, piece), taken);
    taken += count;
    return 0;
  };
  return run_search(plan, matcher, query.limit, sink, needs::none, access);
}

}  // namespace

TEST_CASE("a list costs one look at each path whose name may match, and opens nothing") {
  FakeFileSystem files;
  files.add("a/x.c");
  files.add("a/y.h");
  files.add("b");
  CollectingSink sink;
  Query query;
  query.where = name_glob("*.c");
  const SearchResult result = search_list(files, "a/x.c\na/y.h\n\ngone.c\nb", sink, query);
  CHECK(sink.paths == Paths{"a/x.c"});
  CHECK(files.statted == Paths{"a/x.c", "gone.c"});
  CHECK(files.opened.empty());
  CHECK(result.statistics.entries == 4);
  CHECK(result.statistics.vanished == 1);
  CHECK(result.statistics.empty_lines == 1);
  CHECK(result.statistics.issues == 0);
}

TEST_CASE("a directory is opened once for the paths of a list that follow each other") {
  FakeFileSystem files;
  std::string list;
  for (int i = 0; i < 50; ++i) {
    files.add("dir/f" + std::to_string(i));
    list += "dir/f" + std::to_string(i) + '\n';
  }
  CollectingSink sink;
  search_list(files, list, sink, {}, 1, 10'000);
  CHECK(sink.paths.size() == 50);
  CHECK(files.opened == Paths{"dir/"});
}

TEST_CASE("several workers keep the order of a list") {
  FakeFileSystem files;
  std::string list;
  Paths expected;
  for (int i = 0; i < 20'000; ++i) {
    const std::string path = "d" + std::to_string(i % 7) + "/f" + std::to_string(i);
    files.add(path);
    list += path + '\n';
    expected.push_back(path);
  }
  CollectingSink sink;
  search_list(files, list, sink, {}, 4, 60'000);
  CHECK(sink.paths == expected);
}

TEST_CASE("an entry is emitted once, by whatever path it is listed") {
  FakeFileSystem files;
  files.add("a/x");
  files.add("a/b/y");
  files.add_link("l", "a");
  CollectingSink sink;
  Query query;
  query.scope.each_once = true;
  search_list(files, "a/x\n./a//x\nl/x\na/b\na/./b/\nl/b\nl\nl\n", sink, query);
  CHECK(sink.paths == Paths{"a/x", "a/b", "l"});
}

TEST_CASE("a NUL in a list of lines ends it with an issue") {
  FakeFileSystem files;
  files.add("a");
  CollectingSink sink;
  const SearchResult result = search_list(files, std::string("a\0a\0", 4), sink, {}, 1, 100);
  CHECK(sink.paths.empty());
  CHECK(result.statistics.issues == 1);
  REQUIRE(sink.issues.size() == 1);
  CHECK(sink.issues.front().path == "list");
}

TEST_CASE("sorted paths come in order, each once") {
  // More than are merged at once, and names that share more bytes than a packed path can say.
  search::SortedPaths sorted;
  std::set<std::string> expected;
  const std::string directory = "d/" + std::string(300, 'x') + '/';
  for (unsigned i = 0; i < 60'000; ++i) {
    const std::string path = directory + std::to_string(i * 7919 % 50'000);
    sorted.add(path);
    expected.insert(path);
  }
  sorted.add("d");
  sorted.add("d-e");
  sorted.finish();
  std::string path;
  REQUIRE(sorted.next(path));
  CHECK(path == "d");
  std::set<std::string> found;
  std::string last = path;
  for (; sorted.next(path) && path != "d-e"; last = path) {
    REQUIRE(path_less(last, path));
    found.insert(path);
  }
  CHECK(found == expected);
  CHECK_FALSE(sorted.next(path));
}

TEST_CASE("lines that name nothing are counted, and the first is told") {
  FakeFileSystem files;
  files.add("a");
  CollectingSink sink;
  search_list(files, "a\nb\n\nc\n", sink, {}, 1, 100);
  CHECK(sink.notices == Paths{"list: 2 of 4 lines name no file (line 2: 'b')"});
}

TEST_CASE("directories on the way that are excluded or hidden keep a path out") {
  FakeFileSystem files;
  files.add("a/out/b/x");
  files.add(".git/x");
  files.add("a/in/x");
  CollectingSink sink;
  Query query;
  query.scope.exclude = name_glob("out");
  query.scope.skip_hidden = true;
  query.scope.max_depth = 3;
  search_list(files, "a/out/b/x\n.git/x\na/in/x\na/out\n./a/../a/in/x\n", sink, query);
  CHECK(sink.paths == Paths{"a/in/x"});
}

TEST_CASE("a path is taken apart without being resolved") {
  FakeFileSystem files;
  CollectingSink sink;
  const Query query;
  const Matcher matcher(query);
  search::SearchState state(matcher, sink, needs::none, unlimited, nullptr);
  search::Opener opener(state, files, [] {});
  Task task = task_from(".", 1);
  task.roots.push_back(task.roots.front());
  task.roots.back().printed = task.roots.back().absolute = "/";
  const search::Boundaries mounted(task.mounted);
  search::ListPosition position(task, mounted, false, opener);
  struct Row {
    std::string path, name, slashes, below;
    unsigned depth;
  };
  const Row rows[] = {
      {"a", "a", "", "", 1},          {"./a/", "a", "/", "", 1},  {"a//b/./c", "c", "", "a/b", 3},
      {"a/b/./", "b", "/./", "a", 2}, {"a/..", "..", "", "a", 2}, {".", ".", "", "", 0},
      {"./.", ".", "/.", "", 0},      {"/", "/", "", "", 0},      {"//", "/", "/", "", 0},
      {"//a//b", "b", "", "a", 2},    {"/a", "a", "", "", 1},     {"b", "b", "", "", 1},
      {"a/b", "b", "", "a", 2},       {"a/c/", "c", "/", "a", 2}, {"..", "..", "", "", 1},
      {".a/.b", ".b", "", ".a", 2}};
  for (const Row& row : rows) {
    position.turn_to(row.path);
    CHECK(row.path + ": " + std::string(position.name()) == row.path + ": " + row.name);
    CHECK(position.slashes() == row.slashes);
    CHECK(position.below() == row.below);
    CHECK(position.depth() == row.depth);
    CHECK((&position.root() == &task.roots.back()) == row.path.starts_with('/'));
  }
}

}  // namespace list_search_test
