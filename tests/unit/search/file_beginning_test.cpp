// SPDX-License-Identifier: MIT
// How much of a file is read, and of which; holes on the file system that the tests run on.
#include "search/opener.h"

#include <cerrno>
#include <filesystem>
#include <fstream>

#include "catch.h"
#include "fakes/fake_file_system.h"

namespace file_beginning_test {

using namespace ffind;
using namespace ffind::search;

namespace {

struct Outcome {
  int error = 0;
  FileBeginning beginning{};
};

Outcome read(FakeFileSystem& files, const std::string& path, std::size_t most,
             bool follow = false) {
  Outcome outcome;
  outcome.error = read_beginning(files, nullptr, path, follow, most, outcome.beginning);
  CHECK(files.open_now == 0);
  return outcome;
}

}  // namespace

TEST_CASE("of a file no more is read than was asked for, in whatever pieces it comes") {
  FakeFileSystem files;
  const std::string bytes(5000, 'x');
  files.add_file("file", bytes);
  files.bytes_per_read = GENERATE(values<std::size_t>({7, 1'000'000}));
  const auto most = GENERATE(values<std::size_t>({0, 1, 600, 4999, 5000, 5001, 1'000'000}));
  const Outcome outcome = read(files, "file", most);
  CHECK(outcome.error == 0);
  CHECK(outcome.beginning.bytes == bytes.substr(0, most));
  CHECK(outcome.beginning.size == 5000);
}

TEST_CASE("a file that does not say its size is read to its end") {
  FakeFileSystem files;
  files.add_file("file", std::string(5000, 'x'));
  files.told_sizes["file"] = 0;
  CHECK(read(files, "file", 1'000'000).beginning.bytes.size() == 5000);
}

TEST_CASE("links are followed only when that is asked for, and nothing but files is read") {
  FakeFileSystem files;
  files.add_file("file", "x");
  files.add_link("link", "file");
  files.add("directory", FileType::directory);
  CHECK(read(files, "link", 10).error == ELOOP);
  CHECK(read(files, "link", 10, true).beginning.bytes == "x");
  CHECK(read(files, "directory", 10).error == ENXIO);
  CHECK(read(files, "nothing", 10).error == ENOENT);
}

TEST_CASE("of a file that fails halfway nothing is left") {
  FakeFileSystem files;
  files.add_file("file", "x");
  files.read_errors["file"] = EIO;
  Outcome outcome = read(files, "file", 10);
  CHECK(outcome.error == EIO);
  CHECK(outcome.beginning.bytes.empty());
}

TEST_CASE("holes are read as the zeros that they are") {
  constexpr std::size_t hole = 300'000;
  const std::filesystem::path path = std::filesystem::absolute("file with a hole");
  {
    std::ofstream stream(path, std::ios::binary);
    stream.seekp(hole).put('x');
  }
  const auto file_system = os::open_file_system(Task{});
  FileBeginning beginning;
  CHECK(read_beginning(*file_system, nullptr, path.string(), false, 2 * hole, beginning) == 0);
  CHECK(beginning.bytes == std::string(hole, '\0') + 'x');
  std::filesystem::remove(path);
}

}  // namespace file_beginning_test
