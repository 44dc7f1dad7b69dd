// SPDX-License-Identifier: MIT
// What the plan keeps a walk out of: parts that another root of it searches, listed here or not.
#include <cerrno>

#include "catch.h"
#include "fakes/search_harness.h"

namespace ffind::search::boundaries_test {
namespace {

void fill(FakeFileSystem& files) {
  for (const char* const path : {"Users/me/f", "rest/f", "home/f"}) files.add(path, FileType::file);
}

TEST_CASE("boundaries: what another root covers is listed, what another walk lists is not") {
  FakeFileSystem files;
  fill(files);
  const bool types_known = GENERATE(true, false);
  files.types_known = types_known;
  Task task = task_from(".", 1);
  task.roots[0].covered = {"/fake/home"};
  task.roots[0].listed_elsewhere = {"/fake/Users"};
  CollectingSink sink;
  search_fake(files, {}, sink, task);
  CHECK(sink.sorted() == Paths{"home", "rest", "rest/f"});
  CHECK_FALSE(files.was_opened("Users"));
  CHECK_FALSE(files.was_opened("home"));
}

TEST_CASE("boundaries: only the path counts, not the name") {
  FakeFileSystem files;
  files.add("rest/Users/f", FileType::file);
  Task task = task_from(".", 1);
  task.roots[0].listed_elsewhere = {"/fake/Users"};
  CollectingSink sink;
  search_fake(files, {}, sink, task);
  CHECK(sink.sorted() == Paths{"rest", "rest/Users", "rest/Users/f"});
}

/// The root that the plan makes of a directory of the fake that it searches by itself.
Root root_below(const std::string& below) {
  Root root;
  root.open_path = below;
  root.printed = below + "/";
  root.canonical = root.absolute = "/fake/" + below;
  root.below = below;
  root.depth = 1;
  return root;
}

TEST_CASE("boundaries: with --unique a root below is visited once, and listed around it") {
  FakeFileSystem files;
  fill(files);
  Task task = task_from(".", 1);
  const bool by_boundary = GENERATE(true, false);
  if (by_boundary) {
    task.boundaries.push_back({.path = "/fake/Users", .entered = true});
  } else {
    task.roots[0].covered = {"/fake/Users"};
  }
  task.roots.push_back(root_below("Users"));
  Query query;
  query.scope.unique = true;
  CollectingSink sink;
  search_fake(files, query, sink, task);
  CHECK(sink.sorted() ==
        Paths{"Users", "Users/me", "Users/me/f", "home", "home/f", "rest", "rest/f"});
}

TEST_CASE("boundaries: a mount point that is gone was nobody's root") {
  FakeFileSystem files;
  fill(files);
  Task task = task_from(".", 1);
  task.roots.push_back(root_below("gone"));
  CollectingSink sink;
  const SearchResult result = search_fake(files, {}, sink, task);
  CHECK(sink.issues.empty());
  CHECK(result.statistics.vanished == 1);
}

TEST_CASE("boundaries: a mount point is never empty, another edge may be") {
  FakeFileSystem files;
  files.add("covered", FileType::directory);
  files.add("full/f", FileType::file);
  files.add("mounted", FileType::directory);
  files.add("new", FileType::directory);
  files.open_errors = {{"new", EXDEV}};  // mounted since the plan was made
  Task task = task_from(".", 1);
  task.boundaries.push_back({.path = "/fake/mounted"});
  task.roots[0].covered = {"/fake/covered", "/fake/full"};
  const bool negated = GENERATE(true, false);
  Query query;
  query.where = Expression::of(query::flag_test("empty"));
  if (negated) query.where = Expression::negation(std::move(query.where));
  CollectingSink sink;
  search_fake(files, query, sink, task);
  CHECK(sink.sorted() == (negated ? Paths{"full", "mounted", "new"} : Paths{"covered"}));
  CHECK_FALSE(files.was_opened("mounted"));
}

}  // namespace
}  // namespace ffind::search::boundaries_test
