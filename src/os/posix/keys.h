// SPDX-License-Identifier: MIT
// Decoder of a terminal's bytes: keys, pastes and the mouse. Used by screen.cpp.
//
//     descriptor ──▶ next_code ─┬─▶ key_of_code   the sequence of a key, in sequences_
//                               ├─▶ key_of_byte   a letter, a control, part of UTF-8
//                               └─▶ skip_sequence a reply of the terminal
//
// A key's sequence is known by a table of what terminals send regardless of TERM. Pastes and the
// reports of the mouse begin with a sequence of the table, and the rest is read byte by byte. All
// other sequences are skipped: late replies to other programs, such as colours as OSC 10 and 11,
// the clipboard as OSC 52, settings as DCS.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "os/terminal.h"

namespace ffind::os {

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
  /// Next byte, or the code of a sequence; -1 if none comes within `milliseconds`.
  int next_code(int milliseconds);
  void put_back(int byte);
  bool skip_sequence(int introducer);
  KeyPress key_of_code(int code);
  KeyPress key_of_byte(int byte);
  KeyPress after_escape();
  KeyPress read_paste();
  KeyPress read_mouse();

  const int fd_;
  const int patience_;  ///< milliseconds for the rest of a key's sequence
  const std::vector<KeySequence> sequences_;
  std::string bytes_;           ///< read and not decoded yet
  int code_after_escape_ = -1;  ///< of a key that was read after it; -1: none
  bool second_escape_ = false;  ///< another escape was read after the first
  /// Time and place of the last click, for recognising a double one.
  Nanoseconds clicked_at_ = 0;
  ScreenPlace clicked_;
};

}  // namespace ffind::os
