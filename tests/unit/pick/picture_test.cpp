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

TEST_CASE("a prompt that is longer than the row shows what is around the cursor") {
  PickPicture picture = picture_of({});
  picture.prompt = std::string(60, 'a') + "end";
  picture.cursor = picture.prompt.size();
  CHECK(row_text(picture, 0).ends_with("aend"));
  CHECK(draw(picture, usual, nullptr).cursor.column == 39);
  picture.cursor = 0;
  CHECK(draw(picture, usual, nullptr).cursor.column == 2);
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

}  // namespace
}  // namespace ffind::pick::picture_test
