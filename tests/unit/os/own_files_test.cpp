// SPDX-License-Identifier: MIT
// Small files are read whole and replaced whole.
#include "os/own_files.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "catch.h"

using namespace ffind;

namespace {

namespace fs = std::filesystem;

/// A directory that is gone afterwards.
class Scratch {
 public:
  Scratch() {
    std::string name = (fs::temp_directory_path() / "ffind-own-files-XXXXXX").string();
    REQUIRE(::mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  ~Scratch() { fs::remove_all(path_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }

 private:
  fs::path path_;
};

std::string text_of(const std::string& path) {
  std::string text;
  CHECK(os::read_own_file(path, 1000, text) == 0);
  return text;
}

}  // namespace

TEST_CASE("a file is replaced, with the directories above it, and nothing is left beside it") {
  const Scratch scratch;
  const std::string path = scratch / "a/b/file";
  REQUIRE(os::replace_own_file(path, "one") == 0);
  REQUIRE(os::replace_own_file(path, "two\n") == 0);
  CHECK(text_of(path) == "two\n");
  std::vector<std::string> names;
  CHECK(os::names_in(scratch / "a/b", names) == 0);
  CHECK(names == std::vector<std::string>{"file"});
  CHECK(fs::status(scratch / "a").permissions() == fs::perms::owner_all);
}

TEST_CASE("a link to a file stays one") {
  const Scratch scratch;
  std::ofstream(scratch / "real") << "one";
  fs::create_symlink("real", scratch / "link");
  REQUIRE(os::replace_own_file(scratch / "link", "two") == 0);
  CHECK(fs::is_symlink(scratch / "link"));
  CHECK(text_of(scratch / "real") == "two");
}

TEST_CASE("what cannot be read or replaced says why") {
  const Scratch scratch;
  std::string text;
  CHECK(os::read_own_file(scratch / "none", 10, text) == ENOENT);
  CHECK(os::read_own_file(scratch / ".", 10, text) == EISDIR);
  std::ofstream(scratch / "long") << "12345678901";
  CHECK(os::read_own_file(scratch / "long", 10, text) == EFBIG);
  CHECK(os::replace_own_file(scratch / ".", "x") == EISDIR);
  CHECK(os::replace_own_file(scratch / "long/file", "x") == ENOTDIR);
  std::vector<std::string> names;
  CHECK(os::names_in(scratch / "none", names) == ENOENT);
}
