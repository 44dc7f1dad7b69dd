// SPDX-License-Identifier: MIT
// Decoder of a terminal's bytes: keys, pastes and the mouse. Used by screen.cpp.
//
//     descriptor ──▶ next_code ─┬─▶ key_of_code   the sequence of a key, in sequences_
//                               ├─▶ key_of_byte   a letter, a control, part of UTF-8
//                               └─▶ sequence_     a reply of the terminal: skipped
//
// A key's sequence is known by a table of what terminals send regardless of TERM. Pastes and the
// reports of the mouse begin with a sequence of the table, and the rest is read byte by byte. All
// other sequences are recognised by ControlSequence and skipped.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "os/terminal.h"

namespace ffind::os {

/// Recogniser of control sequences and control strings (ECMA-48), which are skipped: late replies
/// to other programs, such as colours as OSC 10 and 11, the clipboard as OSC 52, settings as DCS.
///
///     ESC [, ESC O                            parameters, then one byte from @ to ~
///     ESC P, ESC X, ESC ], ESC ^, ESC _       any text, then BEL or ESC backslash
///
/// A C1 control, as one byte or in UTF-8, is ESC and a letter: U+009D is ESC ]. A few bytes,
/// however long the sequence is.
class ControlSequence {
 public:
  /// Begins the sequence that ESC and `byte` introduce. False if they introduce none.
  bool begin(unsigned char byte);
  /// The same for a C1 control, U+0080 to U+009F.
  bool begin_c1(unsigned char control);
  bool is_open() const { return kind_ != Kind::none; }
  /// True for a string, which may be long.
  bool is_string() const { return kind_ == Kind::string; }
  /// Ends an incomplete sequence.
  void close() { *this = {}; }
  /// Takes the next byte of an open sequence. False if the byte does not belong to it: then the
  /// sequence was cut short, and the byte is a key.
  bool take(unsigned char byte);

 private:
  enum class Kind : std::uint8_t { none, parameters, string };

  bool take_parameter(unsigned char byte);
  bool take_text(unsigned char byte);
  bool take_after_escape(unsigned char byte);

  Kind kind_ = Kind::none;
  bool escaped_ = false;        ///< the last byte of the string was ESC
  unsigned char lead_ = 0;      ///< first byte of the current UTF-8 character
  std::uint8_t remaining_ = 0;  ///< bytes of that character still to come
};

/// Byte sequence of a key, or the first bytes of something longer.
struct KeySequence {
  enum class Kind : std::uint8_t { key, paste, mouse, old_mouse };

  std::string bytes;
  KeyPress press{};
  Kind kind = Kind::key;
};

class KeyDecoder {
 public:
  explicit KeyDecoder(int fd);

  /// Decodes the input that is there, up to the first key; `none` if it has no key. Waits for the
  /// rest of a key alone. A place is that of the whole terminal.
  KeyPress read_key();
  /// Waits for the reply to a request for the cursor's place, and keeps all other bytes. nullopt if
  /// there is none in time. Counted from 0.
  std::optional<ScreenPlace> cursor_reply(int milliseconds);

 private:
  bool fill(int milliseconds);
  int take(std::size_t count, int code);
  /// Next byte, or the code of a sequence; -1 if none comes within `milliseconds`.
  int next_code(int milliseconds);
  KeyPress key_of_input(int code);
  bool belongs_to_sequence(int code);
  bool begin_c1_sequence(int control);
  void keep_sequence_open();
  KeyPress key_of_code(int code);
  KeyPress key_of_byte(int byte);
  KeyPress after_escape();
  KeyPress read_paste();
  KeyPress read_mouse();

  const int fd_;
  const int patience_;  ///< milliseconds for the rest of a key's sequence
  const std::vector<KeySequence> sequences_;
  std::string bytes_;               ///< read and not decoded yet
  int code_after_escape_ = -1;      ///< of a key that was read after it; -1: none
  bool second_escape_ = false;      ///< another escape was read after the first
  ControlSequence sequence_;        ///< sequence being read
  Nanoseconds sequence_until_ = 0;  ///< end of the wait for its next byte
  /// Time and place of the last click, for recognising a double one.
  Nanoseconds clicked_at_ = 0;
  ScreenPlace clicked_;
};

}  // namespace ffind::os
