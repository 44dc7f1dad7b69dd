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
  std::string_view advice = {};  ///< what it is here, for messages; an option, or half a sentence
};

/// Null when there is none.
const Foreign* find_foreign(std::string_view name);

/// rg's names for kinds of files, as extensions; empty where it has none.
std::string extensions_of(std::string_view type);

// --- Predicates by their form

enum class Form : unsigned char {
  nothing,      ///< changes nothing here
  constant,     ///< -true, -false
  unknown,      ///< has no counterpart
  syntax,       ///< -regextype
  depth_first,  ///< -depth
  max_depth,
  min_depth,
  root_list,
  name,
  path,
  regex,
  type,
  size,
  permissions,
  count,
  account,
  days,
  minutes,
  newer,
  beside,  ///< a file, whose modification a time is compared with
  file,
  flag,
  link_text,
  file_system,
  action,
  command,
  format,
  junction,
  advice_only,  ///< not read as a predicate
};

/// The words after a word of find that belong to it.
enum class Values : unsigned char { none, one, two, command };

/// A word of find's command line.
struct Predicate {
  std::string_view word;
  Values values;
  std::string_view advice;  ///< what to type here, for messages: an example, or half a sentence
  Form form;
  std::string_view here = {};   ///< an option, or the action
  std::string_view field = {};  ///< of the expression language
};

/// Null if there is none. A dash too many is forgiven.
const Predicate* find_predicate(std::string_view word);

/// True for a predicate of find, as `-name`; a dash too many is forgiven.
bool is_find_predicate(std::string_view word);

/// True for an option, test, action or operator of find(1) of several letters, as "-uid", also with
/// "=VALUE". Such a word is never a cluster of short options.
bool is_word_of_find(std::string_view word);
const Predicate* find_word_of_find(std::string_view word);

}  // namespace ffind::foreign
