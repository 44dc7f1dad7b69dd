// SPDX-License-Identifier: MIT
// THE table of options, one row each: how an option is spelled, its help, which member it fills
// and what it does to other options. Parsing, help, suggestions, configuration, saved searches,
// contradictions and the tests of man page and completions read it; no other file repeats any of
// it.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "cli/options.h"
#include "text/problem.h"

namespace ffind::cli {

using FlagTarget = bool Options::*;
using ValueTarget = std::vector<std::string> Options::*;
/// Everything up to a lone `;` or the end, options and `--` included.
using CommandTarget = std::vector<std::vector<std::string>> Options::*;
using OptionTarget = std::variant<FlagTarget, ValueTarget, CommandTarget>;

/// Which files with arguments in them may hold an option.
enum class StoredIn : unsigned char {
  any_file,  ///< configuration and saved searches
  searches,  ///< it belongs to one search
  no_file,
};

/// Lists are comma-separated words; options in lists have their main name.
struct OptionRow {
  std::string_view group{};
  std::string_view names{};        ///< "-e,--regex"
  std::string_view other_names{};  ///< what other programs call it, accepted as well
  std::string_view value{};        ///< "RE"; empty for a flag
  std::string_view help{};         ///< begins with a capital, ends with a full stop
  OptionTarget target{};
  bool everyday = false;                 ///< in the short help
  std::string_view value_when_absent{};  ///< not empty: the value is optional, given with `=`
  std::string_view choices{};            ///< all values there are, if they are a few words
  std::string_view example{};            ///< how the value is given, for messages about it

  std::string_view excludes{};   ///< options that cannot be given beside it
  std::string_view opposites{};  ///< options it undoes: of two opposites the last one counts
  /// Options in a file that give way to this one when it is typed, besides its opposites.
  std::string_view replaces{};
  /// Typed over a configuration it narrows what is there, instead of taking its place.
  bool adds_up = false;
  bool asks = false;  ///< among the filters, but only says how others look
  StoredIn stored_in = StoredIn::any_file;
};

std::span<const OptionRow> option_table();

/// The words of a list, such as "-e" and "--regex" of "-e,--regex".
std::vector<std::string_view> words_in(std::string_view list);

std::vector<std::string_view> names_of(const OptionRow& row);

/// "--ext": what messages call it, and the parser knows it by.
std::string_view main_name(const OptionRow& row);

/// The row that `name` ("-e", "--regex") belongs to, other programs' names for it included; null
/// when there is none.
const OptionRow* find_option(std::string_view name);

/// The row that fills this member of Options.
const OptionRow& option_of(OptionTarget target);

/// What messages about a value of that option quote.
text::ValueSource source_of(ValueTarget target);

/// The rows of a list of options.
std::vector<const OptionRow*> options_in(std::string_view list);

bool is_flag(const OptionRow& row);
/// Something that is on or off and no filter: --no-NAME undoes it, and --NAME a --no-NAME.
bool is_switch(const OptionRow& row);
/// The switch that `name` undoes; null: none.
const OptionRow* find_undone(std::string_view name);
/// Its value is the rest of the word, or the next one.
bool takes_value(const OptionRow& row);
bool takes_command(const OptionRow& row);

bool is_given(const Options& options, const OptionRow& row);
void take_out(Options& options, const OptionRow& row);

}  // namespace ffind::cli
