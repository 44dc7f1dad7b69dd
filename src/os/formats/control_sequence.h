// SPDX-License-Identifier: MIT
// Recogniser of control sequences and control strings in a terminal's input (ECMA-48), which are
// skipped. Terminals send late replies to other programs into the input of this one: colours as OSC
// 10 and 11, the clipboard as OSC 52, settings as DCS, pictures as APC. The screen passes bytes as
// it reads them, so that no reply is typed into the prompt.
//
//     ESC [, ESC O                            parameters, then one byte from @ to ~
//     ESC P, ESC X, ESC ], ESC ^, ESC _       any text, then BEL or ESC backslash
//
// A C1 control, as one byte or in UTF-8, is ESC and a letter: U+009D is ESC ].
#pragma once

#include <cstdint>

namespace ffind::os {

/// State of one sequence, a few bytes, however long the sequence is.
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

}  // namespace ffind::os
