// SPDX-License-Identifier: MIT
// The only file that includes CLI11. The scan is a state machine over the words; the state `Next`
// is the meaning of the word that comes:
//
//     word     -ltf      -S        >1M      report    -x        gzip     {}       ;        --json
//     before   argument  argument  value    argument  argument  command  command  command  argument
//
// An option decides the state after it, and a value or a `;` returns to `argument`. A word that
// looks like an option but is none is looked up in the tables of other programs, for the message.
// Nothing is converted here: an option with its value becomes one or two words for CLI11.
//
// The scan notes an Occurrence of each option, so that word_of() can trace an error back to its
// word: errors that are found later, by a parser of values or by a relation, only know option and
// value. word_of() scans again for that, which only costs time if there is an error.
#include "cli/arguments.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

#include "cli/option_table.h"
#include "cli/request.h"
#include "ffind/issue.h"
#include "foreign/foreign.h"
#include "text/format.h"
#include "text/problem.h"
#include "text/quoting.h"

namespace ffind::cli {
namespace {

constexpr const char* all_options = "ffind --help lists all options";

/// Throws UsageError for an option of find, fd or rg.
void refuse_habit(std::string_view whole) {
  std::optional<UsageParts> parts = foreign::advice_on_habit(whole);
  if (!parts) return;
  parts->see = all_options;
  throw UsageError(std::move(*parts));
}

[[noreturn]] void fail_unknown_option(std::string_view quoted, const std::string& where,
                                      const std::string& meant) {
  UsageParts parts;
  parts.what = text::format("unknown option '{}'{}", quoted, where);
  if (!meant.empty()) parts.guess = text::format("; did you mean '{}'?", meant);
  parts.place.quoted = quoted;
  parts.see = all_options;
  throw UsageError(std::move(parts));
}

/// Throws UsageError for a long option that lacks a dash, such as -tree.
void refuse_missing_dash(std::string_view argument) {
  const std::string longer = foreign::with_second_dash(argument);
  if (longer.empty()) return;
  const std::string name = longer.substr(0, longer.find('='));
  fail_unknown_option(std::string_view(name).substr(1), {}, name);
}

/// Throws UsageError for the option `name`, or for the letter `name` in the word `whole`.
[[noreturn]] void fail_unknown(std::string_view name, std::string_view whole) {
  refuse_habit(whole);
  fail_unknown_option(text::escaped(name),
                      name == whole ? "" : text::format(" in '{}'", text::excerpt(whole)),
                      foreign::nearest_option(whole));
}

/// Remembers the row of an option that was typed. An option that is repeated moves to the end:
/// keep_last_of_opposites() compares last occurrences. It also cancels an earlier --no-NAME.
void note(const OptionRow* row, std::size_t word, PreparedArguments& prepared) {
  prepared.occurrences.push_back({row, word});
  auto& rows = prepared.rows;
  rows.erase(std::remove(rows.begin(), rows.end(), row), rows.end());
  rows.push_back(row);
  auto& undone = prepared.undone;
  undone.erase(std::remove(undone.begin(), undone.end(), row), undone.end());
}

/// Remembers the position of the value of the last option.
void note_value(std::size_t word, std::size_t at, PreparedArguments& prepared) {
  prepared.occurrences.back().value_word = word;
  prepared.occurrences.back().value_at = at;
}

/// Begins the words of -x, -X or --if, which CLI11 never sees. `first_word` is the rest of the
/// option's own word (-xgzip, --exec=gzip), or empty. Rows of commands are not among prepared.rows,
/// from which CLI11's options are registered.
void begin_command(const OptionRow* row, std::string first_word, std::size_t word,
                   PreparedArguments& prepared) {
  prepared.occurrences.push_back({row, word});
  auto& words = prepared.commands.emplace_back(row, std::vector<std::string>()).second;
  if (!first_word.empty()) words.push_back(std::move(first_word));
}

/// Meaning of the next word.
enum class Next : unsigned char { argument, value, word_of_command, word_for_help };

/// Scans --NAME, --NAME=VALUE or --no-NAME. An optional value that is missing is filled in.
/// Examples of a word, the words for CLI11, and the state after it:
///
///     --size            --size              value
///     --size=1M         --size=1M           argument
///     --extension=pdf   --ext=pdf           argument   another name
///     --json            --json=lines        argument   optional value
///     --no-tree         none                argument   noted in `undone`
///     --help            --help              help       all words after it are looked up
///     --exec=gzip       none                command    gzip is its first word
Next scan_long(const std::string& argument, std::size_t word, PreparedArguments& prepared) {
  const std::size_t equals = argument.find('=');
  const std::string_view name = std::string_view(argument).substr(0, equals);
  const OptionRow* const row = find_option(name);
  // Only without a value: --no-tree=x is an unknown option.
  if (row == nullptr && equals == std::string::npos) {
    if (const OptionRow* const undone = find_undone(name); undone != nullptr) {
      prepared.undone.push_back(undone);
      return Next::argument;
    }
  }
  if (row == nullptr) fail_unknown(name, name);
  if (takes_command(*row)) {
    begin_command(row, equals == std::string::npos ? "" : argument.substr(equals + 1), word,
                  prepared);
    return Next::word_of_command;
  }
  note(row, word, prepared);
  if (row->target == OptionTarget(&Options::long_help)) {
    // --help=WORD is accepted, since that is how options of ours get an optional value.
    if (equals != std::string::npos) prepared.help_words.push_back(argument.substr(equals + 1));
    prepared.options.emplace_back(name);
    return Next::word_for_help;
  }
  if (equals == std::string::npos && !row->value_when_absent.empty()) {
    prepared.options.push_back(text::format("{}={}", main_name(*row), row->value_when_absent));
    return Next::argument;
  }
  if (equals != std::string::npos && is_flag(*row)) {
    throw UsageError(
        {.what = text::format("{} takes no value, not '{}'", name,
                              text::excerpt(std::string_view(argument).substr(equals + 1))),
         .example = text::format("ffind {}", name)});
  }
  // `--size=`. Without a `=`, npos + 1 is 0, and no word is that short.
  if (equals + 1 == argument.size()) fail_missing_value(name, *row);
  if (equals != std::string::npos) note_value(word, equals + 1, prepared);
  prepared.options.push_back(std::string(main_name(*row)) + argument.substr(name.size()));
  return equals == std::string::npos && takes_value(*row) ? Next::value : Next::argument;
}

/// Scans a cluster such as -Ltf: letters up to the first that takes a value. `-ltf` becomes -l, -t
/// and f, and so does `-lt f`, in two states. The words of find and misspelt long options are
/// refused before their letters are read: -delete would be -d with the value elete.
Next scan_short(const std::string& argument, std::size_t word, PreparedArguments& prepared) {
  if (argument.size() > 2) {
    refuse_habit(argument);
    refuse_missing_dash(argument);
  }
  for (std::size_t index = 1; index < argument.size(); ++index) {
    const std::string name{'-', argument[index]};
    const OptionRow* const row = find_option(name);
    if (row == nullptr) {
      const std::string_view character = text::plain_character_at(argument, index);
      fail_unknown(character.empty() ? name : '-' + std::string(character), argument);
    }
    // -lh is a habit from ls.
    if (name == "-h" && argument.size() > 2) fail_unknown(name, argument);
    const bool has_command = takes_command(*row);
    if (!has_command) note(row, word, prepared);
    if (!has_command && !takes_value(*row)) {
      prepared.options.push_back(name);
      continue;
    }
    std::string value = argument.substr(index + 1);
    // `-t=f` and `-tf`.
    if (!value.empty() && value.front() == '=') value.erase(0, 1);
    if (has_command) {
      begin_command(row, std::move(value), word, prepared);
      return Next::word_of_command;
    }
    prepared.options.push_back(name);
    if (index + 1 == argument.size()) return Next::value;
    note_value(word, argument.size() - value.size(), prepared);
    prepared.options.push_back(std::move(value));
    return Next::argument;
  }
  return Next::argument;
}

/// True if any word is a value of the option: text to find may look like anything.
bool takes_any_word(const OptionRow& row) {
  const OptionTarget texts[] = {&Options::texts, &Options::regexes, &Options::contains,
                                &Options::contains_regexes};
  return std::find(std::begin(texts), std::end(texts), row.target) != std::end(texts);
}

/// Throws UsageError if the value is an option, or a cluster of short ones: `-E --dry-run -g x
/// --delete` would delete for real, and fd's `-g -i x` would search for "-i".
void refuse_option_as_value(const OptionRow& row, const std::string& value) {
  if (takes_any_word(row)) return;
  // A range may be "-10M", a number "-1" (an error of its own), a key of --sort "-size", a mode
  // "-u".
  constexpr std::string_view dashed_values[] = {"RANGE", "N", "KEY", "FILE|TIME", "MODE"};
  const bool dashed = std::find(std::begin(dashed_values), std::end(dashed_values), row.value) !=
                      std::end(dashed_values);
  const bool is_option = is_option_word(value) || foreign::is_foreign_option(value);
  if (!is_option || (dashed && !value.starts_with("--"))) return;
  throw UsageError(
      {.what = text::format("{0} needs a value, and '{1}' is an option; if it is meant: {0}={1}",
                            main_name(row), value),
       .example = row.example.empty() ? text::format("ffind {} {}", main_name(row), row.value)
                                      : std::string(row.example)});
}

/// Throws UsageError for a command without words, and for one that ends in an option of ours.
void check_commands(const PreparedArguments& prepared) {
  // A lone `;` right after -x, or nothing at all.
  for (const auto& [row, words] : prepared.commands) {
    if (!words.empty()) continue;
    const std::string_view name = names_of(*row).front();
    throw UsageError({.what = text::format("{} needs a command", name),
                      .place = {.options = {std::string(name)}},
                      .example = text::format("ffind -g '*.jpeg' {} {}", name,
                                              name == "-x"     ? "mv {} {.}.jpg"
                                              : name == "--if" ? "grep -q Exif"
                                                               : "tar -cf photos.tar")});
  }
  for (const auto& [row, words] : prepared.commands) {
    const std::size_t size = words.size();
    const bool is_batch = row->target == OptionTarget(&Options::exec_batches);
    if (size < 3 || is_batch || words[size - 1] != "+" || words[size - 2] != "{}") continue;
    const std::string_view name = names_of(*row).front();
    throw UsageError(
        {.what = text::format("'+' is a word of the command of {}; find's -exec ... {{}} + is "
                              "-X here",
                              name),
         .place = {.options = {std::string(name)}},
         .example = "ffind -g '*.log' -X gzip"});
  }
  // After a `;` our options are read as such again.
  if (!prepared.command_is_open) return;
  // As a word of the command it would have no effect, and the command would run for real.
  const std::string& last = prepared.commands.back().second.back();
  if (!is_own_option(last)) return;
  const std::string_view name = names_of(*prepared.commands.back().first).front();
  throw UsageError(
      {.what = text::format(
           "{0} is part of the command of {1}, which extends to the end; put it before {1}", last,
           name),
       .place = {.options = {std::string(name)}},
       .example = text::format("ffind -g '*.bak' {0} {1} rm", last, name)});
}

}  // namespace

void fail_missing_value(std::string_view name, const OptionRow& row) {
  const bool optional = !row.value_when_absent.empty();
  throw UsageError({.what = text::format("{} needs a value", name),
                    .example = row.example.empty() || optional
                                   ? text::format("ffind {}{}{}", name, optional ? "=" : " ",
                                                  optional ? row.value_when_absent : row.value)
                                   : std::string(row.example)});
}

namespace {

/// Scans the word at `index`, whose meaning is `next`; returns that of the word after it.
Next scan(const std::string& argument, std::size_t index, Next next, bool& after_dashes,
          PreparedArguments& prepared) {
  // --save copies the words of a command line in these groups, and hints replace options in them.
  if (next == Next::argument) prepared.begins.push_back(index);
  if (next == Next::word_of_command) {
    if (argument == ";") return Next::argument;
    prepared.commands.back().second.push_back(argument);
    return Next::word_of_command;
  }
  if (next == Next::word_for_help) {
    if (argument != "--") prepared.help_words.push_back(argument);
    return Next::word_for_help;
  }
  if (next == Next::value) {
    refuse_option_as_value(*prepared.rows.back(), argument);
    note_value(index, 0, prepared);
    prepared.options.push_back(argument);
    return Next::argument;
  }
  // A lone "-" is an argument, too.
  if (after_dashes || argument.size() < 2 || argument.front() != '-') {
    if (prepared.arguments.empty()) prepared.arguments_after_dashes = after_dashes;
    prepared.arguments.push_back(argument);
    prepared.argument_places.push_back(index);
    return Next::argument;
  }
  if (argument == "--") {
    after_dashes = true;
    return Next::argument;
  }
  return argument[1] == '-' ? scan_long(argument, index, prepared)
                            : scan_short(argument, index, prepared);
}

/// Throws the error with the word that it is about.
[[noreturn]] void fail_at_word(UsageParts parts, std::size_t word) {
  parts.place.word = word;
  throw UsageError(std::move(parts));
}

/// Scans all words; commands are checked afterwards, so that word_of can scan invalid ones, too.
PreparedArguments scan_all(const std::vector<std::string>& arguments) {
  PreparedArguments prepared;
  Next next = Next::argument;
  bool after_dashes = false;
  // Errors of the scan get their place here; later ones get it from word_of().
  for (std::size_t index = 0; index < arguments.size(); ++index) {
    try {
      next = scan(arguments[index], index, next, after_dashes, prepared);
    } catch (const UsageError& error) {
      fail_at_word(error.parts(), index);
    }
  }
  prepared.command_is_open = next == Next::word_of_command;
  return prepared;
}

/// The word of an option's first occurrence; UsagePlace::unknown if it was not typed.
std::size_t first_word_of(const OptionRow& row, const PreparedArguments& prepared) {
  const auto found = std::find_if(prepared.occurrences.begin(), prepared.occurrences.end(),
                                  [&](const Occurrence& one) { return one.row == &row; });
  return found == prepared.occurrences.end() ? UsagePlace::unknown : found->word;
}

/// The word with that value of the option, or with a longer one that it is a piece of. A parser of
/// lists or expressions names only the part that is wrong: "pfd" in --ext=pdf,pfd. If no occurrence
/// has the value, it is the option's first one.
std::size_t word_of_value(const OptionRow& row, const std::string& value,
                          const PreparedArguments& prepared,
                          const std::vector<std::string>& arguments) {
  std::size_t longer = UsagePlace::unknown;
  for (const Occurrence& one : prepared.occurrences) {
    if (one.row != &row || one.value_word == Occurrence::none) continue;
    const std::string_view found = std::string_view(arguments[one.value_word]).substr(one.value_at);
    if (found == value) return one.value_word;
    const bool is_piece = found.find(value) != std::string_view::npos;
    if (longer == UsagePlace::unknown && is_piece) longer = one.value_word;
  }
  return longer != UsagePlace::unknown ? longer : first_word_of(row, prepared);
}

}  // namespace

PreparedArguments prepare(const std::vector<std::string>& arguments) {
  PreparedArguments prepared = scan_all(arguments);
  check_commands(prepared);
  return prepared;
}

std::size_t word_of(const UsagePlace& place, const std::vector<std::string>& arguments) {
  if (place.word != UsagePlace::unknown) return place.word;
  if (find_option(place.option) == nullptr && place.options.empty()) {
    // An argument that is not an option's value.
    const std::string& typed = place.value.empty() ? place.quoted : place.value;
    const auto found = std::find(arguments.begin(), arguments.end(), typed);
    return found == arguments.end() ? UsagePlace::unknown
                                    : static_cast<std::size_t>(found - arguments.begin());
  }
  const PreparedArguments prepared = scan_all(arguments);
  if (const OptionRow* const row = find_option(place.option)) {
    return word_of_value(*row, place.value, prepared, arguments);
  }
  // Each of the options is valid alone: the last one makes the contradiction.
  std::size_t last = UsagePlace::unknown;
  for (const std::string& name : place.options) {
    const OptionRow* const row = find_option(name);
    const std::size_t word = row == nullptr ? last : first_word_of(*row, prepared);
    if (word != UsagePlace::unknown) {
      last = last == UsagePlace::unknown ? word : std::max(last, word);
    }
  }
  return last;
}

bool has_option(const PreparedArguments& prepared, const OptionRow& row) {
  const auto& rows = prepared.rows;
  const auto& commands = prepared.commands;
  return std::find(rows.begin(), rows.end(), &row) != rows.end() ||
         std::any_of(commands.begin(), commands.end(),
                     [&](const auto& command) { return command.first == &row; });
}

namespace {

/// Registers an option with CLI11, to fill its member of Options. CLI11 writes to `options`,
/// through the pointers to members in the rows, during app.parse().
void register_row(CLI::App& app, const OptionRow& row, Options& options) {
  const std::string names(row.names);
  if (const auto* flag = std::get_if<FlagTarget>(&row.target)) {
    app.add_flag(names, options.*(*flag));
    return;
  }
  // One value for each occurrence, unchanged. As a plain vector CLI11 would consume the words that
  // follow, split [a,b] and drop {}.
  std::vector<std::string>& values = options.*std::get<ValueTarget>(row.target);
  const auto keep = [&values](const CLI::results_t& results) {
    values = results;
    return true;
  };
  app.add_option(names, keep)->type_size(1)->expected(1)->take_all()->allow_extra_args(false);
}

/// CLI11's own message names its types.
[[noreturn]] void fail_last_value_missing(const std::vector<std::string>& arguments,
                                          std::size_t word) {
  const OptionRow* const row = find_option(arguments.back());
  if (row == nullptr) throw UsageError("an option needs a value");
  try {
    fail_missing_value(arguments.back(), *row);
  } catch (const UsageError& error) {
    fail_at_word(error.parts(), word);
  }
}

/// Converts the values with CLI11. The scan has read the same words, so the only error to expect is
/// a last option without its value: in the middle of a line, the next word is the value.
void parse_options(const PreparedArguments& prepared, Options& options) {
  CLI::App app;
  app.set_help_flag();
  // CLI11 compares each option with all before it: registering all of them took a third of what an
  // empty search takes.
  for (const OptionRow* row : prepared.rows) register_row(app, *row, options);
  // CLI11 takes them last first.
  std::vector<std::string> reversed(prepared.options.rbegin(), prepared.options.rend());
  try {
    app.parse(reversed);
  } catch (const CLI::ArgumentMismatch&) {
    fail_last_value_missing(prepared.options, prepared.occurrences.back().word);
  } catch (const CLI::ParseError& error) {
    throw UsageError(error.what());
  }
}

}  // namespace

Options parse(const std::vector<std::string>& arguments) {
  const PreparedArguments prepared = prepare(arguments);
  // The order matters: opposites look at the rows as typed, --no-NAME then removes what is left.
  Options options;
  // Without options CLI11 is not set up.
  if (!prepared.options.empty()) parse_options(prepared, options);
  for (const auto& [row, words] : prepared.commands) {
    (options.*std::get<CommandTarget>(row->target)).push_back(words);
  }
  keep_last_of_opposites(options, prepared.rows);
  for (const OptionRow* row : prepared.rows) {
    constexpr std::string_view places[] = {"GLOB", "PATH", "FILE", "DIR", "VOLUME"};
    if (std::find(std::begin(places), std::end(places), row->value) == std::end(places)) continue;
    refuse_home(options.*std::get<ValueTarget>(row->target), main_name(*row));
  }
  for (const OptionRow* row : prepared.undone) take_out(options, *row);
  options.undone = prepared.undone;
  options.help_words = prepared.help_words;
  options.arguments = prepared.arguments;
  options.arguments_after_dashes = prepared.arguments_after_dashes;
  options.argument_places = prepared.argument_places;
  return options;
}

namespace {

/// True for options that run a command or delete; they exclude those of printing.
bool acts(const OptionRow& row) {
  return takes_command(row) || row.target == OptionTarget(&Options::remove) ||
         row.target == OptionTarget(&Options::trash);
}

[[noreturn]] void fail(const OptionRow& one, const OptionRow& other) {
  std::string what = text::format("{} and {} exclude each other", main_name(one), main_name(other));
  if (acts(one) != acts(other)) {
    const OptionRow& action = acts(one) ? one : other;
    const std::string_view instead = takes_command(action) ? "the command runs instead of printing"
                                     : action.target == OptionTarget(&Options::trash)
                                         ? "matches are moved instead of printed"
                                         : "matches are deleted instead of printed";
    what = text::format("{} has no effect with {}: {}", main_name(acts(one) ? other : one),
                        main_name(action), instead);
  }
  const auto are_both = [&](OptionTarget a, OptionTarget b) {
    return (one.target == a && other.target == b) || (one.target == b && other.target == a);
  };
  std::string advice;
  if (are_both(&Options::usage, &Options::pick)) {
    advice = "for a list to pick from, the largest first: ffind --pick --pick-order=space";
  }
  throw UsageError(
      {.what = std::move(what),
       .place = {.options = {std::string(main_name(one)), std::string(main_name(other))}},
       .advice = std::move(advice)});
}

/// Removes the options of a file that a typed one undoes. In both directions: what --no-NAME, an
/// opposite or a replacing option undoes, and a --no-NAME of the file that is followed by the
/// option itself.
void take_out_undone(Options& from_file, const Options& typed) {
  for (const OptionRow* row : typed.undone) take_out(from_file, *row);
  auto& undone = from_file.undone;
  undone.erase(std::remove_if(undone.begin(), undone.end(),
                              [&](const OptionRow* row) { return is_given(typed, *row); }),
               undone.end());
  for (const OptionRow& row : option_table()) {
    if (!is_given(typed, row)) continue;
    for (const std::string_view list : {row.opposites, row.replaces}) {
      for (const OptionRow* taken : options_in(list)) take_out(from_file, *taken);
    }
  }
}

/// Appends the values of one option; a flag is on if it is on in either.
void append(Options& options, const Options& more, const OptionRow& row) {
  std::visit(
      [&](auto target) {
        auto& all = options.*target;
        const auto& added = more.*target;
        if constexpr (std::is_same_v<decltype(target), FlagTarget>) {
          all = all || added;
        } else {
          all.insert(all.end(), added.begin(), added.end());
        }
      },
      row.target);
}

}  // namespace

void keep_last_of_opposites(Options& options, const std::vector<const OptionRow*>& rows) {
  // Each option takes out its opposites among those before it. In "-H --no-hidden -H" the first -H
  // is not there any more (note), so that --no-hidden goes.
  for (auto row = rows.begin(); row != rows.end(); ++row) {
    for (const OptionRow* undone : options_in((*row)->opposites)) {
      if (std::find(rows.begin(), row, undone) != row) take_out(options, *undone);
    }
  }
}

/// Called by build_output_style() once files and typed options are one. The first pair in the order
/// of the table is reported.
void refuse_contradictions(const Options& options) {
  // With --explain, -l and --json are forms of the plan, which any search has.
  const auto is_form = [&](const OptionRow* row) {
    return options.explain &&
           (row == &option_of(&Options::details) || row == &option_of(&Options::json));
  };
  for (const OptionRow& row : option_table()) {
    if (row.excludes.empty() || !is_given(options, row)) continue;
    for (const OptionRow* excluded : options_in(row.excludes)) {
      if (is_form(&row) || is_form(excluded)) continue;
      if (is_given(options, *excluded)) fail(*excluded, row);
    }
  }
  // NULs end paths, templates, lines of -l, and rows of tables, whose names may contain newlines.
  const bool number = !options.count.empty() && options.count.back() == "matches";
  if (options.null && number) fail(option_of(&Options::count), option_of(&Options::null));
}

void refuse_beside_modes(const Options& options) {
  for (const OptionRow& mode : option_table()) {
    if (mode.beside.empty() || !is_given(options, mode)) continue;
    const auto fail_with = [&mode](std::string_view word, UsagePlace place) {
      throw UsageError({.what = text::format("{} has no effect with {}", word, main_name(mode)),
                        .place = std::move(place),
                        .example = std::string(mode.example)});
    };
    const std::vector<const OptionRow*> allowed = options_in(mode.beside);
    const auto is_allowed = [&](const OptionRow& row) {
      return &row == &mode || std::find(allowed.begin(), allowed.end(), &row) != allowed.end();
    };
    for (const OptionRow& row : option_table()) {
      if (!is_given(options, row) || is_allowed(row)) continue;
      fail_with(main_name(row), {.options = {std::string(main_name(row))}});
    }
    if (options.arguments.empty() || is_allowed(option_of(&Options::roots))) continue;
    const std::string& argument = options.arguments.front();
    fail_with(text::format("'{}'", text::excerpt(argument)), {.quoted = argument});
  }
}

void refuse_alone(const Options& options) {
  for (const OptionRow& row : option_table()) {
    if (row.needs.empty() || !is_given(options, row)) continue;
    const std::vector<const OptionRow*> needed = options_in(row.needs);
    if (std::any_of(needed.begin(), needed.end(),
                    [&](const OptionRow* one) { return is_given(options, *one); })) {
      continue;
    }
    const std::vector<std::string_view> names = words_in(row.needs);
    std::string list(names.front());
    for (std::size_t i = 1; i < names.size(); ++i) {
      list.append(i + 1 == names.size() ? " or " : ", ").append(names[i]);
    }
    const std::string name(main_name(row));
    throw UsageError({.what = text::format("{} needs {}", name, list),
                      .place = {.options = {name}},
                      .example = std::string(row.example)});
  }
}

Options followed_by(Options first, const Options& second) {
  // Arguments become options first, so that the typed ones can follow them. The saved search or
  // configuration is read as if it were typed alone, then the rest is added to it:
  //
  //     @big: report -S >1G          typed: @big ~/old --sort size
  //     -F report -S >1G        and        ~/old --sort size
  first = with_arguments_as_options(std::move(first));
  take_out_undone(first, second);
  // A pattern of `first` makes the typed arguments PATHs here; a typed one does in
  // sort_arguments().
  const bool only_paths = has_pattern_option(first);
  for (const OptionRow& row : option_table()) append(first, second, row);
  first.undone.insert(first.undone.end(), second.undone.begin(), second.undone.end());
  if (only_paths) {
    first.roots.insert(first.roots.end(), second.arguments.begin(), second.arguments.end());
  } else {
    first.arguments = second.arguments;
    first.arguments_after_dashes = second.arguments_after_dashes;
    first.argument_places = second.argument_places;
  }
  return first;
}

Options over_configuration(Options configuration, const Options& typed) {
  for (const OptionRow& row : option_table()) {
    if (is_given(typed, row) && !row.adds_up) take_out(configuration, row);
  }
  return followed_by(std::move(configuration), typed);
}

}  // namespace ffind::cli
