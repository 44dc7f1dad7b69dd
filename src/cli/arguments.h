// SPDX-License-Identifier: MIT
// Reads argv before CLI11 does, for what CLI11 cannot know: where `--` is, options whose value
// is optional, arguments in brackets (which it would split), and which option a misspelt one was
// meant to be. Called by parser.cpp.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/option_table.h"

namespace ffind::cli {

struct PreparedArguments {
  /// The options typed, each once, in the order of their last occurrence.
  std::vector<const OptionRow*> rows;
  /// Given as --no-NAME, and not again behind that.
  std::vector<const OptionRow*> undone;
  std::vector<std::string> options;    ///< for CLI11, with their values; optional ones spelt out
  std::vector<std::string> arguments;  ///< the rest, in its order
  /// Words of -x and its like, which CLI11 never sees.
  std::vector<std::pair<const OptionRow*, std::vector<std::string>>> commands;
  bool command_is_open = false;              ///< the last of them went up to the end, not to a `;`
  bool arguments_after_dashes = false;       ///< `--` stood before the first of them
  std::vector<std::size_t> argument_places;  ///< of each argument
  /// Where an option with its value, a command with its words or one of the rest begins.
  std::vector<std::size_t> begins;
};

/// Throws the UsageError for the option `name` of that row without its value.
[[noreturn]] void fail_missing_value(std::string_view name, const OptionRow& row);

/// Throws UsageError for an option that does not exist, with the nearest that does.
PreparedArguments prepare(const std::vector<std::string>& arguments);

/// --dry-run and --confirm, which are meant for us if a command ends with them.
bool is_meant_for_us(std::string_view word_of_command);

/// Whether that option is among them, with its value or without.
bool has_option(const PreparedArguments& prepared, const OptionRow& row);

}  // namespace ffind::cli
