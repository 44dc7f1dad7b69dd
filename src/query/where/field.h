// SPDX-License-Identifier: MIT
// The fields and flags of the expression language, one row each: their names, what they can be
// compared with, how a test is made of them. The parser reads the rows; cli makes options of them;
// the man page is held to them by a test. No syntax.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "query/where/comparison.h"

namespace ffind::query {

struct Field {
  std::string_view name;
  std::string_view other_names;  ///< with commas between them
  std::string_view example;
  Operators operators;
  Modifiers modifiers;
  Expression (*make)(const Comparison& comparison, const Meaning& meaning);
  bool value_may_have_spaces = false;  ///< bare, as in 7 days
  std::string_view list_of = {};       ///< "a kind", where a bare value may be several: pdf,docx
  bool has_key = false;                ///< a name may precede the operator
  bool needs_no_operator = false;      ///< a value alone is equality: has .git
};

/// A test without an operator.
struct Flag {
  std::string_view name;
  std::string_view other_names;
  /// Throws UsageError if the context cannot answer.
  Expression (*make)(const Meaning& meaning);
};

std::span<const Field> fields();
std::span<const Flag> flags();

/// By any of its names, in any case, with - for _; null when there is none.
const Field* find_field(std::string_view name);
const Flag* find_flag(std::string_view name);

/// The type that `word` means, in lower case, as in `type = dir`; nothing where it is none.
std::optional<FileType> find_type(std::string_view word);
/// The words that people have for types, letters left out.
std::vector<std::string_view> type_names();

/// Every name of every field and flag.
std::vector<std::string_view> field_and_flag_names();

}  // namespace ffind::query
