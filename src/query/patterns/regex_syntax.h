// SPDX-License-Identifier: MIT
// What can be read off a regular expression without running it: whether it has upper case, whether
// it is a mere literal, what every match must contain. Of an expression that RE2 refuses, anything
// is allowed here. Called by pattern.cpp and regex.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ffind::query {

/// For smart case: whether a literal letter is in upper case.
bool regex_has_upper_case(std::string_view regex);

struct PlainLiteral {
  std::string text;
  bool at_start = false;
  bool at_end = false;
};

/// The literal that `regex` comes down to, if it is no more than one between anchors or `.*` (the
/// dot matching everything).
std::optional<PlainLiteral> plain_literal(std::string_view regex);

/// The longest text that every match contains, up to folding where case is ignored; empty when
/// none is plain to see. `regex` must be UTF-8.
std::string required_literal(std::string_view regex);

/// `regex`, which must be UTF-8, with letters that are written by their numbers as themselves where
/// they compose with their neighbours: e\x{301}. Not in classes, where none has any.
std::string regex_with_letters_spelt_out(std::string_view regex);

/// Where a group has the name of an earlier group; nothing if none has.
std::optional<std::size_t> second_group_of_a_name(std::string_view regex);

/// `regex`, which must be UTF-8, with each letter as it is without its accents. A letter that is
/// nothing but an accent is left out; so are those that belong to the letter before.
std::string regex_without_accents(std::string_view regex);

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
