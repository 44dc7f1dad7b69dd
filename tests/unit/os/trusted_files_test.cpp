// SPDX-License-Identifier: MIT
// Small files are read whole and replaced whole.
#include "os/trusted_files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "catch.h"
#include "os/files.h"

namespace trusted_files_test {

using namespace ffind;
using os::TrustedFileTrouble;

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
  CHECK(os::read_trusted_file(path, 1000, text).trouble == TrustedFileTrouble::none);
  return text;
}

TrustedFileTrouble trouble_reading(const std::string& path) {
  std::string text;
  return os::read_trusted_file(path, 1000, text).trouble;
}

TrustedFileTrouble trouble_replacing(const std::string& path) {
  return os::replace_trusted_file(path, "two").trouble;
}

void write(const std::string& path, const std::string& text, mode_t mode = 0644) {
  std::ofstream(path) << text;
  REQUIRE(::chmod(path.c_str(), mode) == 0);
}

}  // namespace

TEST_CASE("a file is replaced, with the directories above it, and nothing is left beside it") {
  const Scratch scratch;
  const std::string path = scratch / "a/b/file";
  REQUIRE(os::replace_trusted_file(path, "one").trouble == TrustedFileTrouble::none);
  REQUIRE(os::replace_trusted_file(path, "two\n").trouble == TrustedFileTrouble::none);
  CHECK(text_of(path) == "two\n");
  std::vector<std::string> names;
  CHECK(os::names_in(scratch / "a/b", names) == 0);
  CHECK(names == std::vector<std::string>{"file"});
  CHECK(fs::status(scratch / "a").permissions() == fs::perms::owner_all);
}

TEST_CASE("what a link leads to is not written, and the file is for its owner alone") {
  const Scratch scratch;
  write(scratch / "real", "one", 0666);
  fs::create_symlink("real", scratch / "link");
  REQUIRE(trouble_replacing(scratch / "link") == TrustedFileTrouble::none);
  CHECK(text_of(scratch / "link") == "two");
  CHECK_FALSE(fs::is_symlink(scratch / "link"));
  CHECK(fs::file_size(scratch / "real") == 3);
  CHECK(fs::status(scratch / "link").permissions() ==
        (fs::perms::owner_read | fs::perms::owner_write));
  // One that leads nowhere is as good a place.
  fs::create_symlink("none", scratch / "dangling");
  REQUIRE(trouble_replacing(scratch / "dangling") == TrustedFileTrouble::none);
  CHECK_FALSE(fs::exists(scratch / "none"));
}

TEST_CASE("directories may be links of one's own") {
  const Scratch scratch;
  fs::create_directories(scratch / "kept/deep");
  fs::create_symlink("kept", scratch / "relative");
  fs::create_symlink(scratch / "kept/deep/..", scratch / "absolute");
  fs::create_symlink("round", scratch / "round");
  REQUIRE(trouble_replacing(scratch / "relative/a") == TrustedFileTrouble::none);
  REQUIRE(trouble_replacing(scratch / "absolute/new/b") == TrustedFileTrouble::none);
  CHECK(text_of(scratch / "relative/a") == "two");
  CHECK(text_of(scratch / "kept/new/b") == "two");
  CHECK(os::replace_trusted_file(scratch / "round/a", "x").error == ELOOP);
}

TEST_CASE("what others may write is not believed") {
  const Scratch scratch;
  for (const mode_t mode : {0646U, 0602U}) {
    write(scratch / "file", "x", mode);
    CHECK(trouble_reading(scratch / "file") == TrustedFileTrouble::writable);
  }
  // Who runs this may have a group of their own.
  const bool own_group = ::geteuid() != 0 && ::getegid() == ::geteuid();
  const TrustedFileTrouble of_group =
      own_group ? TrustedFileTrouble::none : TrustedFileTrouble::writable;
  for (const mode_t mode : {0664U, 0620U}) {
    write(scratch / "file", "x", mode);
    CHECK(trouble_reading(scratch / "file") == of_group);
  }
  write(scratch / "file", "x", 0644);
  CHECK(trouble_reading(scratch / "file") == TrustedFileTrouble::none);
}

TEST_CASE("what belongs to somebody else is neither read nor replaced, nor are links followed") {
  if (::geteuid() != 0) return;  // only root can make such files
  const Scratch scratch;
  constexpr uid_t other = 65534;
  const auto give = [&](const std::string& name) {
    REQUIRE(::lchown((scratch / name).c_str(), other, other) == 0);
  };
  write(scratch / "theirs", "x");
  give("theirs");
  CHECK(trouble_reading(scratch / "theirs") == TrustedFileTrouble::foreign);
  CHECK(trouble_replacing(scratch / "theirs") == TrustedFileTrouble::foreign);

  write(scratch / "mine", "x");
  fs::create_symlink("mine", scratch / "link");
  give("link");
  CHECK(trouble_reading(scratch / "link") == TrustedFileTrouble::foreign_link);
  CHECK(trouble_replacing(scratch / "link") == TrustedFileTrouble::foreign);

  fs::create_directories(scratch / "mine.d");
  write(scratch / "mine.d/file", "x");
  fs::create_symlink("mine.d", scratch / "link.d");
  give("link.d");
  CHECK(trouble_reading(scratch / "link.d/file") == TrustedFileTrouble::foreign_link);
  CHECK(trouble_replacing(scratch / "link.d/new") == TrustedFileTrouble::foreign_link);

  fs::create_directories(scratch / "theirs.d");
  give("theirs.d");
  CHECK(trouble_replacing(scratch / "theirs.d/file") == TrustedFileTrouble::foreign);
  CHECK(trouble_replacing(scratch / "theirs.d/new/file") == TrustedFileTrouble::foreign);
  CHECK(fs::is_empty(scratch / "theirs.d"));
  // Roots of the system are nobody's of its users, and its users believe it.
  REQUIRE(::seteuid(other) == 0);
  const TrustedFileTrouble roots = trouble_reading("/etc/passwd");
  REQUIRE(::seteuid(0) == 0);
  CHECK(roots != TrustedFileTrouble::foreign);
}

TEST_CASE("a pipe is read to its end, and one that nobody writes into is not waited for") {
  const Scratch scratch;
  REQUIRE(::mkfifo((scratch / "pipe").c_str(), 0600) == 0);
  CHECK(trouble_reading(scratch / "pipe") == TrustedFileTrouble::nobody_writes);
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  REQUIRE(::write(ends[1], "-l", 2) == 2);
  ::close(ends[1]);
  CHECK(text_of("/dev/fd/" + std::to_string(ends[0])) == "-l");
  ::close(ends[0]);
}

TEST_CASE("a device is read only when there is nothing in it") {
  CHECK(text_of("/dev/null").empty());
  CHECK(trouble_reading("/dev/zero") == TrustedFileTrouble::no_file);
}

TEST_CASE("what cannot be read or replaced says why") {
  const Scratch scratch;
  std::string text;
  CHECK(os::read_trusted_file(scratch / "none", 10, text).error == ENOENT);
  CHECK(os::read_trusted_file(scratch / ".", 10, text).error == EISDIR);
  write(scratch / "long", "12345678901");
  CHECK(os::read_trusted_file(scratch / "long", 10, text).error == EFBIG);
  CHECK(os::replace_trusted_file(scratch / ".", "x").error == EISDIR);
  CHECK(os::replace_trusted_file(scratch / "long/file", "x").error == ENOTDIR);
  std::vector<std::string> names;
  CHECK(os::names_in(scratch / "none", names) == ENOENT);
}

}  // namespace trusted_files_test
