// SPDX-License-Identifier: MIT
// Catalogs that change, fail or lie while they are searched, by many threads: whatever happens,
// the walker's answers, each once.
#include <algorithm>
#include <cerrno>

#include "catch.h"
#include "fakes/fake_catalog.h"
#include "fakes/search_harness.h"
#include "random.h"

namespace catalog_trouble_test {

using namespace ffind;

namespace {

void fill(FakeFileSystem& files, const std::string& path, int levels, int width) {
  for (int index = 0; index < width; ++index) {
    const std::string directory = path + "d" + std::to_string(index);
    files.add(directory + "/f1", FileType::file, 1);
    files.add(directory + "/f2", FileType::file, 2);
    if (levels > 1) fill(files, directory + "/", levels - 1, width);
  }
}

Task catalog_task(unsigned threads) {
  Task task = task_from(".", threads);
  task.choice.method = Method::catalog;
  task.volume.kind = VolumeKind::local;
  task.volume.mount_point = "/fake";
  return task;
}

Paths walked(FakeFileSystem& files, const Query& query, Task task) {
  task.choice.method = Method::walk;
  CollectingSink sink;
  search_fake(files, query, sink, task);
  return sink.sorted();
}

bool says_it_walks(const CollectingSink& sink) {
  return sink.notices.size() == 1 && sink.notices[0].starts_with("/fake: ") &&
         sink.notices[0].ends_with("; walking it instead");
}

}  // namespace

TEST_CASE("troubled catalog: many workers, each entry once") {
  const unsigned threads = GENERATE(1U, 2U, 8U);
  FakeFileSystem files;
  fill(files, "", 4, 4);
  FakeCatalog catalog(files);
  CollectingSink sink;
  const Task task = catalog_task(threads);
  const SearchResult result = search_fake(files, {}, sink, task, catalog.factory());
  CHECK(sink.sorted() == walked(files, {}, task));
  CHECK(result.statistics.entries == catalog.records);
  CHECK(result.statistics.matches == sink.paths.size());
  CHECK(result.statistics.threads <= threads);
  if (threads > 1) CHECK(result.statistics.threads > 1);
}

TEST_CASE("troubled catalog: a limit is kept exactly by any number of threads") {
  const unsigned threads = GENERATE(1U, 8U);
  const unsigned failures = GENERATE(0U, 2U, 100U);
  for (const std::uint64_t limit : {1U, 7U, 100U}) {
    FakeFileSystem files;
    fill(files, "", 3, 5);
    FakeCatalog catalog(files);
    catalog.failure = EBUSY;
    catalog.failures = failures;
    catalog.fail_after = 50;
    CollectingSink sink;
    Query query;
    query.limit = limit;
    const SearchResult result =
        search_fake(files, query, sink, catalog_task(threads), catalog.factory());
    CHECK(sink.paths.size() == limit);
    CHECK(result.statistics.matches == limit);
    CHECK(sink.notices.empty() == (limit < 100 || failures < 100));
  }
}

TEST_CASE("troubled catalog: output that is at an end ends the search") {
  FakeFileSystem files;
  fill(files, "", 3, 5);
  FakeCatalog catalog(files);
  CollectingSink sink;
  sink.most = 5;
  search_fake(files, {}, sink, catalog_task(1), catalog.factory());
  CHECK(sink.paths.size() == 5);
  CHECK(catalog.reads < 5);
}

TEST_CASE("troubled catalog: one that changes is begun again, nothing twice, nothing lost") {
  const unsigned threads = GENERATE(1U, 4U);
  const unsigned failures = GENERATE(1U, 5U);
  FakeFileSystem files;
  fill(files, "", 3, 5);
  FakeCatalog catalog(files);
  catalog.failure = EBUSY;
  catalog.failures = failures;
  catalog.fail_after = 200;
  CollectingSink sink;
  const Task task = catalog_task(threads);
  search_fake(files, {}, sink, task, catalog.factory());
  CHECK(sink.sorted() == walked(files, {}, task));
  CHECK(sink.notices.empty());
  CHECK(catalog.restarts == failures);
}

TEST_CASE("troubled catalog: what moved while the catalog changed is found where it is now") {
  FakeFileSystem files;
  fill(files, "", 1, 3);
  FakeCatalog catalog(files);
  catalog.records_per_block = 1;
  catalog.failure = EBUSY;
  catalog.failures = 1;
  catalog.fail_after = GENERATE(2U, 8U);  // in d0, and behind it
  CollectingSink sink;
  Query query;
  query.where = name_glob("f1");
  search_fake(files, query, sink, catalog_task(1), catalog.factory());
  CHECK(sink.paths.size() == 3);
  // Asked again after the restart: the old answers may be wrong now.
  CHECK(std::count(catalog.paths_asked.begin(), catalog.paths_asked.end(), "d0") == 2);
}

TEST_CASE("troubled catalog: one that never rests is walked, and nothing is printed twice") {
  const unsigned threads = GENERATE(1U, 4U);
  FakeFileSystem files;
  fill(files, "", 3, 5);
  FakeCatalog catalog(files);
  catalog.failure = EBUSY;
  catalog.failures = 1000;
  catalog.fail_after = 100;
  CollectingSink sink;
  Task task = catalog_task(threads);
  task.roots.push_back(task.roots.front());  // twice, under another name
  task.roots.back().printed = "again/";
  const SearchResult result = search_fake(files, {}, sink, task, catalog.factory());
  CHECK(sink.sorted() == walked(files, {}, task));
  CHECK(catalog.restarts == 5);
  CHECK(says_it_walks(sink));
  CHECK(result.statistics.issues == 0);
}

TEST_CASE("troubled catalog: where there is none, or it fails half way, the volume is walked") {
  const int error = GENERATE(ENOTSUP, EIO);
  const bool at_once = GENERATE(true, false);
  FakeFileSystem files;
  fill(files, "", 3, 4);
  FakeCatalog catalog(files);
  if (at_once) {
    catalog.open_error = error;
  } else {
    catalog.failure = error;
    catalog.failures = 1;
    catalog.fail_after = 100;
  }
  CollectingSink sink;
  Task task = catalog_task(2);
  task.boundaries.push_back({"/fake/d1/d1", VolumeKind::local, true});
  Root file = task.roots.front();
  file.open_path = "d0/f1";
  file.printed = "file/";
  task.roots.push_back(file);
  const SearchResult result = search_fake(files, {}, sink, task, catalog.factory());
  CHECK(sink.sorted() == walked(files, {}, task));
  CHECK(catalog.restarts == 0);
  CHECK(says_it_walks(sink));
  CHECK(result.statistics.issues == 0);
  CHECK(result.left_out.size() == 1);
}

TEST_CASE("troubled catalog: a directory that cannot be asked for is the walker's to judge") {
  FakeFileSystem files;
  fill(files, "", 2, 3);
  FakeCatalog catalog(files);
  catalog.path_errors["d1"] = EACCES;
  CollectingSink sink;
  const Task task = catalog_task(1);
  search_fake(files, {}, sink, task, catalog.factory());
  CHECK(sink.sorted() == walked(files, {}, task));
  CHECK(says_it_walks(sink));
}

TEST_CASE("troubled catalog: a directory that is closed to it costs a line, as in a walk") {
  FakeFileSystem files;
  fill(files, "", 2, 3);
  for (const char* const name : {"d0", "d1/d2"}) files.open_errors[name] = EACCES;
  FakeCatalog catalog(files);
  // Where the walk does not go nobody looks, and what turns out to be open is no issue.
  catalog.closed = {"d0", "d1/d2", "d1/d1"};
  const bool restarted = GENERATE(false, true);
  if (restarted) {
    catalog.failure = EBUSY;
    catalog.failures = 1;
    catalog.fail_after = files.list().size();
  }
  CollectingSink sink;
  Query query;
  query.scope.exclude = name_glob("d2");
  query.where = name_glob("d0");
  const Task task = catalog_task(2);
  const SearchResult result = search_fake(files, query, sink, task, catalog.factory());
  CollectingSink walk;
  const SearchResult walked = search_fake(files, query, walk, task_from(".", 1));
  CHECK(sink.sorted() == walk.sorted());
  REQUIRE(sink.issues.size() == 1);
  CHECK(sink.issues.front().path == "d0");
  CHECK(sink.issues.front().error == EACCES);
  CHECK(result.statistics.issues == walked.statistics.issues);
}

TEST_CASE("troubled catalog: nothing is walked once a limit is reached") {
  FakeFileSystem files;
  fill(files, "", 1, 3);
  FakeCatalog catalog(files);
  catalog.records_per_block = 100;
  catalog.path_errors["d0"] = EACCES;  // and d1, in the same block, has the match
  CollectingSink sink;
  Query query;
  query.where = name_glob("f1");
  query.limit = 1;
  search_fake(files, query, sink, catalog_task(1), catalog.factory());
  CHECK(sink.paths == Paths{"d1/f1"});
  CHECK(sink.notices.empty());
}

TEST_CASE("troubled catalog: links to follow and single visits are the walker's") {
  FakeFileSystem files;
  fill(files, "", 1, 3);
  files.add_link("way", "d1");
  FakeCatalog catalog(files);
  CollectingSink sink;
  Query query;
  (GENERATE(true, false) ? query.scope.follow : query.scope.unique) = true;
  const Task task = catalog_task(1);
  search_fake(files, query, sink, task, catalog.factory());
  CHECK(sink.sorted() == walked(files, query, task));
  CHECK(catalog.opened == 0);
  CHECK(says_it_walks(sink));
}

namespace {

/// A tree, a query and a task of a few letters each, so that much of it meets.
struct RandomSearch {
  FakeFileSystem files;
  Query query;
  Task task;
  std::vector<std::string> directories{""};

  explicit RandomSearch(Random& random) {
    for (unsigned i = 10 + random() % 40; i > 0; --i) {
      const std::string parent = directories[random() % directories.size()];
      const std::string path = (parent.empty() ? "" : parent + "/") + random_name(random);
      if (std::any_of(paths.begin(), paths.end(), [&](const auto& p) { return p == path; }))
        continue;
      paths.push_back(path);
      const bool directory = random() % 2 == 0;
      files.add(path, directory ? FileType::directory : FileType::file, random() % 4);
      if (directory) directories.push_back(path);
      if (directory && random() % 8 == 0) files.bundles.insert(path);
    }
    make_query(random);
    make_task(random);
  }

 private:
  static std::string random_name(Random& random) {
    const char* const names[] = {"a", "b", "c", ".h", "-d", "ab", "x.app"};
    return names[random() % std::size(names)];
  }

  static Expression random_pattern(Random& random) {
    const char* const globs[] = {"a", "*b*", "a/*", "**/c", "/fake/a*", "**/b/**"};
    query::PatternSpec spec;
    spec.kind = query::PatternKind::glob;
    const auto which = random() % std::size(globs);
    spec.text = globs[which];
    const query::Subject subject = which < 2    ? query::Subject::name
                                   : which == 4 ? query::Subject::absolute_path
                                                : query::Subject::path;
    return Expression::of(query::pattern_test(subject, spec));
  }

  void make_query(Random& random) {
    std::vector<Expression> tests;
    if (random() % 2 == 0) tests.push_back(random_pattern(random));
    if (random() % 4 == 0) tests.push_back(Expression::negation(random_pattern(random)));
    if (random() % 3 == 0)
      tests.push_back(Expression::of(query::range_test(query::size_row, {1, 2})));
    if (random() % 4 == 0) tests.push_back(Expression::of(query::type_test({FileType::directory})));
    if (random() % 4 == 0)
      tests.push_back(Expression::of(query::range_test(query::depth_row, {2, 3})));
    if (random() % 6 == 0) tests.push_back(Expression::of(query::flag_test("empty")));
    query.where = random() % 2 == 0 || tests.empty() ? Expression::all(std::move(tests))
                                                     : Expression::any(std::move(tests));
    if (random() % 3 == 0) query.scope.exclude = Expression::any({random_pattern(random)});
    if (random() % 3 == 0) query.scope.prune = Expression::any({random_pattern(random)});
    if (random() % 3 == 0) query.scope.max_depth = random() % 4;
    if (random() % 4 == 0) query.scope.min_depth = random() % 3;
    query.scope.skip_hidden = random() % 3 == 0;
    query.scope.skip_packages = random() % 4 == 0;
  }

  void make_task(Random& random) {
    task.choice.method = Method::catalog;
    task.choice.threads = 1 + random() % 3;
    task.choice.enter = random() % 16 != 0;
    for (unsigned i = 1 + random() % 3; i > 0; --i) {
      Root root;
      const std::string path = directories[random() % directories.size()];
      root.open_path = path.empty() ? "." : "./" + path;
      root.canonical = root.absolute = path.empty() ? "/fake" : "/fake/" + path;
      root.printed = path.empty() ? "" : path + "/";
      if (random() % 4 == 0) {
        root.below = "mnt/x";
        root.printed = "up/mnt/x/";
        root.depth = 2;
      }
      const std::string covered = directories[random() % directories.size()];
      if (random() % 3 == 0 && !covered.empty()) root.covered = {"/fake/" + covered};
      const std::string elsewhere = directories[random() % directories.size()];
      if (random() % 6 == 0 && !elsewhere.empty()) root.listed_elsewhere = {"/fake/" + elsewhere};
      task.roots.push_back(root);
    }
    // On directories: of a file the mount table does not tell, and a catalog counts it as left out.
    for (unsigned i = random() % 3; i > 0 && directories.size() > 1; --i) {
      const std::string& path = directories[1 + random() % (directories.size() - 1)];
      task.boundaries.push_back({"/fake/" + path, VolumeKind::local, random() % 2 == 0});
    }
  }

  std::vector<std::string> paths{};
};

}  // namespace

TEST_CASE("troubled catalog: any search finds what a walk finds") {
  Random random(5);
  int found = 0;
  for (int round = 0; round < rounds(1500); ++round) {
    RandomSearch search(random);
    FakeCatalog catalog(search.files);
    catalog.honours_bound = random() % 2 == 0;
    catalog.order = static_cast<FakeCatalog::Order>(random() % 3);
    catalog.empty_blocks = random() % 2;
    if (random() % 3 == 0) catalog.known = needs::type;
    if (random() % 4 == 0) catalog.known = needs::none;
    if (random() % 3 == 0) {
      catalog.failure = random() % 4 == 0 ? EIO : EBUSY;
      catalog.failures = 1 + random() % 7;
      catalog.fail_after = random() % 40;
    }
    CollectingSink sink;
    const SearchResult result =
        search_fake(search.files, search.query, sink, search.task, catalog.factory());
    Task walk = search.task;
    walk.choice.method = Method::walk;
    CollectingSink walked_sink;
    const SearchResult expected = search_fake(search.files, search.query, walked_sink, walk);
    found += static_cast<int>(sink.paths.size());
    INFO("round " << round << ", " << to_text(Matcher(search.query).where()));
    REQUIRE(sink.sorted() == walked_sink.sorted());
    REQUIRE(sink.issues.size() == walked_sink.issues.size());
    REQUIRE(result.left_out.size() == expected.left_out.size());
  }
  CHECK(found > rounds(2000));
}

}  // namespace catalog_trouble_test
