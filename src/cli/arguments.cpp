// SPDX-License-Identifier: MIT
// One pass over argv with the option table in hand. See arguments.h.
#include "cli/arguments.h"

#include <algorithm>
#include <string_view>

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

}  // namespace ffind::cli
