// SPDX-License-Identifier: MIT
// What is sent to a terminal to draw on rows of it; its answers come from a pipe.
#include "os/posix/screen.h"

#include <unistd.h>

#include "catch.h"
#include "os/posix/calls.h"
#include "random.h"
#include "text/unicode.h"
#include "text/utf8.h"

namespace ffind::os::screen_region_test {
namespace {

Pipe answering(std::string_view bytes) {
  Pipe pipe;
  REQUIRE(pipe.open() == 0);
  REQUIRE(::write(pipe.writer.get(), bytes.data(), bytes.size()) ==
          static_cast<ssize_t>(bytes.size()));
  return pipe;
}

struct Region {
  Region(ScreenHeight height, std::string_view answer) : pipe(answering(answer)), height_(height) {}

  Pipe pipe;
  ScreenHeight height_;
  KeyDecoder keys{pipe.reader.get()};
  std::string sent;
  bool is_full = false;  ///< the terminal takes nothing
  ScreenRegion rows{height_, 256, keys, [this](std::string_view bytes) {
                      if (!is_full) sent += bytes;
                      return !is_full;
                    }};
};

TEST_CASE("a region scrolls the screen for the rows that it lacks") {
  Region region({.rows = 5}, "\x1b[10;5R");
  REQUIRE(region.rows.enter({12, 80}));
  // Below row 10 are two rows; the three others are scrolled.
  CHECK(region.rows.begin() == 7);
  CHECK(region.rows.size() == ScreenSize{5, 80});
  CHECK(region.sent ==
        "\x1b[6n\x1b[12;1H\n\n\n\x1b[7;5H\x1b"
        "7\x1b[8;1H\x1b[J");
}

TEST_CASE("no part without a reply, or with all rows of the terminal") {
  CHECK_FALSE(Region({.rows = 5}, "").rows.enter({12, 80}));
  CHECK_FALSE(Region({.percent = 100}, "\x1b[1;2R").rows.enter({12, 80}));
}

TEST_CASE("all of a screen is the alternate one") {
  Region region({}, "");
  REQUIRE(region.rows.enter({2, 80}));
  CHECK(region.sent == "\x1b[?1049h\x1b[0m\x1b[H\x1b[J");
  region.rows.follow({1, 3});
  CHECK(region.rows.size() == ScreenSize{1, 3});
}

TEST_CASE("only rows that changed are sent") {
  Region region({.rows = 3}, "\x1b[1;1R");
  REQUIRE(region.rows.enter({12, 80}));
  const std::vector<ScreenRow> first = {{{"a", {}}}, {{"b", {.color = 9, .bold = true}}}};
  region.rows.draw(first, {0, 1});
  CHECK(region.sent.find("\x1b[1;1Ha") != std::string::npos);
  CHECK(region.sent.find("\x1b[2;1H\x1b[0;1;91mb\x1b[0m") != std::string::npos);
  region.sent.clear();
  const std::vector<ScreenRow> second = {{{"a", {}}}, {{"c", {}}}};
  region.rows.draw(second, {0, 1});
  CHECK(region.sent.find('a') == std::string::npos);
  CHECK(region.sent.find("\x1b[2;1Hc") != std::string::npos);
  region.sent.clear();
  region.rows.draw(second, {0, 1});
  CHECK(region.sent.empty());
  region.rows.draw(second, {0, 2});
  CHECK(region.sent.find("\x1b[1;3H") != std::string::npos);
}

TEST_CASE("of a row what changed is sent, an accent with its letter") {
  Region region({}, "");
  REQUIRE(region.rows.enter({1, 80}));
  const auto sent = [&](const std::string& text) {
    region.sent.clear();
    region.rows.draw(std::vector<ScreenRow>{{{text, {}}}}, {0, 0});
    constexpr std::string_view begin = "\x1b[?25l\x1b[?7l";
    constexpr std::string_view end = "\x1b[?7h\x1b[1;1H\x1b[?25h";
    return region.sent.substr(begin.size(), region.sent.size() - begin.size() - end.size());
  };
  CHECK(sent("file1.txt") == "\x1b[1;1Hfile1.txt");
  CHECK(sent("file2.txt") == "\x1b[1;5H2");
  CHECK(sent("file2.tx") == "\x1b[1;9H\x1b[K");
  CHECK(sent("file23.tx") == "\x1b[1;6H3.tx");
  CHECK(sent("file23e\u0301x") == "\x1b[1;7H\x1b[Ke\u0301x");
  CHECK(sent("file23ex") == "\x1b[1;7H\x1b[Kex");
}

/// Understands what draw() sends: a glyph and its style in each column.
struct Terminal {
  void take(std::string_view bytes) {
    while (!bytes.empty()) {
      if (bytes.starts_with("\x1b[")) {
        const std::size_t size = bytes.find_first_of("HKmlh") + 1;
        control(bytes.substr(2, size - 3), bytes[size - 1]);
        bytes.remove_prefix(size);
        continue;
      }
      const text::Decoded next = text::decode_utf8(bytes, 0);
      const std::size_t columns = text::columns_of(next.code_point);
      auto& cells = rows[row];
      if (cells.size() < column + columns) cells.resize(column + columns, " ");
      if (columns == 0) {
        cells[column - 1] += bytes.substr(0, next.length);
      } else {
        const bool is_plain_blank = bytes[0] == ' ' && style.find_first_of("47") == style.npos;
        cells[column] = std::string(bytes.substr(0, next.length)) + (is_plain_blank ? "" : style);
        if (columns == 2) cells[column + 1] = "";
      }
      column += columns;
      bytes.remove_prefix(next.length);
    }
  }
  void control(std::string_view parameters, char final) {
    if (final == 'H') {
      row = static_cast<std::size_t>(std::stoi(std::string(parameters))) - 1;
      const std::size_t semicolon = parameters.find(';') + 1;
      column = static_cast<std::size_t>(std::stoi(std::string(parameters.substr(semicolon)))) - 1;
    }
    if (final == 'K') rows[row].resize(std::min(rows[row].size(), column));
    if (final == 'm') style = parameters.substr(1);
  }
  /// The rows without blanks at their ends.
  std::vector<std::vector<std::string>> picture() {
    for (auto& cells : rows) {
      while (!cells.empty() && cells.back() == " ") cells.pop_back();
    }
    return rows;
  }

  std::vector<std::vector<std::string>> rows = std::vector<std::vector<std::string>>(3);
  std::size_t row = 0;
  std::size_t column = 0;
  std::string style;
};

TEST_CASE("changes lead to the same picture as drawing all of it") {
  Random random(GENERATE(1U, 2U, 3U));
  Region changed({}, "");
  REQUIRE(changed.rows.enter({3, 80}));
  changed.sent.clear();
  Terminal terminal;
  const auto random_row = [&] {
    const std::string_view pieces[] = {"a", "b", " ", "  ", "ab", "e\u0301", "\u00e9", "\u65e5"};
    const TextStyle styles[] = {
        {}, {.dim = true}, {.underline = true}, {.reverse = true}, {.color = 2}};
    ScreenRow row;
    for (std::size_t i = random() % 6; i-- > 0;) {
      row.push_back({"", styles[random() % std::size(styles)]});
      for (std::size_t length = 1 + random() % 3; length-- > 0;) {
        row.back().text += pieces[random() % (random() % 3 == 0 ? std::size(pieces) : 5)];
      }
    }
    return row;
  };
  std::vector<ScreenRow> picture(3);
  for (int round = 0; round < rounds(1000); ++round) {
    picture[random() % 3] = random_row();
    if (ScreenRow& row = picture[random() % 3]; !row.empty()) row.back().text += 'b';
    changed.rows.draw(picture, {0, 0});
    terminal.take(std::exchange(changed.sent, {}));
    Region whole({}, "");
    REQUIRE(whole.rows.enter({3, 80}));
    whole.sent.clear();
    whole.rows.draw(picture, {0, 0});
    Terminal fresh;
    fresh.take(whole.sent);
    REQUIRE(terminal.picture() == fresh.picture());
  }
}

TEST_CASE("a picture that could not be sent is sent again as a whole") {
  Region region({}, "");
  REQUIRE(region.rows.enter({2, 80}));
  const std::vector<ScreenRow> picture = {{{"a", {}}}, {{"b", {}}}};
  region.is_full = true;
  region.rows.draw(picture, {0, 0});
  region.is_full = false;
  region.rows.draw(picture, {0, 0});
  CHECK(region.sent.find("\x1b[1;1H\x1b[Ka") != std::string::npos);
  CHECK(region.sent.find("\x1b[2;1H\x1b[Kb") != std::string::npos);
}

}  // namespace
}  // namespace ffind::os::screen_region_test
