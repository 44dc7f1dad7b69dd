// SPDX-License-Identifier: MIT
// The arguments that are no options: FIELD, TEXT and PATHs. Called by request.cpp and by what
// corrects a command line; touches no disk.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "cli/option_table.h"
#include "cli/options.h"

namespace ffind::cli {

/// What the arguments turned out to be.
struct Operands {
  std::string field;  ///< "name", "path", "absolute_path" or empty
  bool has_text = false;
  std::string text;
  std::vector<std::string> paths;  ///< --in included; empty: the current directory
};

/// `/x`, `./x`, `../x`, `.` and `..`.
bool looks_like_path(std::string_view argument);

/// Options that say what to match names or paths against: with one, every argument is a PATH.
inline constexpr std::array<ValueTarget, 7> pattern_targets = {
    &Options::texts,  &Options::regexes, &Options::globs,  &Options::exacts,
    &Options::starts, &Options::ends,    &Options::queries};
bool is_pattern_option(const OptionRow& row);
bool has_pattern_option(const Options& options);

/// Throws UsageError where PATHs come before TEXT, and for what cannot be a PATH.
Operands sort_arguments(const Options& options);

/// `options` with its arguments as options that mean the same (TEXT as -F, PATHs as --in), so that
/// others can be put behind them. A FIELD stays the first argument.
Options with_arguments_as_options(Options options);

}  // namespace ffind::cli
