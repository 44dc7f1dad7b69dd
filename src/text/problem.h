// SPDX-License-Identifier: MIT
// Usage errors that point at a character of a value, for every parser of what the user typed: a
// Scanner reads the value and fails at its position, fail_at() builds the message and throws, and
// nearest() finds the word that was probably meant.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ffind/issue.h"
#include "text/ascii.h"

namespace ffind::text {

/// Option of a value, and an example of its use.
struct ValueSource {
  std::string option;   ///< "--size"
  std::string example;  ///< "--size 10M, --size '>1.5Gi' or --size 1k..2M"
  /// The operator before the value, if that is not a part of it: "after".
  std::string relation{};
};

/// Thrown by fail_at; carries what is needed to report it relative to an enclosing text.
class ValueError : public UsageError {
 public:
  using UsageError::UsageError;

  std::size_t position() const { return parts().place.position; }
  const std::string& what_is_wrong() const { return parts().what; }
};

/// Throws a ValueError like the one below. Control bytes in `text` are escaped, and a long text is
/// cut around the position; if `what` quotes all of `text`, the two lines with the caret are left
/// out.
///
///     --size: unknown unit 'Q'
///       10Q
///         ^
///       for example: --size 10M, --size '>1.5Gi' or --size 1k..2M
/// `guess`, such as "; did you mean 'size'?", follows `what`.
[[noreturn]] void fail_at(const ValueSource& source, std::string_view text, std::size_t position,
                          std::string_view what, std::string_view guess = {});

/// Returns `text` to be quoted in a message: only its beginning if it is long.
std::string beginning_of(std::string_view text);
/// The same escaped (quoting.h), for a message that is printed as it is.
std::string excerpt(std::string_view text);

/// Returns the character at `position`; empty if the bytes there are not UTF-8, or it would control
/// a terminal.
std::string_view plain_character_at(std::string_view text, std::size_t position);

/// Cursor over a value. A view of `text` and `source`, which must outlive it; copies are
/// independent.
class Scanner {
 public:
  Scanner(std::string_view text, const ValueSource& source)
      : text_(text), source_(&source), end_(text.size()) {}

  /// Returns a scanner of the part [first, last) of the value, without the spaces around it.
  Scanner part(std::size_t first, std::size_t last) const {
    Scanner piece = *this;
    piece.position_ = first;
    piece.end_ = last;
    piece.skip_spaces();
    while (piece.end_ > piece.position_ && is_space(text_[piece.end_ - 1])) piece.end_ -= 1;
    return piece;
  }

  bool done() const { return position_ >= end_; }
  std::size_t position() const { return position_; }
  std::size_t end() const { return end_; }
  std::string_view rest() const { return text_.substr(position_, end_ - position_); }
  /// Next byte, NUL at the end.
  char peek() const { return done() ? '\0' : text_[position_]; }
  bool at_digit() const { return is_digit(peek()); }
  bool at_letter() const { return is_letter(peek()); }

  bool take(char wanted) {
    if (done() || peek() != wanted) return false;
    position_ += 1;
    return true;
  }
  std::string_view take_digits() { return take_while(is_digit); }
  std::string_view take_letters() { return take_while(is_letter); }
  /// Takes everything up to the next space, for messages to quote.
  std::string_view take_word() {
    return take_while([](char c) { return !is_space(c); });
  }
  void skip_spaces() { take_while(is_space); }

  /// Takes a whole number; fails if there is none, or it does not fit.
  std::uint64_t take_number();

  /// Returns `text` in quotes, for messages.
  static std::string quote(std::string_view text) { return "'" + std::string(text) + "'"; }

  [[noreturn]] void fail(std::string_view what) const { fail(position_, what); }
  [[noreturn]] void fail(std::size_t position, std::string_view what,
                         std::string_view guess = {}) const {
    fail_at(*source_, text_, position, what, guess);
  }

  static bool is_space(char c) { return c == ' ' || c == '\t'; }

 private:
  template <typename Predicate>
  std::string_view take_while(Predicate wanted) {
    const std::size_t first = position_;
    while (!done() && wanted(text_[position_])) position_ += 1;
    return text_.substr(first, position_ - first);
  }

  std::string_view text_;
  const ValueSource* source_;
  std::size_t position_ = 0;
  std::size_t end_;
};

/// Returns the candidate with the fewest insertions, deletions, replacements and swaps between it
/// and `word`; empty if it differs in more than one letter in four.
std::string nearest(std::string_view word, const std::vector<std::string_view>& candidates);

/// Returns "; did you mean 'size'?" with the nearest candidate; empty if none is near.
std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& candidates);

}  // namespace ffind::text
