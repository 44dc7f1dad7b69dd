// SPDX-License-Identifier: MIT
// The catalog searcher: the walker's answers, without the walk; and what it asks for on the way.
#include <algorithm>
#include <cerrno>

#include "catch.h"
#include "fakes/fake_catalog.h"
#include "fakes/search_harness.h"

namespace catalog_test {

using namespace ffind;

namespace {

void fill(FakeFileSystem& files) {
  files.add("a/one.txt", FileType::file, 10);
  files.add("a/two.log", FileType::file, 2000);
  files.add("a/b/one.txt", FileType::file, 30);
  files.add("a/b/c/three.txt", FileType::file, 3000);
  files.add("build/one.txt", FileType::file, 1);
  files.add(".git/one.txt", FileType::file, 5);
  files.add("-dash/one.txt", FileType::file, 6);
  files.add("hollow", FileType::directory);
  files.add_link("a/link", "a/one.txt");
}

Root root_at(const std::string& path) {
  Root root;
  root.open_path = path;
  root.printed = path == "." ? "" : path + "/";
  root.canonical = root.absolute = path == "." ? "/fake" : "/fake/" + path;
  return root;
}

Task task_of(const std::vector<std::string>& roots, unsigned threads = 1) {
  Task task;
  for (const std::string& path : roots) task.roots.push_back(root_at(path));
  task.choice.threads = threads;
  task.choice.method = Method::catalog;
  task.volume.mount_point = "/fake";
  return task;
}

Expression pattern(query::Subject subject, query::PatternKind kind, const std::string& text) {
  query::PatternSpec spec;
  spec.kind = kind;
  spec.text = text;
  return Expression::of(query::pattern_test(subject, spec));
}

struct Outcome {
  Paths paths;
  SearchResult result;
  std::vector<Issue> issues;
  std::vector<std::string> notices;
};

Outcome run(FakeFileSystem& files, FakeCatalog& catalog, const Query& query, const Task& task) {
  CollectingSink sink;
  Outcome outcome;
  outcome.result = search_fake(files, query, sink, task, catalog.factory());
  outcome.paths = sink.sorted();
  outcome.issues = sink.issues;
  outcome.notices = sink.notices;
  return outcome;
}

Outcome walk(FakeFileSystem& files, const Query& query, Task task) {
  FakeCatalog none(files);
  task.choice.method = Method::walk;
  return run(files, none, query, task);
}

/// The same paths by both ways, and no word about it.
Paths agreed(FakeFileSystem& files, const Query& query, const Task& task) {
  FakeCatalog catalog(files);
  const Outcome by_catalog = run(files, catalog, query, task);
  const Outcome by_walk = walk(files, query, task);
  CHECK(by_catalog.paths == by_walk.paths);
  CHECK(by_catalog.issues.empty());
  CHECK(by_catalog.notices.empty());
  CHECK(by_catalog.result.left_out.size() == by_walk.result.left_out.size());
  CHECK(catalog.opened == 1);
  return by_catalog.paths;
}

}  // namespace

TEST_CASE("catalog: everything below the root, not the root") {
  FakeFileSystem files;
  fill(files);
  const Paths paths = agreed(files, {}, task_of({"."}));
  CHECK(paths.size() == 15);
  CHECK(std::count(paths.begin(), paths.end(), "./-dash/one.txt") == 1);
}

TEST_CASE("catalog: only what lies below the roots, once for each that reaches it") {
  FakeFileSystem files;
  fill(files);
  Query query;
  query.where = name_glob("one.txt");
  CHECK(agreed(files, query, task_of({"a/b"})) == Paths{"a/b/one.txt"});
  CHECK(agreed(files, query, task_of({"a", "build"})) ==
        Paths{"a/b/one.txt", "a/one.txt", "build/one.txt"});
  CHECK(agreed(files, query, task_of({"a", "a/b"})) ==
        Paths{"a/b/one.txt", "a/b/one.txt", "a/one.txt"});
  Task covered = task_of({"a", "a/b"});
  covered.roots[0].covered = {"/fake/a/b"};
  CHECK(agreed(files, query, covered) == Paths{"a/b/one.txt", "a/one.txt"});
  files.add("ab/one.txt");
  CHECK(agreed(files, query, task_of({"a"})).size() == 2);
}

TEST_CASE("catalog: depths are those of the walk") {
  FakeFileSystem files;
  fill(files);
  Query query;
  query.scope.max_depth = 2;
  CHECK(agreed(files, query, task_of({"a"})) ==
        Paths{"a/b", "a/b/c", "a/b/one.txt", "a/link", "a/one.txt", "a/two.log"});
  query.scope.min_depth = 2;
  CHECK(agreed(files, query, task_of({"a"})) == Paths{"a/b/c", "a/b/one.txt"});
  query.scope.max_depth = 0;
  query.scope.min_depth = 0;
  CHECK(agreed(files, query, task_of({"a"})).empty());
  Query exactly;
  exactly.where = Expression::of(query::range_test(query::depth_row, {3, 3}));
  CHECK(agreed(files, exactly, task_of({"a"})) == Paths{"a/b/c/three.txt"});
}

TEST_CASE("catalog: a volume mounted below a root keeps its paths and depths") {
  FakeFileSystem files;
  fill(files);
  Task task = task_of({"a"});
  task.roots[0].printed = "top/mnt/a/";
  task.roots[0].absolute = "/top/mnt/a";
  task.roots[0].below = "mnt/a";
  task.roots[0].depth = 2;
  Query query;
  query.where = pattern(query::Subject::path, query::PatternKind::glob, "mnt/a/b/*");
  CHECK(agreed(files, query, task) == Paths{"top/mnt/a/b/c", "top/mnt/a/b/one.txt"});
  query.where =
      pattern(query::Subject::absolute_path, query::PatternKind::glob, "/top/mnt/a/*.txt");
  CHECK(agreed(files, query, task) == Paths{"top/mnt/a/one.txt"});
  query.where = Expression::of(query::range_test(query::depth_row, {3, 3}));
  CHECK(agreed(files, query, task).size() == 4);
}

TEST_CASE("catalog: nothing from where the walk does not go") {
  FakeFileSystem files;
  fill(files);
  files.add("a/b/App.app/inside.txt");
  files.add("a/b/marked/inside.txt");
  files.bundles = {"a/b/marked"};
  Query query;
  query.scope.exclude = Expression::any({name_glob("b")});
  CHECK(agreed(files, query, task_of({"a"})) == Paths{"a/link", "a/one.txt", "a/two.log"});
  query.scope.exclude = Expression::any(
      {pattern(query::Subject::absolute_path, query::PatternKind::exact, "/fake/a/b/c")});
  CHECK(agreed(files, query, task_of({"a"})).size() == 9);
  query.scope.exclude = Expression::any({});
  query.scope.prune =
      Expression::any({pattern(query::Subject::path, query::PatternKind::exact, "b/c")});
  CHECK(agreed(files, query, task_of({"a"})).size() == 10);
  CHECK(agreed(files, query, task_of({"."})).size() == 19);
  query.scope.prune = Expression::any({});
  query.scope.skip_hidden = true;
  CHECK(agreed(files, query, task_of({"."})).size() == 17);
  CHECK(agreed(files, query, task_of({".git"})) == Paths{".git/one.txt"});
  query.scope.skip_packages = true;
  CHECK(agreed(files, query, task_of({"."})).size() == 15);
  CHECK(agreed(files, query, task_of({"a/b/marked"})) == Paths{"a/b/marked/inside.txt"});
}

TEST_CASE("catalog: boundaries are listed, and what they hide is not") {
  FakeFileSystem files;
  fill(files);
  Task task = task_of({"."});
  task.boundaries.push_back({"/fake/a/b", VolumeKind::local, true});
  Paths paths = agreed(files, {}, task);
  CHECK(paths.size() == 12);
  CHECK(std::count(paths.begin(), paths.end(), "a/b") == 1);
  // Behind one that is not entered, another one is not met.
  task.boundaries.push_back({"/fake/a/b/c", VolumeKind::local, true});
  agreed(files, {}, task);
  Query query;
  query.scope.prune = Expression::any({name_glob("a")});
  agreed(files, query, task);
  task.choice.enter = false;
  CHECK(agreed(files, {}, task).size() == 5);
}

TEST_CASE("catalog: what is mounted is asked, not what the mount hides") {
  FakeFileSystem files;
  fill(files);
  FakeCatalog catalog(files);
  Task task = task_of({"."});
  task.boundaries.push_back({"/fake/a/one.txt", VolumeKind::local, false});
  catalog.wrong_size = 77;
  catalog.honours_bound = true;
  Query query;
  query.where = Expression::all({Expression::of(query::range_test(query::size_row, {10, 10})),
                                 Expression::of(query::type_test({FileType::file}))});
  CHECK(run(files, catalog, query, task).paths == Paths{"a/one.txt"});
  CHECK(files.statted == Paths{"a/one.txt"});
}

TEST_CASE("catalog: a search by name makes no stat and asks once for a directory that has hits") {
  FakeFileSystem files;
  fill(files);
  for (int i = 0; i < 20; ++i) files.add("a/hit" + std::to_string(i) + ".txt");
  FakeCatalog catalog(files);
  using Order = FakeCatalog::Order;
  catalog.order = GENERATE(Order::path, Order::backwards, Order::name);
  Query query;
  query.where = Expression::all(
      {name_glob("*hit*"), pattern(query::Subject::path, query::PatternKind::glob, "*.txt")});
  const Outcome outcome = run(files, catalog, query, task_of({"a"}));
  CHECK(outcome.paths.size() == 20);
  CHECK(catalog.paths_asked == Paths{"a"});
  CHECK(files.statted.empty());
  CHECK(outcome.result.statistics.stats == 0);
  CHECK(outcome.result.statistics.entries == 35);
  CHECK(outcome.result.statistics.matches == 20);
  CHECK(outcome.result.statistics.threads == 1);
  CHECK(files.reads == 0);
}

TEST_CASE("catalog: directories that come up again and again are asked for once") {
  FakeFileSystem files;
  fill(files);
  FakeCatalog catalog(files);
  catalog.order = FakeCatalog::Order::name;
  for (const char* const directory : {"x1", "x2", "x3"}) {
    for (const char* const name : {"/p", "/q", "/r"}) files.add(std::string(directory) + name);
  }
  Query query;
  query.where = name_glob("[pqr]");
  CHECK(run(files, catalog, query, task_of({"."})).paths ==
        Paths{"x1/p", "x1/q", "x1/r", "x2/p", "x2/q", "x2/r", "x3/p", "x3/q", "x3/r"});
  CHECK(catalog.paths_asked == Paths{"x1", "x2", "x3"});
}

TEST_CASE("catalog: a path is asked for only once nothing else tells an entry off") {
  FakeFileSystem files;
  fill(files);
  files.add("a/.three.txt", FileType::file, 3000);
  FakeCatalog catalog(files);
  Query query;
  query.where = Expression::all({name_glob("*.txt"),
                                 Expression::of(query::range_test(query::size_row, {100, 5000})),
                                 Expression::of(query::range_test(query::depth_row, {}))});
  query.scope.exclude = Expression::any({name_glob("three*")});
  query.scope.skip_hidden = true;
  CHECK(run(files, catalog, query, task_of({"."})).paths.empty());
  CHECK(catalog.paths_asked.empty());
  query.scope.exclude = Expression::any({});
  query.where = Expression::negation(std::move(query.where));
  query.scope.min_depth = 4;
  CHECK(run(files, catalog, query, task_of({"."})).paths.empty());
  CHECK_FALSE(catalog.paths_asked.empty());
}

TEST_CASE("catalog: what was excluded is never opened") {
  FakeFileSystem files;
  fill(files);
  FakeCatalog catalog(files);
  Query query;
  query.where = Expression::of(query::flag_test("empty"));
  query.scope.exclude = Expression::any({name_glob("a"), name_glob("hollow")});
  CHECK(run(files, catalog, query, task_of({"."})).paths.empty());
  CHECK_FALSE(files.was_opened("./hollow"));
  CHECK_FALSE(files.was_opened("hollow"));
  CHECK_FALSE(files.was_opened("a/b"));
}

TEST_CASE("catalog: metadata that records do not hold is asked of the system") {
  FakeFileSystem files;
  fill(files);
  FakeCatalog catalog(files);
  const Needs choices[] = {needs::none, needs::type, needs::type | needs::size};
  catalog.known = choices[GENERATE(0U, 1U, 2U)];
  Query query;
  query.where = Expression::all(
      {Expression::of(query::range_test(query::size_row, {10, 100})), name_glob("*.txt")});
  CHECK(run(files, catalog, query, task_of({"."})).paths == Paths{"a/b/one.txt", "a/one.txt"});
  if ((catalog.known & needs::size) != 0) {
    CHECK(files.statted.empty());
  } else {
    CHECK(files.statted.size() == 6);
  }
}

TEST_CASE("catalog: what records tell and cannot be trusted is not believed") {
  FakeFileSystem files;
  fill(files);
  FakeCatalog catalog(files);
  catalog.wrong_size = 1'000'000;
  catalog.known = needs::type;
  Query query;
  query.where = Expression::of(query::range_test(query::size_row, {2000, 2000}));
  CHECK(run(files, catalog, query, task_of({"."})).paths == Paths{"a/two.log"});
}

TEST_CASE("catalog: emptiness and links are the system's to tell") {
  FakeFileSystem files;
  fill(files);
  files.add("zero", FileType::file, 0);
  Query query;
  query.where = Expression::of(query::flag_test("empty"));
  CHECK(agreed(files, query, task_of({"."})) == Paths{"hollow", "zero"});
  query.where = Expression::of(query::type_test({FileType::symlink}));
  CHECK(agreed(files, query, task_of({"."})) == Paths{"a/link"});
}

TEST_CASE("catalog: the reader gets the bound and what the query wants to know") {
  FakeFileSystem files;
  fill(files);
  FakeCatalog catalog(files);
  catalog.honours_bound = true;
  Query query;
  query.where = Expression::all(
      {name_glob("*.txt"), Expression::of(query::range_test(query::size_row, {1, 100}))});
  const Outcome outcome = run(files, catalog, query, task_of({"a"}));
  CHECK(outcome.paths == Paths{"a/b/one.txt", "a/one.txt"});
  CHECK(catalog.bound.name_contains == ".txt");
  CHECK(catalog.bound.most_size == 100);
  CHECK(catalog.wanted == (needs::type | needs::length));
  CHECK(outcome.result.statistics.entries == 5);
}

TEST_CASE("catalog: blocks without records are not the end") {
  FakeFileSystem files;
  fill(files);
  FakeCatalog catalog(files);
  catalog.empty_blocks = 2;
  CHECK(run(files, catalog, {}, task_of({"."})).paths.size() == 15);
}

TEST_CASE("catalog: a directory that is gone is counted, an entry that is gone too") {
  FakeFileSystem files;
  fill(files);
  FakeCatalog catalog(files);
  catalog.known = needs::type;
  catalog.gone = {"a/b"};
  files.stat_errors["./a/one.txt"] = files.stat_errors["a/one.txt"] = ENOENT;
  files.stat_errors["./build/one.txt"] = files.stat_errors["build/one.txt"] = EACCES;
  Query query;
  query.where = Expression::all(
      {name_glob("one.txt"), Expression::of(query::range_test(query::size_row, {0, 100}))});
  const Outcome outcome = run(files, catalog, query, task_of({"."}));
  CHECK(outcome.paths == Paths{"./-dash/one.txt", ".git/one.txt"});
  CHECK(outcome.result.statistics.vanished == 2);
  REQUIRE(outcome.issues.size() == 1);
  CHECK(outcome.issues[0].path == "build/one.txt");
  CHECK(outcome.issues[0].error == EACCES);
  CHECK(outcome.notices.empty());
}

TEST_CASE("catalog: roots that are no directories are the walker's") {
  FakeFileSystem files;
  fill(files);
  FakeCatalog catalog(files);
  files.add("locked/x");
  files.open_errors["locked"] = EACCES;
  Task task = task_of({"a/two.log", "a/b", "missing", "locked"});
  task.roots[0].printed = "a/";
  task.roots[0].is_file = true;
  const Outcome outcome = run(files, catalog, {}, task);
  CHECK(outcome.paths == Paths{"a/b/c", "a/b/c/three.txt", "a/b/one.txt", "a/two.log"});
  REQUIRE(outcome.issues.size() == 2);
  CHECK(outcome.notices.empty());
  CHECK_FALSE(files.was_opened("a/b/c"));
}

TEST_CASE("catalog: a directory too deep for one call is opened step by step") {
  FakeFileSystem files;
  std::string path = "deep";
  for (int level = 0; level < 150; ++level) path += "/directory";
  files.add(path + "/leaf", FileType::file, 5);
  files.add(path + "/other", FileType::file, 5);
  files.add(path + "/sub/third", FileType::file, 5);
  FakeCatalog catalog(files);
  catalog.known = needs::type;
  Query query;
  query.where = Expression::of(query::range_test(query::size_row, {5, 5}));
  CHECK(run(files, catalog, query, task_of({"."})).paths ==
        Paths{path + "/leaf", path + "/other", path + "/sub/third"});
  CHECK(files.open_now == 0);
  // The root to see what it is, then the way down in two steps, for each directory once.
  CHECK(files.opened.size() == 7);
}

}  // namespace catalog_test
