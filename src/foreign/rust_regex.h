// SPDX-License-Identifier: MIT
// Regular expressions of Rust, which fd reads. RE2 reads nearly all of them alike; the classes \d
// \s \w are of Unicode in Rust and of ASCII in RE2, and only Rust has classes in classes and
// operators between them. \b knows the letters of ASCII alone.
#pragma once

#include <string>
#include <string_view>

namespace ffind::foreign {

struct RewrittenRegex {
  std::string text{};
  std::string_view only_in_rust{};  ///< not empty: something that RE2 does not have
};

/// The expression in the syntax of RE2. One that is invalid in Rust may be valid.
RewrittenRegex rewritten_for_re2(std::string_view regex);

/// True if it makes fd's smart case sensitive: by an upper-case letter, or a class with some.
bool rust_has_upper_case(std::string_view regex);

/// True for `^\.` and what continues it, which only names of hidden entries match.
bool rust_begins_with_dot(std::string_view regex);

}  // namespace ffind::foreign
