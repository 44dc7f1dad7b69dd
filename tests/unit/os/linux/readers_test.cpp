// SPDX-License-Identifier: MIT
// Directories of the real file system, read in parts.
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "catch.h"
#include "os/directory_reader.h"
#include "os/posix/file_system.h"

namespace readers_test {

using namespace ffind;

namespace {

namespace fs = std::filesystem;

std::unique_ptr<os::FileSystem> file_system_with(Reader reader) {
  Task task;
  task.choice.reader = reader;
  return os::open_file_system(task);
}

std::size_t open_descriptors() {
  const fs::directory_iterator all("/proc/self/fd");
  return static_cast<std::size_t>(std::distance(begin(all), end(all)));
}

}  // namespace

TEST_CASE("what is read in parts and paused between them is read once") {
  std::string top = (fs::temp_directory_path() / "ffind-parts-XXXXXX").string();
  REQUIRE(::mkdtemp(top.data()) != nullptr);
  std::vector<std::string> made;
  for (int number = 0; number < 300; ++number) {
    made.push_back(std::to_string(number) + std::string(number % 3 == 0 ? 240 : 5, 'x'));
    std::ofstream(fs::path(top) / made.back());
  }
  std::sort(made.begin(), made.end());
  const std::size_t before = open_descriptors();
  const Reader reader = GENERATE(Reader::getdents, Reader::readdir);
  const auto file_system = file_system_with(reader);
  os::ListedDirectory listed;
  os::Directory& directory = listed.directory;
  os::AlreadyOpen opener;
  const auto directory_reader = file_system->make_reader(opener);
  REQUIRE(file_system->open(nullptr, top.c_str(), {}, directory) == 0);
  const int fd = directory.fd;
  std::vector<std::string> names;
  os::DirentBlock block;
  std::size_t parts = 0;
  for (;; ++parts) {
    block.set_room(parts < 20 ? 512 : 200);  // the longest names do not fit into 200
    REQUIRE(directory_reader->read(listed, block) == 0);
    if (block.empty()) break;
    os::Dirent dirent;
    while (block.next(dirent)) names.emplace_back(dirent.name);
    CHECK(directory_reader->pause(listed));
    CHECK((directory.stream == nullptr || !os::streams_tell_positions()));
    CHECK(directory.fd == fd);  // others may be using it
    CHECK(open_descriptors() == before + 1);
  }
  file_system->close(directory);
  CHECK(parts > 20);
  std::sort(names.begin(), names.end());
  CHECK(names == made);
  CHECK(open_descriptors() == before);
  fs::remove_all(top);
}

}  // namespace readers_test
