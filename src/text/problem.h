// SPDX-License-Identifier: MIT
// Usage errors that point at the character. Called by everything that reads a value the user typed.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "ffind/issue.h"

namespace ffind::text {

/// Where a value came from: names the option and shows how it is used rightly.
struct ValueSource {
  std::string option;   ///< "--size"
  std::string example;  ///< "--size 10M, --size '>1.5Gi' or --size 1k..2M"
};

/// What fail_at throws, and all that it takes to say the same of a longer text in which the value
/// stands.
class ValueError : public UsageError {
 public:
  ValueError(const std::string& message, std::size_t position, std::string what_is_wrong)
      : UsageError(message), position_(position), what_is_wrong_(std::move(what_is_wrong)) {}

  std::size_t position() const { return position_; }
  const std::string& what_is_wrong() const { return what_is_wrong_; }

 private:
  std::size_t position_;
  std::string what_is_wrong_;
};

/// Throws a ValueError of this shape (control bytes in `text` shown escaped, and of a long one no
/// more than what is around the place; without the lines of the caret where `what` quotes all
/// of `text` itself):
///
///     --size: unknown unit 'Q'
///       10Q
///         ^
///       for example: --size 10M, --size '>1.5Gi' or --size 1k..2M
[[noreturn]] void fail_at(const ValueSource& source, std::string_view text, std::size_t position,
                          std::string_view what);

/// `text` for a message that quotes it in passing: no more than its beginning where it is long.
std::string beginning_of(std::string_view text);
/// The same as it may be shown (escape.h), for a message that nobody escapes afterwards.
std::string excerpt(std::string_view text);

/// The character of `text` that begins at `position`; empty where none does (the bytes are not
/// UTF-8) and where it would steer a terminal.
std::string_view plain_character_at(std::string_view text, std::size_t position);

}  // namespace ffind::text
