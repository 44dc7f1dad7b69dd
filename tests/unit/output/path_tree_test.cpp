// SPDX-License-Identifier: MIT
// Paths by number: each comes back as it was, equal ones have one, and their order is that of
// bytes.
#include "output/path_tree.h"

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "catch.h"

namespace path_tree_test {

using namespace ffind;
using namespace ffind::output;

namespace {

std::string spelled(const PathTree& tree, PathTree::Index path) {
  std::string text = "<";
  tree.append(text, path);
  return text.substr(1);
}

/// Short ones of few letters, so that many are equal, or begin with one another.
std::string random_path(std::mt19937& random) {
  constexpr std::string_view letters = "//ab-0\xff";
  std::string path;
  for (auto length = random() % 8; length > 0; --length) path += letters[random() % letters.size()];
  return path;
}

}  // namespace

TEST_CASE("paths keep their bytes and their numbers, and are sorted by bytes") {
  std::mt19937 random(1);
  PathTree tree;
  std::map<std::string, PathTree::Index> known;
  for (int i = 0; i < 5000; ++i) {
    const std::string path = random_path(random);
    const PathTree::Index number = tree.add(path);
    CHECK(known.emplace(path, number).first->second == number);
    if (spelled(tree, number) != path) FAIL("[" << path << "]");
  }
  std::vector<std::string> sorted;
  for (const PathTree::Index path : tree.sorted()) sorted.push_back(spelled(tree, path));
  CHECK(sorted.size() + 1 == tree.size());
  CHECK(std::is_sorted(sorted.begin(), sorted.end()));
}

TEST_CASE("names on the way change as little as paths do") {
  std::mt19937 random(2);
  PathTree tree;
  PathNames way(tree);
  std::vector<std::string_view> before;
  for (int i = 0; i < 2000; ++i) {
    const std::string path = random_path(random);
    const std::size_t same = way.move_to(tree.add(path));
    const auto& names = way.names();
    std::string joined;
    for (std::size_t k = 0; k < names.size(); ++k) {
      if (k > 0) joined += '/';
      joined += names[k];
    }
    CHECK(joined == path);
    const auto differ = std::mismatch(before.begin(), before.end(), names.begin(), names.end());
    CHECK(same == static_cast<std::size_t>(differ.first - before.begin()));
    before = names;
  }
  CHECK(way.move_to(PathTree::root) == 0);
  CHECK(way.names().empty());
}

TEST_CASE("a chain takes as much as its names") {
  PathTree tree;
  std::string path = "/r";
  for (int depth = 0; depth < 20000; ++depth) tree.add(path += "/d");
  CHECK(tree.size() == 20003);
  CHECK(tree.depth(tree.add(path)) == 20002);
  CHECK(tree.sorted().size() == 20002);
}

}  // namespace path_tree_test
