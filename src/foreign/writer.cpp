// SPDX-License-Identifier: MIT
// Options as the words of a command line, to be read and pasted.
#include <algorithm>
#include <utility>

#include "cli/option_table.h"
#include "foreign/tables.h"
#include "text/quoting.h"

namespace ffind::foreign {

using cli::Given;

namespace {

/// "--type" if it was typed so, else "-t". A letter of a cluster is written alone.
std::string name_of(const Given& one, const Words& typed) {
  const cli::OptionRow& row = cli::option_of(one.id);
  if (one.word < typed.size()) {
    std::string name = typed[one.word].substr(0, typed[one.word].find('='));
    if (one.off || cli::find_option(name) == &row) return name;
  }
  return std::string(names_of(row).front());
}

/// Adds an option with its value, or with the words of its command, to the words of `line`.
void add(cli::Options& line, Given one, const Words& typed) {
  const cli::OptionRow& row = cli::option_of(one.id);
  Words& words = line.words;
  words.push_back(name_of(one, typed));
  one.word = words.size() - 1;
  line.begins.push_back(one.word);
  words.insert(words.end(), one.command.begin(), one.command.end());
  if (takes_value(row)) words.push_back(one.value);
  const bool has_value = has_optional_value(row) && !one.off && one.value != row.value_when_absent;
  one.value_at = has_value ? words.back().size() + 1 : 0;
  if (has_value) words.back() += "=" + one.value;
  one.value_word = takes_value(row) || has_value ? words.size() - 1 : UsagePlace::unknown;
  line.given.push_back(std::move(one));
}

/// Adds an argument.
void add(cli::Options& line, const std::string& argument) {
  line.begins.push_back(line.words.size());
  line.argument_places.push_back(line.words.size());
  line.arguments.push_back(argument);
  line.words.push_back(argument);
}

}  // namespace

cli::Options rewritten(const cli::Options& line) {
  const auto is_command = [](const Given& one) { return takes_command(cli::option_of(one.id)); };
  const auto acts = [](const Given& one) {
    return cli::option_of(one.id).group == cli::option_of(cli::Id::exec).group;
  };
  const bool has_field = !line.arguments.empty() && !line.arguments_after_dashes &&
                         lists("name path", line.arguments.front()) &&
                         std::any_of(line.given.begin(), line.given.end(), [](const Given& one) {
                           return cli::is_pattern_option(one.id);
                         });
  cli::Options result;
  if (has_field) add(result, line.arguments.front());
  for (const Given& one : line.given) {
    if (!is_command(one) && !acts(one)) add(result, one, line.words);
  }
  result.arguments_after_dashes = line.arguments_after_dashes && !line.arguments.empty();
  if (result.arguments_after_dashes) {
    result.begins.push_back(result.words.size());
    result.words.emplace_back("--");
  }
  for (std::size_t i = has_field ? 1 : 0; i < line.arguments.size(); ++i) {
    add(result, line.arguments[i]);
  }
  for (const Given& one : line.given) {
    if (!is_command(one) && acts(one)) add(result, one, line.words);
  }
  for (const Given& one : line.given) {
    if (!is_command(one)) continue;
    if (std::exchange(result.command_is_open, true)) result.words.emplace_back(";");
    add(result, one, line.words);
  }
  return result;
}

Words written(const cli::Options& line) {
  return rewritten(line).words;
}

std::string line_to_paste(const Words& words) {
  std::string line = "ffind";
  for (const std::string& word : words) line += ' ' + text::shell_word(word);
  return line;
}

}  // namespace ffind::foreign
