// SPDX-License-Identifier: MIT
// A value as the user typed it, and where it is: alone in an option, one of several between
// commas, bare or quoted in an expression. Made by cli and by the parser, read by the fields, so
// that each reports an error alike and the caret is below what was typed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/ascii.h"
#include "text/problem.h"

namespace ffind::query {

/// The value of an option, or a whole expression.
struct Typed {
  std::string text;
  text::ValueSource source;
};

enum class Quote : std::uint8_t {
  none,
  raw,      ///< '...': ends at the next one
  escaped,  ///< "...": with backslashes
};

struct Value {
  std::string text;              ///< without quotes and escapes
  const Typed* typed = nullptr;  ///< outlives it
  std::size_t at = 0;            ///< of its first byte in `typed`, or of its quote
  Quote quote = Quote::none;
  bool dropped = false;  ///< see drop_backslashes

  /// `word`, which is in lower case, in any case.
  bool is_bare(std::string_view word) const {
    return quote == Quote::none && text::fold_ascii(text) == word;
  }
  /// Of a bare value in an expression: a backslash that keeps a mark in it is no part of it. Not
  /// where the value is a pattern, which reads its backslashes itself.
  void drop_backslashes();
  /// The place of `position` in what was typed.
  std::size_t place_of(std::size_t position) const;
  [[noreturn]] void fail(std::size_t position, std::string_view what) const;
};

/// The values between the commas of a bare one, and the spaces behind those; each is `what`: "a
/// kind". Throws UsageError where one is missing. With `escapes`, one behind a backslash is text.
std::vector<Value> split_at_commas(const Value& list, std::string_view what, bool escapes = false);

/// The first comma of a bare value from `from` on that no backslash precedes; npos where
/// there is none.
std::size_t find_bare_comma(std::string_view text, std::size_t from);

/// Reads the character or escape that begins at `at` of a text in double quotes, and moves
/// past it: \" \\ \n \t \xNN; any other backslash is literal, so that "\.c$" is what it
/// looks like.
std::string take_escaped(std::string_view text, std::size_t& at);

}  // namespace ffind::query
