// SPDX-License-Identifier: MIT
// State machine of a control sequence. It is more lenient than a terminal: BEL ends each kind of
// string, and a control that a string cannot contain, Ctrl-C for example, is a key again.
//
//     none ──begin──▶ parameters ──@ to ~──▶ none         ESC [ 1 ; 5 A, ESC O A
//     none ──begin──▶ string ─────BEL, CAN, SUB, ST──▶ none
//                       └──ESC──▶ escaped ──any byte──▶ none, or the next sequence
//
// A string may contain UTF-8, whose continuation bytes 0x80 to 0x9F would otherwise be C1 controls:
// 0x9C alone is ST, but in "Ü" (C3 9C) it is a part of the letter. So the lead byte of the current
// character is remembered, and C2 9C is ST in UTF-8.
#include "os/formats/control_sequence.h"

namespace ffind::os {
namespace {

constexpr unsigned char bell = 0x07;
constexpr unsigned char cancel = 0x18;
constexpr unsigned char substitute = 0x1A;
constexpr unsigned char escape_byte = 0x1B;
constexpr unsigned char string_terminator = 0x9C;
constexpr unsigned char c1_lead = 0xC2;  // of U+0080 to U+00BF in UTF-8

bool is_utf8_continuation(unsigned char byte) {
  return byte >= 0x80 && byte < 0xC0;
}

/// True for controls that no string contains, such as Ctrl-C (0x03). NUL is padding, and backspace
/// to carriage return may be in a string (ECMA-48, 5.6).
bool ends_string_as_key(unsigned char byte) {
  return byte < ' ' && byte != 0 && (byte < '\b' || byte > '\r');
}

/// Continuation bytes that follow a lead byte of UTF-8; 0 for any other byte.
std::uint8_t continuations_after(unsigned char lead) {
  if (lead < c1_lead || lead > 0xF4) return 0;
  if (lead < 0xE0) return 1;
  return lead < 0xF0 ? 2 : 3;
}

}  // namespace

bool ControlSequence::begin(unsigned char byte) {
  close();
  switch (byte) {
    case '[':  // CSI
    case 'O':  // SS3
      kind_ = Kind::parameters;
      return true;
    case 'P':  // DCS
    case 'X':  // SOS
    case ']':  // OSC
    case '^':  // PM
    case '_':  // APC
      kind_ = Kind::string;
      return true;
    default:
      return false;
  }
}

bool ControlSequence::begin_c1(unsigned char control) {
  // 0x9B is CSI, ESC [; 0x9D is OSC, ESC ].
  constexpr unsigned char to_letter = 0x40;
  return begin(static_cast<unsigned char>(control - to_letter));
}

bool ControlSequence::take(unsigned char byte) {
  if (kind_ == Kind::parameters) return take_parameter(byte);
  return escaped_ ? take_after_escape(byte) : take_text(byte);
}

bool ControlSequence::take_parameter(unsigned char byte) {
  // Parameters and intermediates, as in 1;5. A final byte belongs to the sequence, others are keys.
  if (byte >= ' ' && byte < '@') return true;
  close();
  return byte >= '@' && byte <= '~';
}

/// ESC ends the string; the byte after it may introduce the next sequence.
bool ControlSequence::take_after_escape(unsigned char byte) {
  if (byte == escape_byte) {
    close();
    return false;
  }
  begin(byte);
  return true;
}

bool ControlSequence::take_text(unsigned char byte) {
  if (remaining_ > 0 && is_utf8_continuation(byte)) {
    --remaining_;
    if (lead_ == c1_lead && byte == string_terminator) close();
    return true;
  }
  remaining_ = continuations_after(byte);
  lead_ = byte;
  if (byte == escape_byte) {
    escaped_ = true;
  } else if (byte == bell || byte == cancel || byte == substitute || byte == string_terminator) {
    close();
  } else if (ends_string_as_key(byte)) {
    close();
    return false;
  }
  return true;
}

}  // namespace ffind::os
