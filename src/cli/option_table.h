// SPDX-License-Identifier: MIT
// Every option, one row each: how it is spelt, what it says to people, where it goes. The parser,
// the help and the suggestions all read this one table.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "cli/options.h"

namespace ffind {

using FlagTarget = bool Options::*;
using ValueTarget = std::vector<std::string> Options::*;
/// Everything up to a lone `;` or the end, options and `--` included.
using CommandTarget = std::vector<std::vector<std::string>> Options::*;

struct OptionRow {
  std::string_view group;
  std::string_view names;  ///< "-e,--regex"
  std::string_view value;  ///< "RE"; empty for a flag
  std::string_view help;   ///< begins with a capital, ends with a full stop
  std::variant<FlagTarget, ValueTarget, CommandTarget> target;
  bool everyday = false;                    ///< in the short help
  std::string_view value_when_absent = {};  ///< not empty: the value is optional, given with `=`
  /// What other programs call it, accepted as well; with commas between them.
  std::string_view other_names = {};
};

const std::vector<OptionRow>& option_table();

/// "-e" and "--regex" of "-e,--regex".
std::vector<std::string_view> names_of(const OptionRow& row);

/// "--ext": what messages call it, and the parser knows it by.
std::string_view main_name(const OptionRow& row);

/// The row that `name` ("-e", "--regex") belongs to, other programs' names for it included; null
/// when there is none.
const OptionRow* find_option(std::string_view name);

}  // namespace ffind
