// SPDX-License-Identifier: MIT
// Texts laid out from the option table: -h, --help and the completions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ffind::cli {

/// Width if the output is not a terminal.
inline constexpr std::size_t usual_width = 80;

/// Text of -h: examples, and everyday options with a word or two, on one screen of 120 by 40;
/// `bold` sets off headings and names. Lines have at most `width` columns, except for commands,
/// which are not wrapped.
std::string short_help(std::size_t width = usual_width, bool bold = false);
/// Text of --help: all options, in groups.
std::string long_help(std::size_t width = usual_width);
/// Text of --help WORD...: the option, field, kind, conversion or key of that name, subjects such
/// as "times", and recipes. Throws UsageError for a word that none of them has.
std::string help_on(const std::vector<std::string>& words, std::size_t width = usual_width);

/// True if help_on() has something on the word.
bool has_help_on(const std::string& word);

/// In the order of the option's choices.
enum class Shell : unsigned char { bash, zsh, fish };
/// The completions for a shell, which the files in completions/ load.
std::string completions(Shell shell);

/// The text of a file of the source tree that is part of the program, such as "RECIPES.md", without
/// its folder: recipes and functions of the completions. Written by cmake/FfindEmbed.cmake, as a
/// constant in the read-only part of the program, which a search never touches.
std::string_view embedded_file(std::string_view name);

}  // namespace ffind::cli
