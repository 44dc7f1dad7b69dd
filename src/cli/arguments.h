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

/// Where an option stands among the words.
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
  std::vector<Occurrence> occurrences;  ///< of all options, commands included
};

/// Throws the UsageError for the option `name` of that row without its value.
[[noreturn]] void fail_missing_value(std::string_view name, const OptionRow& row);

/// Throws UsageError for an option that does not exist, with the nearest that does.
PreparedArguments prepare(const std::vector<std::string>& arguments);

/// The index of the word that `place` is about, among the `arguments` that it comes from;
/// UsagePlace::unknown if it does not tell.
std::size_t word_of(const UsagePlace& place, const std::vector<std::string>& arguments);

/// --dry-run and --confirm, which are meant for us if a command ends with them.
bool is_own_option(std::string_view word_of_command);

/// Whether that option is among them, with its value or without.
bool has_option(const PreparedArguments& prepared, const OptionRow& row);

/// `arguments` without the program's name. Throws UsageError.
Options parse(const std::vector<std::string>& arguments);

/// `rows`: of all options typed, in the order of their last occurrence.
void keep_last_of_opposites(Options& options, const std::vector<const OptionRow*>& rows);

/// Throws UsageError for the first two that cannot both be meant.
void refuse_contradictions(const Options& options);

/// Throws UsageError for what beside --saved would ask for more than it gives; what an alias may
/// add to every command does not.
void refuse_beside_listing(const Options& options);

/// Throws UsageError for a search beside --forget.
void refuse_beside_forgetting(const Options& options);

/// Throws UsageError for what beside --compare-readers chooses among matches, or does something
/// with them: it prints none. Where to look applies.
void refuse_beside_comparison(const Options& options);

/// Both as one command line, `second` behind `first`, which loses what `second` undoes or says in
/// another way: format, order, case, limit and opposites.
Options followed_by(Options first, const Options& second);

/// The same, and every other option that is typed takes the place of the configuration's, too; only
/// exclusions and expressions add up.
Options over_configuration(Options configuration, const Options& typed);

}  // namespace ffind::cli
