// SPDX-License-Identifier: MIT
// Which files a search by contents opens, what becomes of those that cannot be read, and how it is
// shared out.
#include <cerrno>

#include "catch.h"
#include "fakes/search_harness.h"

namespace contents_test {

using namespace ffind;

namespace {

Expression contains(const std::string& text, bool binary = false) {
  query::PatternSpec spec;
  spec.text = text;
  return Expression::of(query::content_test(spec, binary));
}

Query query_for(Expression where) {
  Query query;
  query.where = std::move(where);
  return query;
}

}  // namespace

TEST_CASE("files that contain the text are found") {
  FakeFileSystem files;
  files.add_file("a/yes.txt", "one\ntwo needles\n");
  files.add_file("a/no.txt", "one\ntwo\n");
  files.add_file("a/empty", "");
  files.add_file("b/binary", std::string("needle\0", 7));
  files.add_link("b/link", "a/yes.txt");
  files.add("b/fifo", FileType::fifo);
  files.add("needle", FileType::directory);
  CollectingSink sink;
  const SearchResult result = search_fake(files, query_for(contains("needle")), sink);
  CHECK(sink.sorted() == Paths{"a/yes.txt"});
  CHECK(files.files_opened.size() == 4);
  CHECK(result.statistics.files_read == 4);
  CHECK(result.statistics.bytes_read == 31);
  CHECK(files.statted.empty());
  CHECK(files.open_now == 0);
  CollectingSink all;
  search_fake(files, query_for(contains("needle", true)), all);
  CHECK(all.sorted() == Paths{"a/yes.txt", "b/binary"});
}

TEST_CASE("only what passes every other test is opened") {
  FakeFileSystem files;
  files.add_file("a.c", std::string(2000, '.') + "needle");
  files.add_file("b.c", "needle");
  files.add_file("c.txt", std::string(2000, '.') + "needle");
  CollectingSink sink;
  search_fake(
      files,
      query_for(Expression::all({contains("needle"),
                                 Expression::of(query::range_test(query::size_row, {1000, 5000})),
                                 name_glob("*.c")})),
      sink);
  CHECK(sink.sorted() == Paths{"a.c"});
  CHECK(files.files_opened == std::vector<std::string>{"a.c"});
}

TEST_CASE("a file is read no further than to its first match") {
  FakeFileSystem files;
  files.bytes_per_read = 10'000;
  files.add_file("early", "needle\n" + std::string(95'000, '.'));
  files.add_file("late", std::string(95'000, '.') + "needle");
  CollectingSink sink;
  search_fake(files, query_for(contains("needle")), sink);
  CHECK(sink.paths.size() == 2);
  CHECK(files.file_reads == 1 + 10);  // and none only to be told that there is no more
}

TEST_CASE("a file that says it has no bytes is read all the same") {
  FakeFileSystem files;
  files.add_file("proc", "needle\n");
  files.told_sizes["proc"] = 0;
  files.add_file("grown", "first\nneedle\n");
  files.told_sizes["grown"] = 6;
  CollectingSink sink;
  search_fake(files, query_for(contains("needle")), sink);
  CHECK(sink.sorted() == Paths{"grown", "proc"});
}

TEST_CASE("a file that cannot be read is reported once, and the others are found") {
  FakeFileSystem files;
  files.add_file("closed", "needle");
  files.open_errors["closed"] = EACCES;
  files.add_file("damaged", "needle");
  files.read_errors["damaged"] = EIO;
  files.add_file("gone", "needle");
  files.open_errors["gone"] = ENOENT;
  files.add_file("replaced", "needle");
  files.open_errors["replaced"] = ENXIO;
  files.add_file("cloud", "needle");
  files.open_errors["cloud"] = EDEADLK;
  files.add_file("open", "needle");
  CollectingSink sink;
  const SearchResult result = search_fake(files, query_for(contains("needle")), sink);
  CHECK(sink.paths == Paths{"open"});
  REQUIRE(sink.issues.size() == 2);
  CHECK(sink.issues[0].path == "closed");
  CHECK(sink.issues[0].error == EACCES);
  CHECK(sink.issues[1].path == "damaged");
  CHECK(result.statistics.vanished == 2);
  CHECK(result.statistics.not_local_files == 1);
  CHECK(files.open_now == 0);
  // Nor is known what is not in them, however often that is asked; each has its line once.
  CollectingSink without;
  search_fake(
      files,
      query_for(Expression::negation(Expression::any({contains("needle"), contains("hay")}))),
      without);
  CHECK(without.paths.empty());
  CHECK(without.issues.size() == 2);
}

TEST_CASE("links are opened only when they count as what they lead to") {
  FakeFileSystem files;
  files.add_file("real", "needle");
  files.add_link("link", "real");
  Query query = query_for(contains("needle"));
  query.scope.follow = true;
  CollectingSink sink;
  search_fake(files, query, sink);
  CHECK(sink.sorted() == Paths{"link", "real"});
}

TEST_CASE("descriptors that are short are waited for") {
  FakeFileSystem files;
  for (int i = 0; i < 20; ++i) {
    files.add_file("d" + std::to_string(i) + "/e/file", "needle");
  }
  files.most_open = 4;
  CollectingSink sink;
  search_fake(files, query_for(contains("needle")), sink);
  CHECK(sink.paths.size() == 20);
  CHECK(sink.issues.empty());
}

TEST_CASE("a directory of files is shared out, and each is read once") {
  FakeFileSystem files;
  for (int i = 0; i < 500; ++i) {
    files.add_file("d/" + std::to_string(i), i % 7 == 0 ? "needle" : "hay");
    if (i % 50 == 0) files.add_file("d/e" + std::to_string(i) + "/inside", "needle");
  }
  for (const unsigned threads : {1U, 2U, 8U}) {
    for (const std::size_t entries_per_block : {3U, 1000U}) {
      files.entries_per_block = entries_per_block;
      files.files_opened.clear();
      CollectingSink sink;
      const SearchResult result = search_fake(files, query_for(contains("needle")), sink, threads);
      CHECK(sink.paths.size() == 72 + 10);
      CHECK(files.files_opened.size() == 510);
      CHECK(result.statistics.entries == 521);
      CHECK(files.open_now == 0);
    }
  }
}

TEST_CASE("a limit stops the reading of files") {
  FakeFileSystem files;
  for (int i = 0; i < 500; ++i) files.add_file("d/" + std::to_string(i), "needle");
  Query query = query_for(contains("needle"));
  query.limit = 3;
  CollectingSink sink;
  search_fake(files, query, sink);
  CHECK(sink.paths.size() == 3);
  CHECK(files.files_opened.size() == 3);
}

}  // namespace contents_test
