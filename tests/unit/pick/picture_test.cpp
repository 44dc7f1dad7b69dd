// SPDX-License-Identifier: MIT
#include "pick/picture.h"

#include "catch.h"
#include "os/terminal.h"
#include "text/unicode.h"

namespace ffind::pick::picture_test {
namespace {

constexpr os::ScreenSize usual = {10, 40};

Mark mark_for(std::string word, bool at_end = false) {
  return {false, at_end, [word = std::move(word)](std::string_view text) {
            return text.find(word) != std::string_view::npos;
          }};
}

ShownEntry file(std::string directory, std::string name) {
  return {std::move(directory), std::move(name), FileType::file, false, {}};
}

PickPicture picture_of(std::vector<ShownEntry> entries) {
  PickPicture picture;
  picture.status.matches = entries.size();
  picture.status.found = entries.size();
  picture.entries = std::move(entries);
  if (!picture.entries.empty()) picture.current = 0;
  return picture;
}

std::string text_of(const os::ScreenRow& row) {
  std::string text;
  for (const os::StyledText& part : row) text += part.text;
  return text.substr(0, text.find_last_not_of(' ') + 1);
}

std::string row_text(const PickPicture& picture, std::size_t row, os::ScreenSize size = usual) {
  return text_of(draw(picture, size, nullptr).rows.at(row));
}

/// What is underlined in the row, as matches are without colours.
std::string underlined(const PickPicture& picture, std::size_t row) {
  std::string text;
  const DrawnPicture drawn = draw(picture, usual, nullptr);
  for (const os::StyledText& part : drawn.rows.at(row)) {
    if (part.style.underline) text += part.text;
  }
  return text;
}

TEST_CASE("the prompt, how many match, and the entries, the current one first") {
  PickPicture picture = picture_of({file("src/", "main.cpp"), file("", "README.md")});
  picture.prompt = "m";
  picture.cursor = 1;
  picture.status.found = 12;
  CHECK(row_text(picture, 0) == "> m");
  CHECK(row_text(picture, 1) == "  2 of 12");
  CHECK(row_text(picture, 2) == "> src/main.cpp");
  CHECK(row_text(picture, 3) == "  README.md");
  const DrawnPicture drawn = draw(picture, usual, nullptr);
  CHECK(drawn.cursor.row == 0);
  CHECK(drawn.cursor.column == 3);
}

TEST_CASE("the keys to begin with stand at the right of the counts, if there is room") {
  PickPicture picture = picture_of({file("", "a")});
  const std::string row = row_text(picture, 1, {3, 60});
  CHECK(row.starts_with("  1 of 1 "));
  CHECK(row.ends_with("  Enter print  Esc leave  Tab mark  F1 or ? keys"));
  CHECK(text::columns_of(row) == 60);
  CHECK(row_text(picture, 1, {3, 52}) == "  1 of 1");
  picture.unfinished = {{0, 1, "a value is missing"}};
  CHECK(row_text(picture, 1, {3, 80}) == "  1 of 1  a value is missing");
}

TEST_CASE("a search that found nothing says so when it is over") {
  PickPicture picture = picture_of({});
  CHECK(row_text(picture, 1) == "  nothing found");
  picture.status.is_searching = true;
  CHECK(row_text(picture, 1) == "  0 of 0, searching");
  picture.status = {.found = 3};
  CHECK(row_text(picture, 1) == "  0 of 3");
}

TEST_CASE("the status tells what goes on") {
  PickPicture picture = picture_of({});
  picture.status = {.matches = 5,
                    .found = 10,
                    .marked = 2,
                    .errors = 1,
                    .is_searching = true,
                    .sort = {PickOrder::size, true}};
  CHECK(row_text(picture, 1, {3, 80}) ==
        "  5 of 10, 2 marked, searching, by size reversed, 1 error");
  picture.status.notice = "nothing matches";
  CHECK(row_text(picture, 1) == "  nothing matches");
}

TEST_CASE("of a long path the beginning is left out") {
  const PickPicture picture = picture_of({file("one/two/three/four/five/six/seven/", "eight.txt")});
  const std::string row = row_text(picture, 2);
  CHECK(row.starts_with("> \u2026"));
  CHECK(row.ends_with("seven/eight.txt"));
  CHECK(text::columns_of(row) == 40);
}

TEST_CASE("wide and combining characters take the columns that they have") {
  const std::string name = "\u6f22\u5b57e\u0301.txt";
  const PickPicture picture = picture_of({file("", name)});
  CHECK(row_text(picture, 2) == "> " + name);
  CHECK(text::columns_of(text_of(draw(picture, {5, 8}, nullptr).rows[2])) <= 8);
}

TEST_CASE("a name cannot steer the terminal") {
  const PickPicture picture = picture_of({file("", "a\x1b[2Jb\\c\nd")});
  CHECK(row_text(picture, 2) == "> a\\x1b[2Jb\\\\c\\nd");
}

TEST_CASE("what matched is marked, in the name rather than in the directories") {
  PickPicture picture = picture_of({file("main/", "main.cpp")});
  picture.marks = {mark_for("main")};
  CHECK(underlined(picture, 2) == "main");
  const auto row = draw(picture, usual, nullptr).rows.at(2);
  std::string before;
  for (const os::StyledText& part : row) {
    if (part.style.underline) break;
    before += part.text;
  }
  CHECK(before == "> main/");
}

TEST_CASE("a mark may lie across the directory and the name") {
  PickPicture picture = picture_of({file("src/", "main.cpp")});
  picture.marks = {mark_for("c/ma")};
  CHECK(underlined(picture, 2) == "c/ma");
}

TEST_CASE("a mark at the end is the last of several") {
  PickPicture picture = picture_of({file("", "cc.c")});
  picture.marks = {mark_for("c", true)};
  const auto row = draw(picture, usual, nullptr).rows.at(2);
  REQUIRE(underlined(picture, 2) == "c");
  CHECK(row_text(picture, 2).ends_with("c"));
  std::string before;
  for (const os::StyledText& part : row) {
    if (part.style.underline) break;
    before += part.text;
  }
  CHECK(before == "> cc.");
}

TEST_CASE("marks are found between characters of several bytes") {
  PickPicture picture = picture_of({file("", "\u00e4\u00f6\u00fc\u00e4\u00f6.txt")});
  picture.marks = {mark_for("\u00fc\u00e4")};
  CHECK(underlined(picture, 2) == "\u00fc\u00e4");
}

TEST_CASE("what is unfinished is shown as such, with the reason") {
  PickPicture picture = picture_of({});
  picture.status.found = 3;
  picture.prompt = "a size:";
  picture.unfinished = {{2, 7, "a value is missing"}};
  CHECK(underlined(picture, 0) == "size:");
  CHECK(row_text(picture, 1) == "  0 of 3  a value is missing");
}

TEST_CASE("a prompt that is longer than the row shows what is around the cursor") {
  PickPicture picture = picture_of({});
  picture.prompt = std::string(60, 'a') + "end";
  picture.cursor = picture.prompt.size();
  CHECK(row_text(picture, 0).ends_with("aend"));
  CHECK(draw(picture, usual, nullptr).cursor.column == 39);
  picture.cursor = 0;
  CHECK(draw(picture, usual, nullptr).cursor.column == 2);
}

TEST_CASE("the pane is beside the list where there is room, else below it") {
  const PickLayout beside = layout_of({24, 120}, PickPane::details);
  CHECK(beside.list_columns == 60);
  CHECK(beside.list_rows == 22);
  const PickLayout below = layout_of({24, 80}, PickPane::details);
  CHECK(below.list_columns == 80);
  CHECK(below.list_rows == 11);
  CHECK(below.pane_rows == 11);
}

TEST_CASE("the pane shows what is known of the entry") {
  PickPicture picture = picture_of({file("", "a")});
  picture.pane = PickPane::details;
  picture.details = {"size 12"};
  CHECK(row_text(picture, 2, {6, 100}) == "> a" + std::string(47, ' ') + "\u2502 size 12");
}

TEST_CASE("short facts have two columns, the text below them has its own lines") {
  const std::vector<std::string> details = {
      "path /a/long/path", "type file", "kind text", "size 1", "", "x", "y"};
  const std::vector<std::string> wide = {
      "path /a/long/path", "type file   kind text", "size 1", "", "x", "y"};
  CHECK(arranged(details, 24) == wide);
  CHECK(arranged(details, 20) == details);
  CHECK(arranged({}, 24).empty());
  CHECK(arranged({"reading..."}, 80) == std::vector<std::string>{"reading..."});
}

TEST_CASE("all keys are on a screen of 80 columns and 24 rows, and no line is cut") {
  PickPicture picture = picture_of({file("", "a")});
  picture.pane = PickPane::keys;
  CHECK(hidden_key_rows(layout_of({24, 80}, PickPane::keys)) == 0);
  CHECK(hidden_key_rows(layout_of({24, 40}, PickPane::keys)) > 0);
  std::string all;
  for (const os::ScreenRow& row : draw(picture, {24, 80}, nullptr).rows) all += text_of(row) + "\n";
  CHECK(all.find("Ctrl-V F2    details of the entry") != std::string::npos);
  CHECK(all.find("these keys; ? at the start\n") != std::string::npos);
  CHECK(all.find("> a") == std::string::npos);
  CHECK(all.find("\u2026") == std::string::npos);
}

TEST_CASE("every size of screen can be drawn on") {
  PickPicture picture = picture_of({file("src/", "main.cpp"), file("", "\u6f22\u5b57")});
  picture.marks = {mark_for("m")};
  picture.prompt = "main \u6f22";
  picture.cursor = picture.prompt.size();
  for (const PickPane pane : {PickPane::none, PickPane::details, PickPane::keys}) {
    picture.pane = pane;
    for (std::size_t rows = 0; rows < 8; ++rows) {
      for (std::size_t columns = 0; columns < 12; ++columns) {
        const DrawnPicture drawn = draw(picture, {rows, columns}, nullptr);
        REQUIRE(drawn.rows.size() == rows);
        for (const os::ScreenRow& row : drawn.rows) {
          REQUIRE(text::columns_of(text_of(row)) <= columns);
        }
      }
    }
  }
}

TEST_CASE("colours of LS_COLORS are those of the screen") {
  CHECK(style_of("01;34") == os::TextStyle{.color = 4, .bold = true});
  CHECK(style_of("38;5;208") == os::TextStyle{.color = 208});
  CHECK(style_of("97") == os::TextStyle{.color = 15});
  CHECK(style_of("48;5;9;4") == os::TextStyle{.underline = true});
  CHECK(style_of("38;2;255;135;1;7") == os::TextStyle{.color = 208, .reverse = true});
  CHECK(style_of("") == os::TextStyle{});
  CHECK(style_of("garbage") == os::TextStyle{});
}

}  // namespace
}  // namespace ffind::pick::picture_test
