// SPDX-License-Identifier: MIT
// Options that were given, and facts about a row of the option table that follow from its columns.
#include "cli/options.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/option_table.h"
#include "text/ascii.h"
#include "text/problem.h"

namespace ffind::cli {

std::vector<std::string_view> words_in(std::string_view list) {
  std::vector<std::string_view> words;
  while (!list.empty()) words.push_back(text::take_part(list, ','));
  return words;
}

// No null in the result: the compiler has checked the lists of the table. Other lists have to name
// options, too.
std::vector<const OptionRow*> options_in(std::string_view list) {
  std::vector<const OptionRow*> rows;
  for (const std::string_view word : words_in(list)) rows.push_back(find_option(word));
  return rows;
}

bool has_in(std::string_view list, Id id) {
  while (!list.empty()) {
    if (find_option(text::take_part(list, ','))->id == id) return true;
  }
  return false;
}

std::vector<std::string_view> names_of(const OptionRow& row) {
  return words_in(row.names);
}

std::string_view main_name(const OptionRow& row) {
  return row.names.substr(row.names.rfind(',') + 1);
}

text::ValueSource source_of(Id id) {
  const OptionRow& row = option_of(id);
  return {std::string(main_name(row)), std::string(row.example)};
}

bool is_flag(const OptionRow& row) {
  return row.value.empty() && !has_optional_value(row);
}

bool has_optional_value(const OptionRow& row) {
  return row.value_when_absent.data() != nullptr;
}

bool is_switch(const OptionRow& row) {
  const bool on_or_off = is_flag(row) || has_optional_value(row);
  const bool is_filter = row.group == option_of(Id::type).group && row.id != Id::binary;
  return on_or_off && !is_filter && row.stored_in != StoredIn::no_file &&
         main_name(row).starts_with("--");
}

// Both directions: "--no-tree" finds --tree, and "--messages" finds --no-messages. Names that have
// a row, such as --no-hidden, never get here.
const OptionRow* find_undone(std::string_view name) {
  constexpr std::string_view no = "--no-";
  const OptionRow* row = nullptr;
  if (name.starts_with(no)) {
    row = find_option("--" + std::string(name.substr(no.size())));
  } else if (name.starts_with("--")) {
    row = find_option(std::string(no) + std::string(name.substr(2)));
  }
  return row != nullptr && is_switch(*row) ? row : nullptr;
}

bool is_pattern_option(Id id) {
  return std::find(pattern_options.begin(), pattern_options.end(), id) != pattern_options.end();
}

bool is_option_word(std::string_view word) {
  if (word.starts_with("--")) return find_option(word) != nullptr;
  if (word.size() < 2 || word[0] != '-') return false;
  for (const char letter : word.substr(1)) {
    const std::string name = {'-', letter};
    const OptionRow* const row = find_option(name);
    if (row == nullptr) return false;
    if (takes_value(*row)) return true;  // the rest is its value
  }
  return true;
}

bool is_own_option(std::string_view word_of_command) {
  const OptionRow* const row = find_option(word_of_command);
  return row != nullptr && (row->id == Id::dry_run || row->id == Id::confirm);
}

bool takes_value(const OptionRow& row) {
  return !row.value.empty() && !takes_command(row);
}

bool takes_command(const OptionRow& row) {
  return row.value == "CMD...";
}

bool Options::has(Id id) const {
  return std::any_of(given.begin(), given.end(),
                     [&](const Given& one) { return one.id == id && !one.off; });
}

bool Options::is_off(Id id) const {
  return std::any_of(given.begin(), given.end(),
                     [&](const Given& one) { return one.id == id && one.off; });
}

std::optional<Id> Options::data_format() const {
  for (const Id id : {Id::json, Id::csv, Id::tsv}) {
    if (has(id)) return id;
  }
  return {};
}

std::string Options::last(Id id, std::string_view otherwise) const {
  const auto found = std::find_if(given.rbegin(), given.rend(),
                                  [&](const Given& one) { return one.id == id && !one.off; });
  return found == given.rend() ? std::string(otherwise) : found->value;
}

std::vector<std::string> Options::all(Id id) const {
  std::vector<std::string> values;
  for (const Given& one : given) {
    if (one.id == id && !one.off) values.push_back(one.value);
  }
  return values;
}

std::vector<std::vector<std::string>> Options::commands(Id id) const {
  std::vector<std::vector<std::string>> all;
  for (const Given& one : given) {
    if (one.id == id) all.push_back(one.command);
  }
  return all;
}

void Options::add(Id id, std::string value) {
  given.push_back({.id = id, .value = std::move(value)});
}

void Options::take_out(Id id) {
  std::erase_if(given, [&](const Given& one) { return one.id == id && !one.off; });
}

}  // namespace ffind::cli
