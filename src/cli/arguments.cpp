// SPDX-License-Identifier: MIT
// The only file that includes CLI11.
#include "cli/arguments.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

#include "cli/operands.h"
#include "cli/option_table.h"
#include "cli/suggest.h"
#include "ffind/issue.h"
#include "text/format.h"
#include "text/problem.h"
#include "text/quoting.h"

namespace ffind::cli {
namespace {

constexpr std::string_view all_options = "\n  ffind --help lists all options";

/// For what find, fd or rg would take.
void refuse_habit(std::string_view whole) {
  const std::string advice = advice_on_habit(whole);
  if (!advice.empty()) throw UsageError(advice + std::string(all_options));
}

/// -tree and its like: an option of ours that lacks a dash, and no cluster of short ones.
void refuse_missing_dash(std::string_view argument) {
  const std::string longer = with_second_dash(argument);
  if (longer.empty()) return;
  const std::string name = longer.substr(0, longer.find('='));
  throw UsageError(text::format("unknown option '{}'; did you mean '{}'?{}",
                                std::string_view(name).substr(1), name, all_options));
}

/// `name`, or the letter `name` of the argument `whole`.
[[noreturn]] void fail_unknown(std::string_view name, std::string_view whole) {
  refuse_habit(whole);
  std::string text = text::format("unknown option '{}'", text::escaped(name));
  if (name != whole) text += text::format(" in '{}'", text::excerpt(whole));
  const std::string nearest = nearest_option(whole);
  if (!nearest.empty()) text += text::format("; did you mean '{}'?", nearest);
  throw UsageError(text + std::string(all_options));
}

/// Remembers the row of an option that was typed.
void note(const OptionRow* row, PreparedArguments& prepared) {
  auto& rows = prepared.rows;
  rows.erase(std::remove(rows.begin(), rows.end(), row), rows.end());
  rows.push_back(row);
  auto& undone = prepared.undone;
  undone.erase(std::remove(undone.begin(), undone.end(), row), undone.end());
}

void begin_command(const OptionRow* row, std::string first_word, PreparedArguments& prepared) {
  auto& words = prepared.commands.emplace_back(row, std::vector<std::string>()).second;
  if (!first_word.empty()) words.push_back(std::move(first_word));
}

/// What an argument was, and what the next one therefore is.
enum class Next : unsigned char { argument, value, word_of_command };

Next scan_long(const std::string& argument, PreparedArguments& prepared) {
  const std::size_t equals = argument.find('=');
  const std::string_view name = std::string_view(argument).substr(0, equals);
  const OptionRow* const row = find_option(name);
  if (row == nullptr && equals == std::string::npos) {
    if (const OptionRow* const undone = find_undone(name); undone != nullptr) {
      prepared.undone.push_back(undone);
      return Next::argument;
    }
  }
  if (row == nullptr) fail_unknown(name, name);
  if (takes_command(*row)) {
    begin_command(row, equals == std::string::npos ? "" : argument.substr(equals + 1), prepared);
    return Next::word_of_command;
  }
  note(row, prepared);
  if (equals == std::string::npos && !row->value_when_absent.empty()) {
    prepared.options.push_back(text::format("{}={}", main_name(*row), row->value_when_absent));
    return Next::argument;
  }
  if (equals != std::string::npos && is_flag(*row)) {
    throw UsageError(text::format("{} takes no value, not '{}'\n  for example: ffind {}", name,
                                  text::excerpt(std::string_view(argument).substr(equals + 1)),
                                  name));
  }
  if (equals + 1 == argument.size()) fail_missing_value(name, *row);
  prepared.options.push_back(std::string(main_name(*row)) + argument.substr(name.size()));
  return equals == std::string::npos && takes_value(*row) ? Next::value : Next::argument;
}

/// A cluster such as -Ltf or -tf: letters up to the first that takes a value.
Next scan_short(const std::string& argument, PreparedArguments& prepared) {
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
    // -lh is a habit of ls.
    if (name == "-h" && argument.size() > 2) fail_unknown(name, argument);
    const bool has_command = takes_command(*row);
    if (!has_command) note(row, prepared);
    if (!has_command && !takes_value(*row)) {
      prepared.options.push_back(name);
      continue;
    }
    std::string value = argument.substr(index + 1);
    if (!value.empty() && value.front() == '=') value.erase(0, 1);
    if (has_command) {
      begin_command(row, std::move(value), prepared);
      return Next::word_of_command;
    }
    prepared.options.push_back(name);
    if (index + 1 == argument.size()) return Next::value;
    prepared.options.push_back(std::move(value));
    return Next::argument;
  }
  return Next::argument;
}

/// `-E --dry-run -g x --delete` would delete for real. Text to find may look like anything.
void refuse_option_as_value(const OptionRow& row, const std::string& value) {
  const OptionRow* const option = find_option(value);
  if (option == nullptr) return;
  const bool is_text = row.target == OptionTarget(&Options::texts) ||
                       row.target == OptionTarget(&Options::regexes) ||
                       row.target == OptionTarget(&Options::contains) ||
                       row.target == OptionTarget(&Options::contains_regexes);
  // fd's --prune has no value: `--prune -t d x`.
  const bool is_prune = row.target == OptionTarget(&Options::prunes);
  if (is_text || (!value.starts_with("--") && !is_prune)) return;
  throw UsageError(
      text::format("{0} needs a value, and '{1}' is an option; if it is meant: {0}={1}\n  for "
                   "example: ffind {0} {2}",
                   main_name(row), value, row.value));
}

void check_commands(const PreparedArguments& prepared) {
  for (const auto& [row, words] : prepared.commands) {
    if (!words.empty()) continue;
    const std::string_view name = names_of(*row).front();
    throw UsageError(text::format("{} needs a command\n  for example: ffind -g '*.jpeg' {} {}",
                                  name, name,
                                  name == "-x"     ? "mv {} {.}.jpg"
                                  : name == "--if" ? "grep -q Exif"
                                                   : "tar -cf photos.tar"));
  }
  if (!prepared.command_is_open) return;
  // It would be a word of the command, which runs for real.
  const std::string& last = prepared.commands.back().second.back();
  if (!is_meant_for_us(last)) return;
  const std::string_view name = names_of(*prepared.commands.back().first).front();
  throw UsageError(text::format(
      "{0} is part of the command of {1}, which extends to the end; put it before {1}\n"
      "  for example: ffind -g '*.bak' {0} {1} rm",
      last, name));
}

}  // namespace

void fail_missing_value(std::string_view name, const OptionRow& row) {
  const bool optional = !row.value_when_absent.empty();
  throw UsageError(text::format("{0} needs a value\n  for example: ffind {0}{1}{2}", name,
                                optional ? "=" : " ",
                                optional ? row.value_when_absent : row.value));
}

PreparedArguments prepare(const std::vector<std::string>& arguments) {
  PreparedArguments prepared;
  Next next = Next::argument;
  bool after_dashes = false;
  for (std::size_t index = 0; index < arguments.size(); ++index) {
    const std::string& argument = arguments[index];
    if (next == Next::argument) prepared.begins.push_back(index);
    if (next == Next::word_of_command) {
      if (argument == ";") {
        next = Next::argument;
      } else {
        prepared.commands.back().second.push_back(argument);
      }
    } else if (next == Next::value) {
      refuse_option_as_value(*prepared.rows.back(), argument);
      prepared.options.push_back(argument);
      next = Next::argument;
    } else if (after_dashes || argument.size() < 2 || argument.front() != '-') {
      if (prepared.arguments.empty()) prepared.arguments_after_dashes = after_dashes;
      prepared.arguments.push_back(argument);
      prepared.argument_places.push_back(index);
    } else if (argument == "--") {
      after_dashes = true;
    } else if (argument[1] == '-') {
      next = scan_long(argument, prepared);
    } else {
      next = scan_short(argument, prepared);
    }
  }
  prepared.command_is_open = next == Next::word_of_command;
  check_commands(prepared);
  return prepared;
}

bool is_meant_for_us(std::string_view word_of_command) {
  const OptionRow* const row = find_option(word_of_command);
  return row == &option_of(&Options::dry_run) || row == &option_of(&Options::confirm);
}

bool has_option(const PreparedArguments& prepared, const OptionRow& row) {
  const auto& rows = prepared.rows;
  const auto& commands = prepared.commands;
  return std::find(rows.begin(), rows.end(), &row) != rows.end() ||
         std::any_of(commands.begin(), commands.end(),
                     [&](const auto& command) { return command.first == &row; });
}

namespace {

void register_row(CLI::App& app, const OptionRow& row, Options& options) {
  const std::string names(row.names);
  if (const auto* flag = std::get_if<FlagTarget>(&row.target)) {
    app.add_flag(names, options.*(*flag));
    return;
  }
  // One value each time, as often as it is given, and untouched: as a plain vector CLI11 would
  // swallow what follows, take [a,b] apart and drop {}.
  std::vector<std::string>& values = options.*std::get<ValueTarget>(row.target);
  const auto keep = [&values](const CLI::results_t& results) {
    values = results;
    return true;
  };
  app.add_option(names, keep)->type_size(1)->expected(1)->take_all()->allow_extra_args(false);
}

/// In our words; CLI11's own name its types.
[[noreturn]] void fail_last_value_missing(const std::vector<std::string>& arguments) {
  const OptionRow* const row = find_option(arguments.back());
  if (row == nullptr) throw UsageError("an option needs a value");
  fail_missing_value(arguments.back(), *row);
}

/// The options among the words that were typed.
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
    fail_last_value_missing(prepared.options);
  } catch (const CLI::ParseError& error) {
    throw UsageError(error.what());
  }
}

}  // namespace

Options parse(const std::vector<std::string>& arguments) {
  const PreparedArguments prepared = prepare(arguments);
  Options options;
  if (!prepared.options.empty()) parse_options(prepared, options);
  for (const auto& [row, words] : prepared.commands) {
    (options.*std::get<CommandTarget>(row->target)).push_back(words);
  }
  keep_last_of_opposites(options, prepared.rows);
  for (const OptionRow* row : prepared.undone) take_out(options, *row);
  options.undone = prepared.undone;
  options.arguments = prepared.arguments;
  options.arguments_after_dashes = prepared.arguments_after_dashes;
  options.argument_places = prepared.argument_places;
  return options;
}

namespace {

/// Options that name a command or --delete exclude all that is about printing.
bool acts(const OptionRow& row) {
  return takes_command(row) || row.target == OptionTarget(&Options::remove);
}

[[noreturn]] void fail(const OptionRow& one, const OptionRow& other) {
  throw UsageError(
      text::format("{} and {} exclude each other{}", main_name(one), main_name(other),
                   acts(one) != acts(other) ? ": commands take the place of what is printed" : ""));
}

/// Takes out of what a file says what something typed undoes.
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
  for (auto row = rows.begin(); row != rows.end(); ++row) {
    for (const OptionRow* undone : options_in((*row)->opposites)) {
      if (std::find(rows.begin(), row, undone) != row) take_out(options, *undone);
    }
  }
}

void refuse_contradictions(const Options& options) {
  for (const OptionRow& row : option_table()) {
    if (row.excludes.empty() || !is_given(options, row)) continue;
    for (const OptionRow* excluded : options_in(row.excludes)) {
      if (is_given(options, *excluded)) fail(*excluded, row);
    }
  }
  // NULs end paths, templates, lines of -l and the rows of tables, whose names may have newlines.
  const bool number = !options.count.empty() && options.count.back() == "matches";
  if (options.null && number) fail(option_of(&Options::count), option_of(&Options::null));
}

void refuse_beside_listing(const Options& options) {
  if (options.arguments.empty() && options.json.empty() && options.fields.empty()) return;
  throw UsageError("--saved lists all saved searches, as text\n  for example: ffind --saved");
}

void refuse_beside_forgetting(const Options& options) {
  if (options.arguments.empty() && !options.list_saved) return;
  throw UsageError(
      "--forget removes a saved search and does nothing else\n  for example: ffind --forget big");
}

void refuse_beside_comparison(const Options& options) {
  static constexpr std::string_view others =
      "--json,--json-errors,--no-messages,--color,--hyperlink,--absolute,--mark,--progress,"
      "--no-progress,--stats,--threads,--method,--reader,--compare-readers,--no-config";
  const std::vector<const OptionRow*> allowed = options_in(others);
  const std::string_view scope = option_of(&Options::follow).group;
  for (const OptionRow& row : option_table()) {
    if (!is_given(options, row)) continue;
    const bool is_allowed = std::find(allowed.begin(), allowed.end(), &row) != allowed.end();
    const bool looks = row.group == scope && row.target != OptionTarget(&Options::cross_volumes);
    if (is_allowed || looks) continue;
    throw UsageError(text::format(
        "--compare-readers lists everything on one volume below each PATH: {} does not apply\n"
        "  for example: ffind --compare-readers ~/Documents",
        main_name(row)));
  }
}

Options followed_by(Options first, const Options& second) {
  first = with_arguments_as_options(std::move(first));
  take_out_undone(first, second);
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
