// SPDX-License-Identifier: MIT
#include "pick/history.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <thread>

#include "catch.h"

namespace ffind::pick::history_test {
namespace {

namespace fs = std::filesystem;

/// A directory for state that is gone afterwards.
class Place {
 public:
  Place() {
    std::string name = (fs::temp_directory_path() / "ffind-history-XXXXXX").string();
    REQUIRE(::mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  ~Place() { fs::remove_all(path_); }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

std::size_t lines_of(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

TEST_CASE("the history has each query once, the latest last, and 1,000 at most") {
  CHECK(history_with("a\nb\n", "a") == "b\na\n");
  CHECK(history_with("a\n\nb", "c") == "a\nb\nc\n");
  std::string text;
  for (int number = 0; number < 1200; ++number) text = history_with(text, std::to_string(number));
  CHECK(lines_of(text) == 1000);
  CHECK(text.starts_with("200\n"));
  CHECK(text.ends_with("\n1199\n"));
  const std::string large(4096, '\x01');
  for (int number = 0; number < 200; ++number)
    text = history_with(text, large + std::to_string(number));
  CHECK(text.size() <= std::size_t{1} << 20U);
  CHECK(lines_of(text) > 50);
}

TEST_CASE("queries that are added at the same time are all kept") {
  const Place place;
  std::vector<std::thread> threads;
  constexpr int each = 25;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&place, thread] {
      for (int number = 0; number < each; ++number) {
        add_query(place.path(), std::to_string(thread) + "-" + std::to_string(number));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(read_queries(place.path()).size() == 4 * each);
  // No temporary file is left.
  CHECK(std::distance(fs::directory_iterator(place.path() + "/ffind"), {}) == 1);
}

TEST_CASE("a history that cannot be kept is not kept") {
  const Place place;
  add_query("", "a");
  add_query("/dev/null/x", "a");
  CHECK(read_queries("/dev/null/x").empty());
  CHECK(read_queries(place.path()).empty());
  add_query(place.path(), " ");
  add_query(place.path(), std::string(5000, 'a'));
  for (const char* const query : {"a\nb", "\xff", "\x1b[m", "\u202e"})
    add_query(place.path(), query);
  CHECK(read_queries(place.path()).empty());
  std::ofstream(place.path() + "/ffind") << "";
  add_query(place.path(), "a");
  CHECK(fs::file_size(place.path() + "/ffind") == 0);
}

TEST_CASE("earlier and later queries, and what was typed") {
  QueryHistory history({"a", "b", "b", "c"});
  CHECK(history.later("typed") == "typed");
  CHECK(history.earlier("typed") == "c");
  CHECK(history.earlier("c") == "b");
  CHECK(history.earlier("b") == "a");
  CHECK(history.earlier("a") == "a");
  CHECK(history.later("a") == "b");
  CHECK(history.later("b") == "c");
  CHECK(history.later("c") == "typed");
  QueryHistory none;
  CHECK(none.earlier("typed") == "typed");
  CHECK(none.later("typed") == "typed");
}

}  // namespace
}  // namespace ffind::pick::history_test
