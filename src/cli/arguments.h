// SPDX-License-Identifier: MIT
// Reads argv before CLI11 does, for what CLI11 cannot know: where `--` stands, options whose value
// is optional, arguments in brackets (which it would split), and which option a misspelt one was
// meant to be. Called by parser.cpp.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/option_table.h"

namespace ffind {

struct PreparedArguments {
  std::vector<const OptionRow*> rows;   ///< of the options there are, each once
  std::vector<std::string> options;     ///< for CLI11, with their values; optional ones spelt out
  std::vector<std::string> arguments;   ///< the rest, in its order
  bool arguments_after_dashes = false;  ///< `--` stood before the first of them
};

/// Throws the UsageError for the option `name` of that row without its value.
[[noreturn]] void fail_missing_value(std::string_view name, const OptionRow& row);

/// Throws UsageError for an option that does not exist, with the nearest that does.
PreparedArguments prepare(const std::vector<std::string>& arguments);

}  // namespace ffind
