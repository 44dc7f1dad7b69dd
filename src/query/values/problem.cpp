// SPDX-License-Identifier: MIT
// Builds the text of a usage error: the value as it was typed, a caret under the place, an example.
// Called by everything that reads a value. Must not know who prints it, nor how wide a screen is.
#include "query/values/problem.h"

#include <fmt/format.h>

#include "query/unicode/fold.h"

namespace ffind {
namespace {

/// The character at `position`: a shortest prefix that is UTF-8 is one code point. Empty when there
/// is none.
std::string_view character_at(std::string_view text, std::size_t position) {
  for (std::size_t length = 1; length <= 4; ++length) {
    const std::string_view character = text.substr(position, length);
    if (is_utf8(character)) return character;
  }
  return {};
}

/// What would move the cursor, change colours or turn the direction of writing round. An error
/// message may show text that a script has from anywhere.
bool steers_terminal(char32_t code_point) {
  return code_point < 0x20 || (code_point >= 0x7F && code_point < 0xA0) || code_point == 0x061C ||
         code_point == 0x200E || code_point == 0x200F ||
         (code_point >= 0x2028 && code_point <= 0x202E) ||
         (code_point >= 0x2066 && code_point <= 0x2069);
}

struct Shown {
  std::string text;
  std::size_t column = 0;  ///< where the byte at the position asked for is seen
};

Shown show(std::string_view text, std::size_t position) {
  Shown shown;
  std::size_t columns = 0;
  for (std::size_t at = 0; at < text.size();) {
    if (at <= position) shown.column = columns;
    const std::string_view character = plain_character_at(text, at);
    if (!character.empty()) {
      shown.text += character;
      columns += 1;
      at += character.size();
    } else {
      // Byte by byte, so that a position inside a broken character has a column of its own.
      const char byte = text[at];
      const std::string escaped = byte == '\n'   ? "\\n"
                                  : byte == '\t' ? "\\t"
                                                 : fmt::format("\\x{:02x}", byte & 0xFF);
      shown.text += escaped;
      columns += escaped.size();
      at += 1;
    }
  }
  if (position >= text.size()) shown.column = columns;
  return shown;
}

}  // namespace

std::string_view plain_character_at(std::string_view text, std::size_t position) {
  const std::string_view character = character_at(text, position);
  std::size_t ignored = 0;
  const bool plain = !character.empty() && !steers_terminal(next_code_point(character, ignored));
  return plain ? character : std::string_view();
}

void fail_at(const ValueSource& source, std::string_view text, std::size_t position,
             std::string_view what) {
  const Shown shown = show(text, position);
  std::string message;
  if (!source.option.empty()) message += source.option + ": ";
  // `what` may quote a piece of the value, so it is shown with the same care.
  message += fmt::format("'{}': {}\n  {}\n  {}^", shown.text, show(what, 0).text, shown.text,
                         std::string(shown.column, ' '));
  if (!source.example.empty()) message += "\n  for example: " + source.example;
  throw ValueError(message, position, std::string(what));
}

}  // namespace ffind
