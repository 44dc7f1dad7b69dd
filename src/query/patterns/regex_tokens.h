// SPDX-License-Identifier: MIT
// Regular expressions as tokens: the one reader of RE2's syntax beside RE2 itself, for everything
// that rewrites an expression, reads something off it or finds a place in it. RE2 remains the judge
// of what is valid; of an expression that it refuses, the tokens may be any.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace ffind::query {

struct RegexToken {
  enum class Kind : std::uint8_t {
    letter,      ///< a literal, however it is written
    dot,         ///< `.`
    set,         ///< one of several: \d, \pL, \C, [:alpha:]
    class_open,  ///< [ or [^; then letters and sets
    class_close,
    text_begin,  ///< ^ or \A
    text_end,    ///< $ or \z
    boundary,    ///< \b or \B
    group_open,  ///< with its name or flags
    group_close,
    alternation,
    repeat,  ///< * + ? {2,3}, with the ? for "as few as possible"
    flags,   ///< (?i), which holds from here on
    quote,   ///< \Q or \E: matches nothing itself
    unknown,
  };

  Kind kind = Kind::unknown;
  bool in_class = false;
  bool escaped = false;    ///< letter written by its number
  bool quoted = false;     ///< letter between \Q and \E
  bool optional = false;   ///< repeat that may be none
  bool unbounded = false;  ///< repeat without an upper limit
  char32_t letter = 0;
  std::size_t position = 0;    ///< in the expression
  std::string_view written{};  ///< a view of the expression

  /// \xE9: a letter, or in a text that is not UTF-8 a byte.
  bool may_be_byte() const { return escaped && letter >= 0x80 && letter <= 0xFF; }
};

/// `regex` cut into tokens, which together are all of it. They are views of `regex`.
std::vector<RegexToken> tokens_of(std::string_view regex);

}  // namespace ffind::query
