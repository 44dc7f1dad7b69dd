// SPDX-License-Identifier: MIT
// Patterns as find(1) matches them: by the C library, in the locale of this process. Part of the
// seam to the operating system.
//
// A name is a text of bytes. The locale decides which of them are characters, and which characters
// are letters, lie in a range or differ in case only.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace ffind::os {

/// Sets the locale of the process from the environment for characters and their order, as find
/// does. Numbers, times and messages stay those of "C". Call before a pattern is compiled, while
/// there is one thread.
void adopt_locale();

/// Matches a whole text. Thread-safe.
using NamePredicate = std::function<bool(std::string_view text)>;

/// fnmatch(3) without flags: wildcards match slashes and leading dots, too. A glob that the library
/// cannot read matches nothing.
NamePredicate glob_predicate(std::string glob, bool ignore_case);

/// A compiled regular expression, or else the reason why there is none.
struct RegexPredicate {
  NamePredicate matches{};
  std::string error{};  ///< the library's; empty if it does not know the syntax
};

/// `syntax` is a value of GNU find's -regextype. glibc has all of them; other libraries have basic
/// and extended ones, and emacs's, which are written as extended ones.
RegexPredicate regex_predicate(const std::string& regex, std::string_view syntax, bool ignore_case);

}  // namespace ffind::os
