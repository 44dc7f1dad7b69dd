// SPDX-License-Identifier: MIT
// argv → Options, in three steps. Our own scan over the option table (prepare) finds the words:
// options, values, commands up to their `;`, arguments, `--`, and the nearest option to one that is
// misspelt. CLI11 gets only the rows that were typed and converts their values into Options
// (parse): registering all 120 rows takes 0.65 ms in one app, and 0.25 in twelve groups, which lose
// the order that "the last one counts" needs, and CLI11 cannot know where a command ends. Last, the
// relations in the table are checked and applied: conflicts, opposites, and precedence of typed
// options over those of a file.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/option_table.h"
#include "cli/options.h"
#include "ffind/issue.h"

namespace ffind::cli {

/// Position of an option among the words. Errors are traced to a word, or to a line of a file, by
/// it.
struct Occurrence {
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  const OptionRow* row;
  std::size_t word;
  std::size_t value_word = none;  ///< the word with its value: the same, or the next one
  std::size_t value_at = 0;       ///< where the value begins in that word
};

struct PreparedArguments {
  /// The options typed, each once, in the order of their last occurrence.
  std::vector<const OptionRow*> rows;
  /// Switches turned off by --no-NAME, and not on again afterwards.
  std::vector<const OptionRow*> undone;
  std::vector<std::string> options;     ///< for CLI11, with their values; optional ones spelt out
  std::vector<std::string> arguments;   ///< the rest, in its order
  std::vector<std::string> help_words;  ///< all words after --help
  /// Words of -x and its like, which CLI11 never sees.
  std::vector<std::pair<const OptionRow*, std::vector<std::string>>> commands;
  bool command_is_open = false;         ///< the last command extends to the end instead of to a `;`
  bool arguments_after_dashes = false;  ///< `--` precedes the first argument
  std::vector<std::size_t> argument_places;  ///< index of each argument among all words
  /// First word of each option with its value, command with its words, or argument.
  std::vector<std::size_t> begins;
  std::vector<Occurrence> occurrences;  ///< of all options, commands included
};

/// Throws the UsageError for the option `name` without its value.
[[noreturn]] void fail_missing_value(std::string_view name, const OptionRow& row);

/// Scans the words without reading any value. Throws UsageError for an unknown option, with the
/// nearest one, and for an option in place of a value or a command.
PreparedArguments prepare(const std::vector<std::string>& arguments);

/// The index of the word that `place` is about, among the `arguments` that it comes from;
/// UsagePlace::unknown if it does not tell.
std::size_t word_of(const UsagePlace& place, const std::vector<std::string>& arguments);

/// Returns true if the option was typed, with its value or without.
bool has_option(const PreparedArguments& prepared, const OptionRow& row);

/// Parses the arguments after the program's name. Throws UsageError. Opposites are resolved here
/// (the last one counts); contradictions are left to refuse_contradictions, since a file may be
/// involved.
Options parse(const std::vector<std::string>& arguments);

/// Removes what a later option undoes. `rows` are in the order of their last occurrence.
void keep_last_of_opposites(Options& options, const std::vector<const OptionRow*>& rows);

/// Throws UsageError for two options that exclude each other.
void refuse_contradictions(const Options& options);

/// Throws UsageError for what --list-volumes, --saved and the like would ignore. Run on the typed
/// options alone: no file is read for them.
void refuse_beside_modes(const Options& options);

/// Throws UsageError for an option without any of those that it modifies.
void refuse_alone(const Options& options);

/// Appends `second` to `first` as if both were one command line. `first` loses its opposites, and
/// the format, order, case and limit that `second` replaces.
Options followed_by(Options first, const Options& second);

/// Likewise, but any typed option replaces the same one of the configuration; only exclusions and
/// expressions add up.
Options over_configuration(Options configuration, const Options& typed);

}  // namespace ffind::cli
