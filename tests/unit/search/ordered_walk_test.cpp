// SPDX-License-Identifier: MIT
// The ordered walk: siblings, contents before or after their directory, and few descriptors.
#include "search/ordered_walk.h"

#include <cerrno>
#include <string>

#include "catch.h"
#include "fakes/search_harness.h"

namespace ordered_walk_test {

using namespace ffind;

namespace {

/// Paths as they were emitted.
Paths walked(FakeFileSystem& files, Scope::Order order, std::size_t descriptors, Scope scope = {}) {
  scope.list_roots = true;
  scope.order = order;
  const Matcher matcher(Query{Expression::all({}), scope});
  CollectingSink sink;
  search::SearchState state(matcher, sink, needs::none, unlimited, nullptr);
  const Task task = task_from(".", 1);
  search::OrderedWalk(task, state, files, descriptors).run();
  for (const Issue& issue : sink.issues) sink.paths.push_back("! " + issue.path);
  return sink.paths;
}

void add_small_tree(FakeFileSystem& files) {
  files.add("b/d/f");
  files.add("b/c");
  files.add("a");
}

}  // namespace

TEST_CASE("siblings are sorted, and a directory comes before or after its contents") {
  FakeFileSystem files;
  add_small_tree(files);
  CHECK(walked(files, {.is_sorted = true}, 64) ==
        Paths{".", "./a", "./b", "./b/c", "./b/d", "./b/d/f"});
  CHECK(walked(files, {.contents_first = true, .is_sorted = true}, 64) ==
        Paths{"./a", "./b/c", "./b/d/f", "./b/d", "./b", "."});
}

TEST_CASE("a directory that was closed is opened again for the rest of it") {
  FakeFileSystem files;
  add_small_tree(files);
  files.entries_per_block = 1;
  files.add("b/d/e/g/h");
  files.add("b/z");
  CHECK(walked(files, {.is_sorted = true}, 2) == Paths{".", "./a", "./b", "./b/c", "./b/d",
                                                       "./b/d/e", "./b/d/e/g", "./b/d/e/g/h",
                                                       "./b/d/f", "./b/z"});
  CHECK(files.open_now == 0);
  CHECK(files.open_at_most <= 3);
}

TEST_CASE("depths bound what is emitted and what is entered") {
  FakeFileSystem files;
  add_small_tree(files);
  Scope scope;
  scope.min_depth = 1;
  scope.max_depth = 2;
  CHECK(walked(files, {.is_sorted = true}, 64, scope) == Paths{"./a", "./b", "./b/c", "./b/d"});
  CHECK_FALSE(files.was_opened("b/d"));
}

TEST_CASE("a directory that cannot be opened is reported, and emitted all the same") {
  FakeFileSystem files;
  add_small_tree(files);
  files.open_errors["b/d"] = EACCES;
  CHECK(walked(files, {.contents_first = true, .is_sorted = true}, 64) ==
        Paths{"./a", "./b/c", "./b/d", "./b", ".", "! ./b/d"});
}

}  // namespace ordered_walk_test
