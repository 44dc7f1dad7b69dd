// SPDX-License-Identifier: MIT
// Reads one typed value from left to right and knows where it is, so that an error can point there.
// Used by range.cpp, size.cpp, time_range.cpp and permissions.cpp. Must not know what the pieces
// mean.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "text/ascii.h"
#include "text/problem.h"

namespace ffind::text {

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
  [[noreturn]] void fail(std::size_t position, std::string_view what) const {
    fail_at(*source_, text_, position, what);
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

}  // namespace ffind::text
