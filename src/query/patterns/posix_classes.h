// SPDX-License-Identifier: MIT
// The POSIX classes of globs, [:alpha:] and its kind, as members of an expression's class. Called
// by glob.cpp. Knows no RE2.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ffind::query {

/// Members of the class `name`, without the slash; nullopt if there is none of that name. They are
/// those of glibc's UTF-8 locales, by which find and shells match: [:alpha:] is Unicode's
/// Alphabetic and all digits but those of ASCII, [:digit:] and [:xdigit:] are ASCII, [:punct:] is
/// what else can be seen, marks included. A byte that is no character is in none.
std::optional<std::string> posix_class(std::string_view name);

}  // namespace ffind::query
