// SPDX-License-Identifier: MIT
// Keys and the cursor's place from a terminal's bytes, here a pipe's.
#include "os/posix/keys.h"

#include <unistd.h>

#include "catch.h"
#include "os/posix/calls.h"

namespace ffind::os::keys_test {
namespace {

Pipe opened() {
  Pipe pipe;
  REQUIRE(pipe.open() == 0);
  return pipe;
}

struct Typed {
  explicit Typed(std::string_view bytes) {
    REQUIRE(::write(pipe.writer.get(), bytes.data(), bytes.size()) ==
            static_cast<ssize_t>(bytes.size()));
  }
  bool is_next(Key key, Modifier modifier = Modifier::none) {
    const KeyPress press = keys.read_key();
    return press.key == key && press.modifier == modifier;
  }
  std::string next_text() {
    const KeyPress press = keys.read_key();
    return press.key == Key::text ? press.text : "no text";
  }

  Pipe pipe = opened();
  KeyDecoder keys{pipe.reader.get()};
};

TEST_CASE("a key's sequence is its key, all other bytes are themselves") {
  Typed typed("a\x1b[A\x1b[1;5D\x1b\x1b[A\x1b\x1b[b\x1bOM\xc3\xa4");
  CHECK(typed.next_text() == "a");
  CHECK(typed.is_next(Key::up));
  CHECK(typed.is_next(Key::left, Modifier::control));
  CHECK(typed.is_next(Key::up, Modifier::alt));
  CHECK(typed.is_next(Key::escape));
  CHECK(typed.is_next(Key::down, Modifier::shift));
  CHECK(typed.is_next(Key::enter));
  CHECK(typed.next_text() == "ä");
  CHECK(typed.is_next(Key::none));
}

TEST_CASE("of several modifiers Control counts, then Alt and Meta, then Shift") {
  Typed typed("\x1b[1;2A\x1b[1;4A\x1b[1;8A\x1b[1;9A\x1b[1;16A\x1b[5;10~");
  CHECK(typed.is_next(Key::up, Modifier::shift));
  CHECK(typed.is_next(Key::up, Modifier::alt));
  CHECK(typed.is_next(Key::up, Modifier::control));
  CHECK(typed.is_next(Key::up, Modifier::alt));
  CHECK(typed.is_next(Key::up, Modifier::control));
  CHECK(typed.is_next(Key::page_up, Modifier::alt));
}

TEST_CASE("a paste and a report of the old mouse are read to their ends") {
  Typed typed("\x1b[200~a\nb\x1b[201~\x1b[M !!c");
  CHECK(typed.next_text() == "a b");
  CHECK(typed.next_text() == "c");
}

TEST_CASE("the cursor's place is taken out of what was typed") {
  Typed typed("ab\x1b[A\x1b[12;40Rc");
  const auto place = typed.keys.cursor_reply(1000);
  REQUIRE(place.has_value());
  CHECK(place->row == 11);
  CHECK(place->column == 39);
  CHECK(typed.next_text() == "a");
  CHECK(typed.next_text() == "b");
  CHECK(typed.is_next(Key::up));
  CHECK(typed.next_text() == "c");
}

TEST_CASE("a terminal that does not tell where its cursor is loses no key") {
  Typed typed("x\x1b[0;1R\x1b[1;");
  CHECK_FALSE(typed.keys.cursor_reply(1).has_value());
  CHECK(typed.next_text() == "x");
}

}  // namespace
}  // namespace ffind::os::keys_test
