// SPDX-License-Identifier: MIT
// Which root a match lies below.
#include "output/commands/root_directories.h"

#include "catch.h"

namespace root_directories_test {

using namespace ffind;
using namespace ffind::output;

namespace {

struct Found {
  std::string root;
  std::string below;
  bool operator==(const Found&) const = default;
};

RootDirectory directory(std::string printed, std::string path) {
  return {std::move(printed), {std::move(path), {}}};
}

RootDirectory files(std::string printed, std::string path) {
  return {std::move(printed), {std::move(path), {}}, {}, RootKind::files};
}

Found find(const RootDirectories& roots, std::string_view path) {
  const Located located = locate_below(roots, path);
  return {located.root != nullptr ? located.root->directory.path : "none",
          std::string(located.path)};
}

}  // namespace

TEST_CASE("a path lies below the root that it begins with") {
  const RootDirectories roots({directory("a/", "a"), directory("/x/", "/x")});
  CHECK(find(roots, "a/b/c") == Found{"a", "b/c"});
  CHECK(find(roots, "/x/y") == Found{"/x", "y"});
  CHECK(find(roots, "ab/c") == Found{"none", ""});
  CHECK(find(roots, "/xy") == Found{"none", ""});
}

TEST_CASE("the current directory's paths begin with anything but a slash") {
  const RootDirectories roots({directory("", ".")});
  CHECK(find(roots, "b/c") == Found{".", "b/c"});
  CHECK(find(roots, "./-b") == Found{".", "./-b"});
  CHECK(find(roots, "/b") == Found{"none", ""});
}

TEST_CASE("the nearest of several roots counts, in whatever order they are") {
  const RootDirectory outer = directory("a/", "a");
  const RootDirectory inner = directory("a/link/", "a/link");
  CHECK(find(RootDirectories({outer, inner}), "a/link/x") == Found{"a/link", "x"});
  CHECK(find(RootDirectories({inner, outer}), "a/link/x") == Found{"a/link", "x"});
  CHECK(find(RootDirectories({inner, outer}), "a/x") == Found{"a", "x"});
}

TEST_CASE("a root that merely sorts between a path and its root is passed over") {
  const RootDirectories roots({directory("a/", "a"), directory("a/b/", "a/b"),
                               directory("a/b/c/", "a/b/c"), directory("a/b-c/", "a/b-c"),
                               directory("b/", "b")});
  CHECK(find(roots, "a/b/d") == Found{"a/b", "d"});
  CHECK(find(roots, "a/b/c/d") == Found{"a/b/c", "d"});
  CHECK(find(roots, "a/b.c/d") == Found{"a", "b.c/d"});
  CHECK(find(roots, "a/c") == Found{"a", "c"});
  CHECK(find(roots, "c") == Found{"none", ""});
}

TEST_CASE("files of one directory are one, and the same as the directory if that is a root, too") {
  const RootDirectories roots({files("a/", "of a"), files("a/", "of a"), files("b/", "of b"),
                               directory("b/", "b"), files("b/", "of b")});
  CHECK(roots.end() - roots.begin() == 2);
  CHECK(find(roots, "a/x") == Found{"of a", "x"});
  CHECK(find(roots, "b/x") == Found{"b", "x"});
  CHECK(find(roots, "b") == Found{"b", ""});
  CHECK(find(roots, "a") == Found{"none", ""});
}

TEST_CASE("a hundred thousand roots cost each match no more than the way to one of them") {
  constexpr int count = 100'000;
  std::vector<RootDirectory> all;
  for (int i = 0; i < count; ++i) all.push_back(directory("a/" + std::to_string(i) + "/", "a"));
  const RootDirectories roots(std::move(all));
  int found = 0;
  for (int i = 0; i < count; ++i) {
    const std::string path = "a/" + std::to_string(i) + "/x";
    if (locate_below(roots, path).path == "x") ++found;
  }
  CHECK(found == count);
  // Asking each root would take ten thousand million questions, and all the time that a test has.
}

TEST_CASE("the directory of a file is found below the root around it") {
  const RootDirectories roots({directory("a/", "a"), files("a/b/", "of a/b")});
  CHECK(find(roots, "a/b") == Found{"a", "b"});
  CHECK(find(roots, "a/b/x") == Found{"of a/b", "x"});
}

TEST_CASE("a root itself has no path below it") {
  CHECK(find(RootDirectories({directory("a/f/", "a/f")}), "a/f") == Found{"a/f", ""});
  CHECK(find(RootDirectories({directory("", "."), directory("f/", "f")}), "f") == Found{"f", ""});
}

TEST_CASE("a root whose paths would begin with a dash is found all the same") {
  CHECK(find(RootDirectories({directory("./-d/", "./-d")}), "./-d/x") == Found{"./-d", "x"});
  CHECK(find(RootDirectories({directory("", "."), directory("./-d/", "./-d")}), "./-d/x") ==
        Found{"./-d", "x"});
}

TEST_CASE("the root directory of a file is its directory, and of what is gone there is none") {
  Plan plan;
  Task& task = plan.tasks.emplace_back();
  Root file;
  file.open_path = "/etc/passwd";
  file.printed = "/etc/";
  Root gone;
  gone.open_path = "/nonexistent";
  gone.printed = "/nonexistent/";
  Root directory;
  directory.open_path = "/usr";
  directory.printed = "/usr/";
  task.roots = {file, gone, directory};
  const RootDirectories roots = root_directories_of(plan);
  CHECK(find(roots, "/etc/passwd") == Found{"/etc/", "passwd"});
  CHECK(find(roots, "/etc") == Found{"none", ""});
  CHECK(find(roots, "/nonexistent/x") == Found{"none", ""});
  CHECK(find(roots, "/usr/x") == Found{"/usr", "x"});
  CHECK(find(roots, "/usr") == Found{"/usr", ""});
}

TEST_CASE("files typed with one directory are one anchor, though the first of them may be gone") {
  Plan plan;
  Task& task = plan.tasks.emplace_back();
  for (const char* path : {"/etc/nonexistent", "/etc/passwd", "/etc/group"}) {
    Root& file = task.roots.emplace_back();
    file.open_path = path;
    file.printed = "/etc/";
  }
  const RootDirectories roots = root_directories_of(plan);
  REQUIRE(roots.end() - roots.begin() == 1);
  CHECK(find(roots, "/etc/group") == Found{"/etc/", "group"});
  CHECK_FALSE(roots.begin()->canonical.empty());
  CHECK(roots.begin()->canonical.back() == '/');
}

TEST_CASE("the root directory is one") {
  CHECK(find(RootDirectories({directory("/", "/")}), "/etc/x") == Found{"/", "etc/x"});
}

}  // namespace root_directories_test
