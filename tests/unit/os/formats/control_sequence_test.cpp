// SPDX-License-Identifier: MIT
// Control sequences and strings of a terminal: what begins one, what ends it, what cuts it short.
#include "os/posix/keys.h"

#include <string>
#include <string_view>

#include "catch.h"

namespace ffind::control_sequence_test {
namespace {

/// What of `bytes`, after ESC, is left for keys.
std::string rest_after(std::string_view bytes) {
  os::ControlSequence sequence;
  if (!sequence.begin(static_cast<unsigned char>(bytes.front()))) return "no sequence";
  bytes.remove_prefix(1);
  while (!bytes.empty() && sequence.is_open()) {
    if (!sequence.take(static_cast<unsigned char>(bytes.front()))) break;
    bytes.remove_prefix(1);
  }
  return (sequence.is_open() ? "open " : "") + std::string(bytes);
}

TEST_CASE("control sequence: each kind ends where ECMA-48 says") {
  CHECK(rest_after("[12;40Rx") == "x");
  CHECK(rest_after("[?62;1cx") == "x");
  CHECK(rest_after("O5Px") == "x");
  for (const std::string kind : {"]", "P", "X", "^", "_"}) {
    CHECK(rest_after(kind + "11;rgb\x1b\\x") == "x");
    CHECK(rest_after(kind + "11;rgb\ax") == "x");
    CHECK(rest_after(kind + "11;rgb\xc2\x9cx") == "x");
    CHECK(rest_after(kind + "11;rgb\x9cx") == "x");
  }
  CHECK(rest_after("ax") == "no sequence");
  CHECK(rest_after("\\x") == "no sequence");
}

TEST_CASE("control sequence: a byte of a character does not end a string") {
  // U+201C and U+0153 have 0x9C in UTF-8.
  CHECK(rest_after("]52;\xe2\x80\x9c\xc5\x9c\ax") == "x");
}

TEST_CASE("control sequence: what cannot be part of it is a key") {
  CHECK(rest_after("[12\x03x") == "\x03x");
  CHECK(rest_after("]11;rgb\x03x") == "\x03x");
  CHECK(rest_after("]11;rgb\x1b\x1b") == "\x1b");
  CHECK(rest_after("]11;rgb\x1b[3;4Rx") == "x");  // ESC ends it, and begins the next
  CHECK(rest_after("]11;rgb\x18x") == "x");
  CHECK(rest_after("]11;\r\n\tx") == "open ");
}

TEST_CASE("control sequence: C1 controls introduce the same") {
  os::ControlSequence sequence;
  for (const int control : {0x8F, 0x90, 0x98, 0x9B, 0x9D, 0x9E, 0x9F}) {
    CHECK(sequence.begin_c1(static_cast<unsigned char>(control)));
  }
  for (const int control : {0x80, 0x85, 0x9A, 0x9C}) {
    CHECK_FALSE(sequence.begin_c1(static_cast<unsigned char>(control)));
  }
}

}  // namespace
}  // namespace ffind::control_sequence_test
