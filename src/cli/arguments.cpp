// SPDX-License-Identifier: MIT
// One pass over argv with the option table in hand. See arguments.h.
#include "cli/arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "cli/option_table.h"
#include "cli/suggest.h"
#include "ffind/issue.h"

namespace ffind {
namespace {

bool takes_value(const OptionRow& row) {
  return std::holds_alternative<ValueTarget>(row.target) && row.value_when_absent.empty();
}

constexpr std::string_view all_options = "\n  ffind --help lists all options";

/// For what find, fd or rg would take.
void refuse_habit(std::string_view whole) {
  const std::string advice = advice_on_habit(whole);
  if (!advice.empty()) throw UsageError(advice + std::string(all_options));
}

/// `name`, or the letter `name` of the argument `whole`.
[[noreturn]] void fail_unknown(std::string_view name, std::string_view whole) {
  refuse_habit(whole);
  std::string text = fmt::format("unknown option '{}'", name);
  if (name != whole) text += fmt::format(" in '{}'", whole);
  const std::string nearest = nearest_option(whole);
  if (!nearest.empty()) text += fmt::format("; did you mean '{}'?", nearest);
  throw UsageError(text + std::string(all_options));
}

/// Remembers the row of an option that was typed.
void note(const OptionRow* row, PreparedArguments& prepared) {
  auto& rows = prepared.rows;
  if (std::find(rows.begin(), rows.end(), row) == rows.end()) rows.push_back(row);
}

/// True when the value is the next argument.
bool scan_long(const std::string& argument, PreparedArguments& prepared) {
  const std::size_t equals = argument.find('=');
  const std::string_view name = std::string_view(argument).substr(0, equals);
  const OptionRow* const row = find_option(name);
  if (row == nullptr) fail_unknown(name, name);
  note(row, prepared);
  if (equals == std::string::npos && !row->value_when_absent.empty()) {
    prepared.options.push_back(fmt::format("{}={}", argument, row->value_when_absent));
    return false;
  }
  if (equals != std::string::npos && std::holds_alternative<FlagTarget>(row->target)) {
    throw UsageError(fmt::format("{} takes no value, but got '{}'\n  for example: ffind {}", name,
                                 argument.substr(equals + 1), name));
  }
  if (equals + 1 == argument.size()) fail_missing_value(name, *row);
  prepared.options.push_back(argument);
  return equals == std::string::npos && takes_value(*row);
}

/// A cluster such as -Ltf or -tf: letters up to the first that takes a value.
bool scan_short(const std::string& argument, PreparedArguments& prepared) {
  if (argument.size() > 2) refuse_habit(argument);
  for (std::size_t index = 1; index < argument.size(); ++index) {
    const std::string name{'-', argument[index]};
    const OptionRow* const row = find_option(name);
    if (row == nullptr) fail_unknown(name, argument);
    note(row, prepared);
    if (!takes_value(*row)) {
      prepared.options.push_back(name);
      continue;
    }
    prepared.options.push_back(name);
    std::string value = argument.substr(index + 1);
    if (value.empty()) return true;
    if (value.front() == '=') value.erase(0, 1);
    prepared.options.push_back(std::move(value));
    return false;
  }
  return false;
}

}  // namespace

void fail_missing_value(std::string_view name, const OptionRow& row) {
  const bool optional = !row.value_when_absent.empty();
  throw UsageError(fmt::format("{0} needs a value\n  for example: ffind {0}{1}{2}", name,
                               optional ? "=" : " ", optional ? row.value_when_absent : row.value));
}

PreparedArguments prepare(const std::vector<std::string>& arguments) {
  PreparedArguments prepared;
  bool is_value = false;
  bool after_dashes = false;
  for (const std::string& argument : arguments) {
    if (is_value) {
      prepared.options.push_back(argument);
      is_value = false;
    } else if (after_dashes || argument.size() < 2 || argument.front() != '-') {
      if (prepared.arguments.empty()) prepared.arguments_after_dashes = after_dashes;
      prepared.arguments.push_back(argument);
    } else if (argument == "--") {
      after_dashes = true;
    } else if (argument[1] == '-') {
      is_value = scan_long(argument, prepared);
    } else {
      is_value = scan_short(argument, prepared);
    }
  }
  return prepared;
}

}  // namespace ffind
