// SPDX-License-Identifier: MIT
// Ways down that no link leads astray.
#include "os/safe_open.h"

#include <unistd.h>
#include <cerrno>

#include <filesystem>
#include <fstream>
#include <span>
#include <vector>

#include "catch.h"

namespace safe_open_test {

using namespace ffind::os;
using ffind::FileType;
namespace fs = std::filesystem;

namespace {

/// A directory of its own, with a/b/c, and a/link to a/b.
class Tree {
 public:
  Tree() {
    fs::remove_all(path_);
    fs::create_directories(path_ / "a/b/c");
    fs::create_directory_symlink("b", path_ / "a/link");
    std::ofstream(path_ / "a/b/file") << "x";
  }
  ~Tree() { fs::remove_all(path_); }
  std::string root() const { return path_.string(); }
  bool has(const std::string& path) const { return fs::exists(fs::symlink_status(path_ / path)); }

 private:
  fs::path path_ = fs::temp_directory_path() / ("ffind-unit-beneath-" + std::to_string(::getpid()));
};

/// The directory that lies at `path` now.
KnownDirectory known(const std::string& path) {
  Identity identity;
  identify(path, true, identity);
  return {path, identity.id};
}

/// Whether `name` is seen in the directory that the ancestors leads to.
int open_and_look(OpenAncestors& ancestors, const std::string& root, std::string_view below,
                  const std::string& name) {
  int fd = -1;
  const int error = ancestors.open(known(root), below, fd);
  Identity identity;
  return error != 0 ? error : identify(fd, name, false, identity);
}

}  // namespace

TEST_CASE("a ancestors leads down, and refuses links below the root") {
  const Tree tree;
  OpenAncestors ancestors(false, 4);
  CHECK(open_and_look(ancestors, tree.root(), "a/b/", "file") == 0);
  CHECK(open_and_look(ancestors, tree.root(), "", "a") == 0);
  CHECK(open_and_look(ancestors, tree.root(), "./a/./b", "c") == 0);
  const int error = open_and_look(ancestors, tree.root(), "a/link/", "file");
  CHECK((error == ELOOP || error == ENOTDIR));
  CHECK(open_and_look(ancestors, tree.root(), "a/../a", "b") == 0);
  CHECK(open_and_look(ancestors, tree.root(), "a/b", "file") == 0);
  CHECK(open_and_look(ancestors, tree.root() + "/a/link", "", "file") == 0);
  CHECK(open_and_look(ancestors, tree.root() + "/none", "", "file") == ESTALE);
  CHECK(open_and_look(ancestors, tree.root(), "a", "b") == 0);
}

TEST_CASE("a ancestors may be told to follow") {
  const Tree tree;
  OpenAncestors ancestors(true, 4);
  CHECK(open_and_look(ancestors, tree.root(), "a/link/", "file") == 0);
}

TEST_CASE("with few descriptors a deep ancestors leads down and back up") {
  const Tree tree;
  std::string deep;
  for (int level = 0; level < 20; ++level) deep += "d/";
  fs::create_directories(fs::path(tree.root()) / deep);
  const KnownDirectory root = known(tree.root());
  const std::vector<std::string_view> names(20, "d");
  OpenAncestors ancestors(false, 3);
  const auto look = [&](std::size_t depth, std::size_t same, const std::string& name) {
    int fd = -1;
    const int error = ancestors.open(root, std::span(names).first(depth), same, fd);
    Identity identity;
    return error != 0 ? error : identify(fd, name, false, identity);
  };
  REQUIRE(look(20, 0, ".") == 0);
  for (std::size_t depth = 20; depth-- > 0;) {
    INFO(depth);
    CHECK(look(depth, depth, "d") == 0);
    CHECK(look(depth, depth, "a") == (depth == 0 ? 0 : ENOENT));
  }
  CHECK(look(5, 0, "d") == 0);
}

TEST_CASE("the way up leads through the directories of the way down, or is gone again") {
  const Tree tree;
  fs::create_directories(fs::path(tree.root()) / "a/b/c/d/e");
  fs::create_directories(fs::path(tree.root()) / "elsewhere");
  std::ofstream(fs::path(tree.root()) / "elsewhere/file") << "x";
  const KnownDirectory root = known(tree.root());
  const std::vector<std::string_view> names = {"a", "b", "c", "d", "e"};
  OpenAncestors ancestors(false, 1);
  int fd = -1;
  REQUIRE(ancestors.open(root, names, 0, fd) == 0);
  fs::rename(tree.root() + "/a/b/c", tree.root() + "/elsewhere/c");
  fs::create_directories(fs::path(tree.root()) / "a/b/c");
  Identity identity;
  REQUIRE(ancestors.open(root, std::span(names).first(2), 2, fd) == 0);
  CHECK(identify(fd, "file", false, identity) == 0);  // a/b, not elsewhere
  CHECK(identify(fd, "c", false, identity) == 0);
  CHECK(identity.id == known(tree.root() + "/a/b/c").id);
  fs::remove_all(tree.root() + "/a/b");
  CHECK(ancestors.open(root, std::span(names).first(3), 2, fd) == ENOENT);
}

TEST_CASE("what is removed is the entry itself") {
  const Tree tree;
  OpenAncestors ancestors(false, 4);
  int fd = -1;
  REQUIRE(ancestors.open(known(tree.root()), "a", fd) == 0);
  Identity found;
  REQUIRE(identify(fd, "link", false, found) == 0);
  CHECK(found.type == FileType::symlink);
  CHECK(remove(fd, "link", FileType::directory) == ENOTDIR);
  CHECK(remove(fd, "link", FileType::symlink) == 0);
  CHECK_FALSE(tree.has("a/link"));
  CHECK(tree.has("a/b/file"));
  REQUIRE(identify(fd, "b", false, found) == 0);
  CHECK(found.type == FileType::directory);
  CHECK(remove(fd, "b", FileType::directory) == ENOTEMPTY);
}

TEST_CASE("a ancestors does not begin at another directory than the one that was known") {
  const Tree tree;
  const KnownDirectory before = known(tree.root() + "/a");
  fs::rename(tree.root() + "/a", tree.root() + "/old");
  fs::create_directory_symlink("old/b", tree.root() + "/a");
  OpenAncestors ancestors(false, 4);
  int fd = -1;
  CHECK(ancestors.open(before, "", fd) == ESTALE);
  fs::remove(tree.root() + "/a");
  fs::rename(tree.root() + "/old", tree.root() + "/a");
  CHECK(ancestors.open(before, "", fd) == 0);
}

}  // namespace safe_open_test
