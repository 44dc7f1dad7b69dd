// SPDX-License-Identifier: MIT
// Keys and the cursor's place from a terminal's bytes, here a pipe's.
#include "os/posix/screen_region.h"

#include <unistd.h>

#include "catch.h"
#include "os/posix/calls.h"

namespace ffind::os::screen_region_test {
namespace {

Pipe opened() {
  Pipe pipe;
  REQUIRE(pipe.open() == 0);
  return pipe;
}

struct Typed {
  void type(std::string_view bytes) {
    REQUIRE(::write(pipe.writer.get(), bytes.data(), bytes.size()) ==
            static_cast<ssize_t>(bytes.size()));
  }

  Pipe pipe = opened();
  KeyDecoder keys{
      pipe.reader.get(), {{"\x1b[A", 1000}, {"\x1b\x1b[A", 1001}, {"\x1b[1;5D", 1002}}, 100};
};

TEST_CASE("a key's sequence is its code, all other bytes are themselves") {
  Typed typed;
  CHECK(typed.keys.next(0) == -1);
  typed.type("a\x1b[A\x1b[1;5D\x1b\x1b[A\x1b\x1b[B\xc3");
  CHECK(typed.keys.next(0) == 'a');
  CHECK(typed.keys.next(0) == 1000);
  CHECK(typed.keys.next(0) == 1002);
  CHECK(typed.keys.next(0) == 1001);
  CHECK(typed.keys.next(0) == 0x1b);
  CHECK(typed.keys.next(0) == 0x1b);
  CHECK(typed.keys.next(0) == '[');
  CHECK(typed.keys.next(0) == 'B');
  CHECK(typed.keys.next(0) == 0xc3);
  CHECK(typed.keys.next(0) == -1);
}

TEST_CASE("the cursor's place is taken out of what was typed") {
  Typed typed;
  typed.type("ab\x1b[A\x1b[12;40Rc");
  const auto place = typed.keys.cursor_reply(1000);
  REQUIRE(place.has_value());
  CHECK(place->row == 11);
  CHECK(place->column == 39);
  CHECK(typed.keys.next(0) == 'a');
  CHECK(typed.keys.next(0) == 'b');
  CHECK(typed.keys.next(0) == 1000);
  CHECK(typed.keys.next(0) == 'c');
}

TEST_CASE("a terminal that does not tell where its cursor is loses no key") {
  Typed typed;
  typed.type("x\x1b[0;1R\x1b[1;");
  CHECK_FALSE(typed.keys.cursor_reply(1).has_value());
  CHECK(typed.keys.next(0) == 'x');
}

// mutable: written by the functions of a region
std::string sent;
ScreenRegion region_of(Typed& typed, ScreenHeight height) {
  sent.clear();
  return {height, 256, typed.keys, [](std::string_view bytes) { sent += bytes; }};
}

TEST_CASE("a region scrolls the screen for the rows that it lacks") {
  Typed typed;
  typed.type("\x1b[10;5R");
  ScreenRegion region = region_of(typed, {.rows = 5});
  REQUIRE(region.enter({12, 80}));
  // Below row 10 are two rows; the three others are scrolled.
  CHECK(region.begin() == 7);
  CHECK(region.size() == ScreenSize{5, 80});
  CHECK(sent ==
        "\x1b[6n\x1b[12;1H\n\n\n\x1b[7;5H\x1b"
        "7\x1b[8;1H\x1b[J");
}

TEST_CASE("no region without a reply, or with all rows of the terminal") {
  Typed silent;
  CHECK_FALSE(region_of(silent, {.rows = 5}).enter({12, 80}));
  Typed typed;
  typed.type("\x1b[1;2R");
  CHECK_FALSE(region_of(typed, {.percent = 100}).enter({12, 80}));
}

TEST_CASE("only rows that changed are sent") {
  Typed typed;
  typed.type("\x1b[1;1R");
  ScreenRegion region = region_of(typed, {.rows = 3});
  REQUIRE(region.enter({12, 80}));
  const std::vector<ScreenRow> first = {{{"a", {}}}, {{"b", {.color = 9, .bold = true}}}};
  region.draw(first, {0, 1});
  CHECK(sent.find("\x1b[0;1;91mb") != std::string::npos);
  sent.clear();
  region.draw(std::vector<ScreenRow>{{{"a", {}}}, {{"c", {}}}}, {0, 1});
  CHECK(sent.find("\x1b[0ma") == std::string::npos);
  CHECK(sent.find("\x1b[0mc") != std::string::npos);
}

}  // namespace
}  // namespace ffind::os::screen_region_test
