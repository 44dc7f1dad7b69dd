// SPDX-License-Identifier: MIT
// A line of words as a POSIX shell takes it apart, quotes and backslashes included; nothing is
// expanded. The opposite of shell_quote.h. Used for options in the environment.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ffind::text {

/// Nothing where a quotation mark is not closed, or a backslash is the last character.
std::optional<std::vector<std::string>> shell_words(std::string_view line);

}  // namespace ffind::text
