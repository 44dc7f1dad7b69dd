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

/// The keys in `bytes` after ESC, when nothing follows: text, ^ and a letter, or "Esc".
std::string keys_after_escape(std::string_view bytes) {
  Typed typed("\x1b");
  REQUIRE(::write(typed.pipe.writer.get(), bytes.data(), bytes.size()) ==
          static_cast<ssize_t>(bytes.size()));
  typed.pipe.writer.close();
  std::string keys;
  while (true) {
    const KeyPress press = typed.keys.read_key();
    if (press.key == Key::none) return keys;
    if (press.key == Key::control) keys += '^';
    keys += press.key == Key::escape ? "Esc" : press.text;
  }
}

TEST_CASE("control sequence: each kind ends where ECMA-48 says") {
  CHECK(keys_after_escape("[12;40Rx") == "x");
  CHECK(keys_after_escape("[?62;1cx") == "x");
  CHECK(keys_after_escape("O5Px") == "x");
  for (const std::string kind : {"]", "P", "X", "^", "_"}) {
    CHECK(keys_after_escape(kind + "11;rgb\x1b\\x") == "x");
    CHECK(keys_after_escape(kind + "11;rgb\ax") == "x");
    CHECK(keys_after_escape(kind + "11;rgb\xc2\x9cx") == "x");
    CHECK(keys_after_escape(kind + "11;rgb\x9cx") == "x");
    CHECK(keys_after_escape(kind + "11;rgb") == "");
  }
}

TEST_CASE("control sequence: a byte of a character does not end a string") {
  // U+201C and U+0153 have 0x9C in UTF-8.
  CHECK(keys_after_escape("]52;\xe2\x80\x9c\xc5\x9c\ax") == "x");
}

TEST_CASE("control sequence: what cannot be part of it is a key") {
  CHECK(keys_after_escape("[12\x03x") == "^cx");
  CHECK(keys_after_escape("]11;rgb\x03x") == "^cx");
  CHECK(keys_after_escape("]11;rgb\x1b") == "Esc");
  CHECK(keys_after_escape("]11;rgb\x1b[3;4Rx") == "x");  // ESC ends it, and begins the next
  CHECK(keys_after_escape("]11;rgb\x18x") == "x");
  CHECK(keys_after_escape("]11;\r\n\tx") == "");
}

TEST_CASE("control sequence: C1 controls introduce the same") {
  for (const std::string control : {"\x9d", "\xc2\x9d", "\x90", "\xc2\x9f"}) {
    CHECK(keys_after_escape("\x1b\\" + control + "11;rgb\ax") == "Escx");
  }
  CHECK(keys_after_escape("]\a\x9b"
                          "12;40Rx\x85y") == "xy");
}

}  // namespace
}  // namespace ffind::os::keys_test
