// SPDX-License-Identifier: MIT
// Which root a match lies below.
#include "output/commands/anchors.h"

#include "catch.h"

using namespace ffind;

namespace {

struct Found {
  std::string root;
  std::string below;
  bool operator==(const Found&) const = default;
};

Anchor root(std::string printed, std::string path) {
  return {std::move(printed), {std::move(path), {}}};
}

Anchor files(std::string printed, std::string path) {
  return {std::move(printed), {std::move(path), {}}, {}, AnchorKind::files};
}

Found find(const Anchors& anchors, std::string_view path) {
  const Located located = below_anchor(anchors, path);
  return {located.anchor != nullptr ? located.anchor->directory.path : "none",
          std::string(located.path)};
}

}  // namespace

TEST_CASE("a path lies below the root that it begins with") {
  const Anchors anchors({root("a/", "a"), root("/x/", "/x")});
  CHECK(find(anchors, "a/b/c") == Found{"a", "b/c"});
  CHECK(find(anchors, "/x/y") == Found{"/x", "y"});
  CHECK(find(anchors, "ab/c") == Found{"none", ""});
  CHECK(find(anchors, "/xy") == Found{"none", ""});
}

TEST_CASE("the current directory's paths begin with anything but a slash") {
  const Anchors anchors({root("", ".")});
  CHECK(find(anchors, "b/c") == Found{".", "b/c"});
  CHECK(find(anchors, "./-b") == Found{".", "./-b"});
  CHECK(find(anchors, "/b") == Found{"none", ""});
}

TEST_CASE("the nearest of several roots counts, in whatever order they are") {
  const Anchor outer = root("a/", "a");
  const Anchor inner = root("a/link/", "a/link");
  CHECK(find(Anchors({outer, inner}), "a/link/x") == Found{"a/link", "x"});
  CHECK(find(Anchors({inner, outer}), "a/link/x") == Found{"a/link", "x"});
  CHECK(find(Anchors({inner, outer}), "a/x") == Found{"a", "x"});
}

TEST_CASE("a root that merely sorts between a path and its root is passed over") {
  const Anchors anchors({root("a/", "a"), root("a/b/", "a/b"), root("a/b/c/", "a/b/c"),
                         root("a/b-c/", "a/b-c"), root("b/", "b")});
  CHECK(find(anchors, "a/b/d") == Found{"a/b", "d"});
  CHECK(find(anchors, "a/b/c/d") == Found{"a/b/c", "d"});
  CHECK(find(anchors, "a/b.c/d") == Found{"a", "b.c/d"});
  CHECK(find(anchors, "a/c") == Found{"a", "c"});
  CHECK(find(anchors, "c") == Found{"none", ""});
}

TEST_CASE("files of one directory are one, and the same as the directory if that is a root, too") {
  const Anchors anchors({files("a/", "of a"), files("a/", "of a"), files("b/", "of b"),
                         root("b/", "b"), files("b/", "of b")});
  CHECK(anchors.end() - anchors.begin() == 2);
  CHECK(find(anchors, "a/x") == Found{"of a", "x"});
  CHECK(find(anchors, "b/x") == Found{"b", "x"});
  CHECK(find(anchors, "b") == Found{"b", ""});
  CHECK(find(anchors, "a") == Found{"none", ""});
}

TEST_CASE("a hundred thousand roots cost each match no more than the way to one of them") {
  constexpr int count = 100'000;
  std::vector<Anchor> roots;
  for (int i = 0; i < count; ++i) roots.push_back(root("a/" + std::to_string(i) + "/", "a"));
  const Anchors anchors(std::move(roots));
  int found = 0;
  for (int i = 0; i < count; ++i) {
    const std::string path = "a/" + std::to_string(i) + "/x";
    if (below_anchor(anchors, path).path == "x") ++found;
  }
  CHECK(found == count);
  // Asking each root would take ten thousand million questions, and all the time that a test has.
}

TEST_CASE("the directory of a file is found below the root around it") {
  const Anchors anchors({root("a/", "a"), files("a/b/", "of a/b")});
  CHECK(find(anchors, "a/b") == Found{"a", "b"});
  CHECK(find(anchors, "a/b/x") == Found{"of a/b", "x"});
}

TEST_CASE("a root itself has no path below it") {
  CHECK(find(Anchors({root("a/f/", "a/f")}), "a/f") == Found{"a/f", ""});
  CHECK(find(Anchors({root("", "."), root("f/", "f")}), "f") == Found{"f", ""});
}

TEST_CASE("a root whose paths would begin with a dash is found all the same") {
  CHECK(find(Anchors({root("./-d/", "./-d")}), "./-d/x") == Found{"./-d", "x"});
  CHECK(find(Anchors({root("", "."), root("./-d/", "./-d")}), "./-d/x") == Found{"./-d", "x"});
}

TEST_CASE("the anchor of a file is its directory, and of what is gone there is none") {
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
  const Anchors anchors = anchors_of(plan);
  CHECK(find(anchors, "/etc/passwd") == Found{"/etc/", "passwd"});
  CHECK(find(anchors, "/etc") == Found{"none", ""});
  CHECK(find(anchors, "/nonexistent/x") == Found{"none", ""});
  CHECK(find(anchors, "/usr/x") == Found{"/usr", "x"});
  CHECK(find(anchors, "/usr") == Found{"/usr", ""});
}

TEST_CASE("files typed with one directory are one anchor, though the first of them may be gone") {
  Plan plan;
  Task& task = plan.tasks.emplace_back();
  for (const char* path : {"/etc/nonexistent", "/etc/passwd", "/etc/group"}) {
    Root& file = task.roots.emplace_back();
    file.open_path = path;
    file.printed = "/etc/";
  }
  const Anchors anchors = anchors_of(plan);
  REQUIRE(anchors.end() - anchors.begin() == 1);
  CHECK(find(anchors, "/etc/group") == Found{"/etc/", "group"});
  CHECK_FALSE(anchors.begin()->canonical.empty());
  CHECK(anchors.begin()->canonical.back() == '/');
}

TEST_CASE("the root directory is one") {
  CHECK(find(Anchors({root("/", "/")}), "/etc/x") == Found{"/", "etc/x"});
}
