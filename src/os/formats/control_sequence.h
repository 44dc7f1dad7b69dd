// SPDX-License-Identifier: MIT
// Control sequences and control strings that a terminal sends (ECMA-48), of which nothing is kept.
// Terminals answer questions of other programs, late, into the input of this one: colours as OSC 10
// and 11, the clipboard as OSC 52, settings as DCS, pictures as APC. Used by the screen, byte by
// byte as they are read, so that none of it is typed into the prompt.
//
//     ESC [, ESC O                            parameters, then one byte from @ to ~
//     ESC P, ESC X, ESC ], ESC ^, ESC _       any text, then BEL or ESC backslash
//
// A C1 control, as one byte or as UTF-8 has it, stands for ESC and a letter: U+009D for ESC ].
#pragma once

#include <cstdint>

namespace ffind::os {

/// How far one sequence has been read. A value of a few bytes, however long the sequence is.
class ControlSequence {
 public:
  /// Begins the sequence that ESC and `byte` introduce. False if they introduce none.
  bool begin(unsigned char byte);
  /// The same for a C1 control, U+0080 to U+009F.
  bool begin_c1(unsigned char control);
  bool is_open() const { return kind_ != Kind::none; }
  /// Whether it is a string, which may be long.
  bool is_string() const { return kind_ == Kind::string; }
  /// Ends it as it is: the rest did not come.
  void close() { *this = {}; }
  /// Takes the next byte of an open one. False if the byte is no part of it: the sequence is cut
  /// short, and the byte is a key.
  bool take(unsigned char byte);

 private:
  enum class Kind : std::uint8_t { none, parameters, string };

  bool take_parameter(unsigned char byte);
  bool take_text(unsigned char byte);
  bool take_after_escape(unsigned char byte);

  Kind kind_ = Kind::none;
  bool escaped_ = false;        ///< the last byte of the string was ESC
  unsigned char lead_ = 0;      ///< of the UTF-8 character in the string
  std::uint8_t remaining_ = 0;  ///< bytes of that character that are still to come
};

}  // namespace ffind::os
