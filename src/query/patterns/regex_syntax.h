// SPDX-License-Identifier: MIT
// Static analysis and rewriting of regular expressions, on tokens of RE2's syntax: upper case for
// smart case, mere literals, text that every match contains, accents.
//
// tokens_of is the only parser of that syntax apart from RE2 itself. RE2 decides what is valid: for
// expressions that it rejects the results here may be anything. Nothing is claimed of an unknown
// token, since a missing claim costs time but a wrong one loses matches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ffind::query {

/// True if a literal letter is in upper case, for smart case.
bool regex_has_upper_case(std::string_view regex);

/// A literal, anchored at the marked ends.
struct PlainLiteral {
  std::string text;
  bool at_start = false;
  bool at_end = false;
};

/// Returns the literal that `regex` is equivalent to if it consists of letters between anchors or
/// `.*` (the dot matches everything).
std::optional<PlainLiteral> plain_literal(std::string_view regex);

/// Returns the longest text that every match contains, up to case if that is ignored; empty if none
/// is found. `regex` must be UTF-8.
std::string required_literal(std::string_view regex);

/// Replaces letters written by number with themselves, outside of classes. `regex` must be UTF-8.
std::string regex_with_letters_spelt_out(std::string_view regex);

/// Escapes in `text` what an expression would not read as text.
std::string quoted_for_regex(std::string_view text);

/// Rewrites `regex`, which must be UTF-8, to be matched with bytes in Latin-1.
std::string regex_for_bytes(std::string_view regex);

/// Position of a group name that an earlier group has as well; nullopt if all differ.
std::optional<std::size_t> second_group_of_a_name(std::string_view regex);

/// Removes the accents of all letters, and accents that are letters of their own. `regex` must be
/// UTF-8.
std::string regex_without_accents(std::string_view regex);

struct RegexToken {
  enum class Kind : std::uint8_t {
    letter,      ///< a literal in any notation
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
    flags,   ///< (?i), in effect from here on
    quote,   ///< \Q or \E
    unknown,
  };

  Kind kind = Kind::unknown;
  bool in_class = false;
  bool escaped = false;    ///< letter written by its number
  bool quoted = false;     ///< letter between \Q and \E
  bool optional = false;   ///< repeat of possibly zero times
  bool unbounded = false;  ///< repeat without an upper limit
  char32_t letter = 0;
  std::size_t position = 0;    ///< in the expression
  std::string_view written{};  ///< a view of the expression

  /// \xE9: a letter, or a byte in texts that are not UTF-8.
  bool may_be_byte() const { return escaped && letter >= 0x80 && letter <= 0xFF; }
};

/// Cuts all of `regex` into tokens, which are views of it.
std::vector<RegexToken> tokens_of(std::string_view regex);

}  // namespace ffind::query
