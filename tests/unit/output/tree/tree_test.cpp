// SPDX-License-Identifier: MIT
// The tree: who hangs where, in which order, behind which branches.
#include "output/tree.h"

#include <algorithm>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "catch.h"
#include "unit/output/matches.h"

namespace tree_test {

using namespace ffind;
using namespace ffind::output;

namespace {

using Paths = std::vector<std::pair<std::string, std::string>>;  // root, path below it

std::string counted(const OutputStyle& style, const Paths& paths) {
  Remembering receiver;
  Tree tree(style, receiver);
  MatchBuilder reader(style);
  for (const auto& [root, path] : paths) {
    const bool directory = !path.empty() && path.back() == '/';
    MatchedEntry match(path.substr(0, path.size() - (directory ? 1 : 0)), root);
    if (directory) match.is(FileType::directory);
    const Match found = reader.read(match.entry);
    CHECK(tree.take({&found, 1}));
  }
  tree.finish();
  const Match late{"late"};
  CHECK_FALSE(tree.take({&late, 1}));
  return receiver.text;
}

/// Without the last two lines, which count.
std::string drawn(const OutputStyle& style, const Paths& paths) {
  std::string text = counted(style, paths);
  const std::size_t end = text.rfind("\n\n");
  return end == std::string::npos ? text : text.substr(0, end + 1);
}

OutputStyle plain_style() {
  OutputStyle style;
  style.format = Format::tree;
  return style;
}

}  // namespace

TEST_CASE("matches hang below the directories that lead to them, in natural order") {
  CHECK(
      drawn(plain_style(), {{"src", "b/f10"}, {"src", "a"}, {"src", "b/f9"}, {"src", "B2/x/y"}}) ==
      "src\n"
      "|-- a\n"
      "|-- b\n"
      "|   |-- f9\n"
      "|   `-- f10\n"
      "`-- B2\n"
      "    `-- x\n"
      "        `-- y\n");
}

TEST_CASE("a directory that is a match, too, stands there once") {
  const std::string expected = "r\n`-- d\n    |-- e\n    |   `-- f\n    `-- g\n";
  CHECK(drawn(plain_style(), {{"r", "d/"}, {"r", "d/e/f"}, {"r", "d/e/"}, {"r", "d/g"}}) ==
        expected);
  CHECK(drawn(plain_style(), {{"r", "d/e/f"}, {"r", "d/g"}, {"r", "d/e/"}, {"r", "d/"}}) ==
        expected);
}

TEST_CASE("each root has its own tree, the current directory a dot") {
  CHECK(drawn(plain_style(), {{"s/t", "a"}, {"", "b"}, {"s", "t/a"}, {"/", "c"}}) ==
        ".\n`-- b\n\n/\n`-- c\n\ns\n`-- t\n    `-- a\n\ns/t\n`-- a\n");
}

TEST_CASE("trees are drawn with lines where the locale has them") {
  OutputStyle style = plain_style();
  style.box_characters = true;
  CHECK(drawn(style, {{"r", "a/b"}, {"r", "c"}}) == "r\n├── a\n│   └── b\n└── c\n");
}

TEST_CASE("sorted records stay in their order, and a directory where the first of it is") {
  OutputStyle style = plain_style();
  style.sort = {{find_record_field("size"), true}};
  CHECK(drawn(style, {{"r", "z/1"}, {"r", "b"}, {"r", "a/1"}, {"r", "z/0"}}) ==
        "r\n|-- z\n|   |-- 1\n|   `-- 0\n|-- b\n`-- a\n    `-- 1\n");
}

TEST_CASE("names and paths order directories as well") {
  const Paths paths = {{"r", "a10"}, {"r", "a9/z"}, {"r", "a9.b"}};
  OutputStyle style = plain_style();
  style.sort = {{find_record_field("name"), true}};
  CHECK(drawn(style, paths) == "r\n|-- a10\n|-- a9.b\n`-- a9\n    `-- z\n");
  style.sort = {{find_record_field("path"), false}};
  CHECK(drawn(style, paths) == "r\n|-- a10\n|-- a9\n|   `-- z\n`-- a9.b\n");
}

TEST_CASE("the last line counts directories, roots among them, and all else as files") {
  const auto last_line = [](const Paths& paths) {
    const std::string text = counted(plain_style(), paths);
    return text.substr(text.rfind("\n\n") + 2);
  };
  CHECK(last_line({{"r", "a"}}) == "1 directory, 1 file\n");
  CHECK(last_line({{"r", "d/"}, {"r", "d/e/f"}, {"s", "g"}, {"s", "h"}}) ==
        "4 directories, 3 files\n");
  CHECK(last_line({{"r", "d/"}}) == "2 directories, 0 files\n");
}

TEST_CASE("what leads to a match is faint, a root like any directory, the match in its colour") {
  OutputStyle style = plain_style();
  style.palette = Palette::parse("*.c=35");
  CHECK(drawn(style, {{"r", "d/f.c"}}) ==
        "\x1b[01;34mr\x1b[0m\n`-- \x1b[2md\x1b[0m\n    `-- \x1b[35mf.c\x1b[0m\n");
}

TEST_CASE("on a terminal nothing in a name steers it") {
  OutputStyle style = plain_style();
  style.terminal = true;
  CHECK(drawn(style, {{"r", "a\nb/c\x1b"}}) == "r\n`-- a\\nb\n    `-- c\\x1b\n");
  style.terminal = false;
  CHECK(drawn(style, {{"r", "a\nb/c\x1b"}}) == "r\n`-- a\nb\n    `-- c\x1b\n");
}

TEST_CASE("a root that is a file is a heading of its own") {
  OutputStyle style = plain_style();
  Remembering receiver;
  Tree tree(style, receiver);
  MatchedEntry match("d/f");
  match.entry.depth = 0;
  MatchBuilder reader(style);
  const Match found = reader.read(match.entry);
  tree.take({&found, 1});
  tree.finish();
  CHECK(receiver.text == "d/f\n\n0 directories, 1 file\n");
}

TEST_CASE("a tree grows the same under several threads") {
  const OutputStyle style = plain_style();
  const auto grown = [&](int threads) {
    Remembering receiver;
    Tree tree(style, receiver);
    std::vector<std::thread> running;
    for (int number = 0; number < threads; ++number) {
      running.emplace_back([&, number] {
        MatchBuilder reader(style);
        for (int i = number; i < 300; i += threads) {
          MatchedEntry match("d" + std::to_string(i % 7) + "/f" + std::to_string(i), "r");
          const Match found = reader.read(match.entry);
          tree.take({&found, 1});
        }
      });
    }
    for (std::thread& thread : running) thread.join();
    tree.finish();
    return receiver.text;
  };
  const std::string once = grown(1);
  CHECK(std::count(once.begin(), once.end(), '\n') == 310);
  CHECK(grown(4) == once);
}

TEST_CASE("nothing found is nothing drawn, and a tree of any depth is drawn") {
  CHECK(drawn(plain_style(), {}).empty());
  std::string path = "x";
  for (int i = 0; i < 2000; ++i) path += "/x";
  const std::string text = drawn(plain_style(), {{"r", path}});
  CHECK(std::count(text.begin(), text.end(), '\n') == 2002);
}

}  // namespace tree_test
