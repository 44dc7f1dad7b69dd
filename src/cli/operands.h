// SPDX-License-Identifier: MIT
// Operands: the arguments that are not options. `ffind [TEXT] [PATH...]`; with a pattern option
// (-e, -g, ...) all arguments are PATHs, except for the FIELD "name" or "path" before them. Pure;
// used for requests and for corrected command lines.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "cli/option_table.h"
#include "cli/options.h"

namespace ffind::cli {

/// The arguments by their meaning.
struct Operands {
  std::string field;  ///< "name", "path", "absolute_path" or empty
  bool has_text = false;
  std::string text;
  std::vector<std::string> paths;  ///< with those of --in; empty: the current directory
};

/// True for `/x`, `./x`, `../x`, `.` and `..`.
bool looks_like_path(std::string_view argument);

/// Options with patterns for names or paths: with one of them, every argument is a PATH.
inline constexpr std::array<ValueTarget, 7> pattern_targets = {
    &Options::texts,  &Options::regexes, &Options::globs,  &Options::exacts,
    &Options::starts, &Options::ends,    &Options::queries};
bool is_pattern_option(const OptionRow& row);
bool has_pattern_option(const Options& options);

/// Assigns the arguments. Throws UsageError if a PATH precedes TEXT, and for an impossible PATH.
Operands sort_arguments(const Options& options);

/// Turns arguments into equivalent options (TEXT into -F, PATHs into --in), so that others can be
/// appended. A FIELD stays the first argument.
Options with_arguments_as_options(Options options);

}  // namespace ffind::cli
