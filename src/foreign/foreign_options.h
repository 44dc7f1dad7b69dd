// SPDX-License-Identifier: MIT
// Options of fd, rg, grep, locate, ls and mdfind that are not ours, and what to make of each. Used
// by the translator of command lines (translator.h).
#pragma once

#include <string>
#include <string_view>

namespace ffind::foreign {

enum class Program : unsigned char { unknown, fd, rg, grep, locate, ls, mdfind };

/// What to make of an option that is not ours.
enum class Turn : unsigned char {
  drop,         ///< as it is anyway
  drop_value,   ///< with its value
  flag,         ///< becomes `here`
  value,        ///< becomes `here` with its value
  at_most,      ///< a size
  where_regex,  ///< also has to match
  negated_time,
};

struct Foreign {
  std::string_view name;
  Program program;
  Turn turn;
  std::string_view here = {};
};

/// Null when there is none.
const Foreign* find_foreign(std::string_view name);

/// rg's names for kinds of files, as extensions; empty where it has none.
std::string extensions_of(std::string_view type);

}  // namespace ffind::foreign
