// SPDX-License-Identifier: MIT
// Operands: the arguments that are not options. `ffind [TEXT] [PATH...]`; with a pattern option
// (-e, -g, ...) all arguments are PATHs, except for the FIELD "name" or "path" before them. Pure;
// used for requests and for corrected command lines.
#pragma once

#include <string>
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

bool has_pattern_option(const Options& options);

/// Assigns the arguments. Throws UsageError if a PATH precedes TEXT, and for an impossible PATH.
Operands sort_arguments(const Options& options);

/// Turns arguments into equivalent options (TEXT into -F, PATHs into --in), so that others can be
/// appended. A FIELD stays the first argument.
Options with_arguments_as_options(Options options);

}  // namespace ffind::cli
