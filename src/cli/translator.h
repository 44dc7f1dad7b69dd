// SPDX-License-Identifier: MIT
// A command line of find, fd, rg, grep, locate, ls or mdfind as one of ours that finds the same:
// what run.cpp adds to an error, ready to paste. Pure: words in, words out; whether a word names a
// directory is handed in.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ffind::cli {

using Words = std::vector<std::string>;
using IsDirectory = std::function<bool(const std::string&)>;

/// Our words, without the program's name; nothing where there is nothing to correct, or no way to
/// say it here.
std::optional<Words> translate(const Words& words, const IsDirectory& is_directory);

/// The same for what has predicates of find in it (find_line.cpp).
std::optional<Words> translate_find(const Words& words, const IsDirectory& is_directory);

/// Whether `word` is a predicate of find, as `-name`; a dash too many is forgiven.
bool is_find_predicate(std::string_view word);

/// `ffind` and the words, for a shell to read back.
std::string line_to_paste(const Words& words);

}  // namespace ffind::cli
