// SPDX-License-Identifier: MIT
// What is sent to a terminal to draw on rows of it; its answers come from a pipe.
#include "os/posix/screen_region.h"

#include <unistd.h>

#include "catch.h"
#include "os/posix/calls.h"

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
  CHECK(region.sent.find("\x1b[0;1;91mb") != std::string::npos);
  region.sent.clear();
  const std::vector<ScreenRow> second = {{{"a", {}}}, {{"c", {}}}};
  region.rows.draw(second, {0, 1});
  CHECK(region.sent.find("\x1b[0ma") == std::string::npos);
  CHECK(region.sent.find("\x1b[0mc") != std::string::npos);
}

TEST_CASE("a picture that could not be sent is sent again as a whole") {
  Region region({}, "");
  REQUIRE(region.rows.enter({2, 80}));
  const std::vector<ScreenRow> picture = {{{"a", {}}}, {{"b", {}}}};
  region.is_full = true;
  region.rows.draw(picture, {0, 0});
  region.is_full = false;
  region.rows.draw(picture, {0, 0});
  CHECK(region.sent.find("\x1b[0ma") != std::string::npos);
  CHECK(region.sent.find("\x1b[0mb") != std::string::npos);
}

}  // namespace
}  // namespace ffind::os::screen_region_test
