// SPDX-License-Identifier: MIT
// Usage errors that point at the character. Called by everything that reads a value the user typed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ffind/issue.h"
#include "text/ascii.h"

namespace ffind::text {

/// Where a value came from: names the option and shows how it is used rightly.
struct ValueSource {
  std::string option;   ///< "--size"
  std::string example;  ///< "--size 10M, --size '>1.5Gi' or --size 1k..2M"
  /// How the operator was typed that the value begins with, if differently: "after" for ">".
  std::string relation{};
};

/// Thrown by fail_at; carries what is needed to report it relative to an enclosing text.
class ValueError : public UsageError {
 public:
  using UsageError::UsageError;

  std::size_t position() const { return parts().place.position; }
  const std::string& what_is_wrong() const { return parts().what; }
};

/// Throws a ValueError of this shape (control bytes in `text` shown escaped, and of a long one no
/// more than what is around the place; without the lines of the caret where `what` quotes all
/// of `text` itself):
///
///     --size: unknown unit 'Q'
///       10Q
///         ^
///       for example: --size 10M, --size '>1.5Gi' or --size 1k..2M
/// `guess`, such as "; did you mean 'size'?", follows `what`.
[[noreturn]] void fail_at(const ValueSource& source, std::string_view text, std::size_t position,
                          std::string_view what, std::string_view guess = {});

/// `text` for a message that quotes it in passing: no more than its beginning where it is long.
std::string beginning_of(std::string_view text);
/// The same as it may be shown (quoting.h), for a message that nobody escapes afterwards.
std::string excerpt(std::string_view text);

/// The character of `text` that begins at `position`; empty where none does (the bytes are not
/// UTF-8) and where it would steer a terminal.
std::string_view plain_character_at(std::string_view text, std::size_t position);

/// A view of `text` and `source`, which must outlive it. Copies read on independently.
class Scanner {
 public:
  Scanner(std::string_view text, const ValueSource& source)
      : text_(text), source_(&source), end_(text.size()) {}

  /// The piece [first, last) of the same value, without the spaces around it.
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
  /// The next byte, NUL at the end.
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
  /// Everything up to the next space: what a message quotes when it makes no sense.
  std::string_view take_word() {
    return take_while([](char c) { return !is_space(c); });
  }
  void skip_spaces() { take_while(is_space); }

  /// A whole number; fails if there is none, or one that does not fit.
  std::uint64_t take_number() {
    const std::size_t first = position_;
    const std::string_view digits = take_digits();
    if (digits.empty()) {
      fail(first, done() ? "a number is missing" : quote(take_word()) + " is not a number");
    }
    std::uint64_t number = 0;
    for (const char digit : digits) {
      const auto value = static_cast<std::uint64_t>(digit - '0');
      constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
      if (number > (most - value) / 10) fail(first, "this number is too large");
      number = number * 10 + value;
    }
    return number;
  }

  /// `text` in quotes, for messages.
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

/// The candidate with the fewest insertions, deletions, replacements and swaps between it and
/// `word`; empty when even that one differs in more than a third of its letters.
std::string nearest(std::string_view word, const std::vector<std::string_view>& candidates);

/// "; did you mean 'size'?" with the nearest of them; empty when none is near.
std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& candidates);

}  // namespace ffind::text
