// SPDX-License-Identifier: MIT
// Regular expressions and globs of Rust, which fd reads, in the syntax of RE2.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "query/patterns/pattern.h"

namespace ffind::foreign {

struct RustToken;

/// A parsed expression of Rust's crate `regex`, with the options that fd gives it: of bytes, with
/// Unicode, and a dot that matches line ends.
class RustRegex {
 public:
  /// `folds`: letters match both cases, unless a flag of the expression says otherwise.
  RustRegex(std::string_view regex, bool folds);
  ~RustRegex();
  RustRegex(RustRegex&&) noexcept;

  /// The error of an expression that Rust refuses, in its words; empty if it is valid.
  const std::string& error() const { return error_; }
  /// True if it makes fd's smart case sensitive: by an upper-case letter, or a class that has one
  /// at an end of its ranges.
  bool has_upper_case() const;
  /// True for `^\.` and what continues it, which only names of hidden entries match.
  bool begins_with_dot() const;
  /// The pattern to search for. Throws UsageError if RE2 cannot match it exactly.
  query::PatternSpec pattern() const;

 private:
  std::string regex_;
  std::string error_;
  bool folds_;
  std::vector<RustToken> tokens_;
};

/// A glob of Rust's crate `globset` as an expression, with `*` and `?` that match no slash. Throws
/// UsageError for an invalid one. `glob` must be UTF-8.
std::string rust_regex_of_glob(std::string_view glob);

/// Characters with a meaning are escaped.
std::string escaped_for_rust(std::string_view text);

}  // namespace ffind::foreign
