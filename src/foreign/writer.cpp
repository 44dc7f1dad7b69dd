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
    const std::string name = typed[one.word].substr(0, typed[one.word].find('='));
    if (one.off || cli::find_option(name) == &row) return name;
  }
  return std::string(names_of(row).front());
}

/// Adds an option with its value, or with the words of its command.
void add(Words& words, const Given& one, const Words& typed) {
  const cli::OptionRow& row = cli::option_of(one.id);
  words.push_back(name_of(one, typed));
  words.insert(words.end(), one.command.begin(), one.command.end());
  if (takes_value(row)) words.push_back(one.value);
  const bool has_value = has_optional_value(row) && !one.off && one.value != row.value_when_absent;
  if (has_value) words.back() += "=" + one.value;
}

}  // namespace

Words written(const cli::Options& line) {
  const auto is_command = [](const Given& one) { return takes_command(cli::option_of(one.id)); };
  const auto acts = [](const Given& one) {
    return cli::option_of(one.id).group == cli::option_of(cli::Id::exec).group;
  };
  const bool has_field = !line.arguments.empty() && !line.arguments_after_dashes &&
                         lists("name path", line.arguments.front()) &&
                         std::any_of(line.given.begin(), line.given.end(), [](const Given& one) {
                           return cli::is_pattern_option(one.id);
                         });
  Words words;
  if (has_field) words.push_back(line.arguments.front());
  for (const Given& one : line.given) {
    if (!is_command(one) && !acts(one)) add(words, one, line.words);
  }
  if (line.arguments_after_dashes && !line.arguments.empty()) words.emplace_back("--");
  words.insert(words.end(), line.arguments.begin() + (has_field ? 1 : 0), line.arguments.end());
  for (const Given& one : line.given) {
    if (!is_command(one) && acts(one)) add(words, one, line.words);
  }
  bool follows = false;
  for (const Given& one : line.given) {
    if (!is_command(one)) continue;
    if (std::exchange(follows, true)) words.emplace_back(";");
    add(words, one, line.words);
  }
  return words;
}

std::string line_to_paste(const Words& words) {
  std::string line = "ffind";
  for (const std::string& word : words) line += ' ' + text::shell_word(word);
  return line;
}

}  // namespace ffind::foreign
