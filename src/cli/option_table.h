// SPDX-License-Identifier: MIT
// The table of options, one row each: names, help, and relations to other options. Parsing,
// help, suggestions, completions, files of arguments, contradictions and the tests of the man page
// read it; it is not repeated anywhere else.
#pragma once

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "cli/options.h"
#include "text/problem.h"

namespace ffind::cli {

/// Files of arguments that may contain an option.
enum class StoredIn : unsigned char {
  any_file,  ///< configuration and saved searches
  searches,  ///< saved searches only
  no_file,
};

/// Lists are comma-separated words; options in lists have their main name.
struct OptionRow {
  Id id{};
  std::string_view group{};
  std::string_view names{};              ///< "-e,--regex"
  std::string_view other_names{};        ///< names in other programs, accepted as well
  std::string_view value{};              ///< "RE"; empty for a flag
  std::string_view help{};               ///< begins with a capital, ends with a full stop
  std::string_view brief{};              ///< a word or two for the short help; empty: not in it
  std::string_view value_when_absent{};  ///< not null: the value is optional, given with `=`
  std::string_view choices{};            ///< all possible values, if they are words
  std::string_view example{};            ///< usage with a value, for messages

  std::string_view excludes{};   ///< options that cannot be combined with it
  std::string_view opposites{};  ///< options that it undoes: the last of two opposites counts
  /// Options of a file that this one replaces if it is typed, in addition to its opposites.
  std::string_view replaces{};
  /// Options that it modifies: one of them has to be given, too, unless it is a configuration's.
  std::string_view needs{};
  /// Not empty for an option that takes the place of a search: those that may be given with it.
  /// --in among them allows PATHs.
  std::string_view goes_with{};
  /// Typed values are added to those of a configuration instead of replacing them.
  bool adds_up = false;
  StoredIn stored_in = StoredIn::any_file;
};

std::span<const OptionRow> option_table();

/// The words of a list, such as "-e" and "--regex" of "-e,--regex".
std::vector<std::string_view> words_in(std::string_view list);

std::vector<std::string_view> names_of(const OptionRow& row);

/// "--ext": the name in messages and for the parser.
std::string_view main_name(const OptionRow& row);

/// The row with the name "-e" or "--regex", or another program's name for it; null if there is
/// none.
const OptionRow* find_option(std::string_view name);

const OptionRow& option_of(Id id);

/// The option's name and example, for messages about its value.
text::ValueSource source_of(Id id);

/// The rows of a list of options.
std::vector<const OptionRow*> options_in(std::string_view list);
/// True if a list of options has this one.
bool has_in(std::string_view list, Id id);

bool is_flag(const OptionRow& row);
bool has_optional_value(const OptionRow& row);
/// True for flags and optional values, but no filters: a "no-" more or less undoes them.
bool is_switch(const OptionRow& row);
/// The switch that `name` undoes, by a "no-" more or less; null if there is none.
const OptionRow* find_undone(std::string_view name);

/// Options with patterns for names or paths: with one of them, every argument is a PATH.
inline constexpr std::array<Id, 7> pattern_options = {Id::text,   Id::regex, Id::glob, Id::exact,
                                                      Id::starts, Id::ends,  Id::query};
bool is_pattern_option(Id id);

/// True for a long option, and for short ones in one word, with the value of the last: "-i", "-tf",
/// "-n1", but not "-" or "-report".
bool is_option_word(std::string_view word);

/// True for --dry-run and --confirm: at the end of a command they are ours, typed too late.
bool is_own_option(std::string_view word_of_command);

/// True if its value is the rest of the word, or the next word.
bool takes_value(const OptionRow& row);
bool takes_command(const OptionRow& row);

}  // namespace ffind::cli
