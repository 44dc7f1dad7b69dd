// SPDX-License-Identifier: MIT
// Usage errors that point at the character. Called by everything that reads a value the user typed.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "ffind/issue.h"

namespace ffind {

/// Where a value came from: names the option and shows how it is used rightly.
struct ValueSource {
  std::string option;   ///< "--size"
  std::string example;  ///< "--size 10M, --size '>1.5Gi' or --size 1k..2M"
};

/// Throws a UsageError of this shape (control bytes in `text` shown escaped):
///
///     --size: '10Q': 'Q' is no unit
///       10Q
///         ^
///       for example: --size 10M, --size '>1.5Gi' or --size 1k..2M
[[noreturn]] void fail_at(const ValueSource& source, std::string_view text, std::size_t position,
                          std::string_view what);

}  // namespace ffind
