// SPDX-License-Identifier: MIT
// Symbolic links resolved name by name, on real files.
#include "os/linux/links.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "catch.h"
#include "os/linux/statx.h"

namespace links_test {

using namespace ffind;

namespace {

namespace fs = std::filesystem;

/// A directory with files and links, and a descriptor of it.
class Tree {
 public:
  Tree() {
    REQUIRE(::mkdtemp(top_.data()) != nullptr);
    fs::create_directories(path("dir/sub"));
    std::ofstream(path("dir/sub/file")) << "text";
    fd_ = ::open(top_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  }
  ~Tree() {
    ::close(fd_);
    fs::remove_all(top_);
  }
  Tree(const Tree&) = delete;
  Tree& operator=(const Tree&) = delete;

  std::string path(const std::string& name) const { return top_ + "/" + name; }
  void link(const std::string& name, const std::string& target) const {
    fs::create_symlink(target, path(name));
  }
  /// 0 if `name` leads to the file or directory `expected`, else an errno.
  int open(const std::string& name, const std::string& expected, int flags = O_RDONLY) {
    int fd = -1;
    const int error = links_.open(fd_, name.c_str(), flags | O_CLOEXEC, scope, fd);
    if (error != 0) return error;
    struct ::stat opened {};
    struct ::stat wanted {};
    REQUIRE(::fstat(fd, &opened) == 0);
    REQUIRE(::stat(path(expected).c_str(), &wanted) == 0);
    CHECK(opened.st_ino == wanted.st_ino);
    ::close(fd);
    return 0;
  }

  os::LinuxLinks::Scope scope = os::LinuxLinks::Scope::volume;

 private:
  std::string top_ = (fs::temp_directory_path() / "ffind-links-XXXXXX").string();
  int fd_ = -1;
  os::LinuxLinks links_;
};

}  // namespace

TEST_CASE("links: relative and absolute targets are followed in every component") {
  Tree tree;
  tree.scope = GENERATE(os::LinuxLinks::Scope::volume, os::LinuxLinks::Scope::local);
  tree.link("relative", "dir");
  tree.link("absolute", tree.path("dir/sub"));
  tree.link("dir/up", "..");
  tree.link("chain", "dir/up/relative/sub/file");
  CHECK(tree.open("relative/sub/file", "dir/sub/file") == 0);
  CHECK(tree.open("absolute", "dir/sub", O_RDONLY | O_DIRECTORY) == 0);
  CHECK(tree.open("absolute/file", "dir/sub/file") == 0);
  CHECK(tree.open("chain", "dir/sub/file") == 0);
}

TEST_CASE("links: errors are the kernel's") {
  Tree tree;
  tree.link("loop", "loop");
  tree.link("absolute-loop", tree.path("absolute-loop"));
  tree.link("broken", "dir/none");
  tree.link("file", tree.path("dir/sub/file"));
  CHECK(tree.open("loop", "") == ELOOP);
  CHECK(tree.open("absolute-loop", "") == ELOOP);
  CHECK(tree.open("broken", "") == ENOENT);
  CHECK(tree.open("file/", "") == ENOTDIR);
  CHECK(tree.open("file", "", O_RDONLY | O_DIRECTORY) == ENOTDIR);
}

TEST_CASE("links: a mount is unknown without the number or the bit that says there is one") {
  os::Statx status{};
  CHECK(os::reported_mount(status) == 0);
  status.stx_mnt_id = 27;
  CHECK(os::reported_mount(status) == 0);
  status.stx_mask = os::statx_mount_id;
  CHECK(os::reported_mount(status) == 27);
}

TEST_CASE("links: a target on another mount is outside of the volume") {
  Tree tree;
  if (::access("/proc/self/status", R_OK) != 0) return;
  tree.link("mounted", "/proc/self/status");
  CHECK(tree.open("mounted", "") == EXDEV);
}

}  // namespace links_test
