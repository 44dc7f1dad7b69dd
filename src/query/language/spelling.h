// SPDX-License-Identifier: MIT
// Spelling values as the expression language reads them. Used by the tests' text().
#pragma once

#include <string>
#include <string_view>

#include "text/range.h"

namespace ffind::query {

/// In double quotes, with \" \\ and \xNN for what would steer a terminal or is not UTF-8, so that
/// the text survives being printed, put into JSON and typed again.
std::string quoted(std::string_view text);
/// Whether `text`, in any case, is one of those that a bare value must not be: and, or, not, in.
bool is_word_of_the_language(std::string_view text);
/// As it is where no quotes are needed: letters, digits and . _ - +
std::string bare_or_quoted(std::string_view text);

/// "type = file", "type in (file, fifo)"; `word` spells a value.
template <typename Values, typename Word>
std::string equality_text(std::string_view field, const Values& values, Word word) {
  std::string list;
  for (const auto& value : values) {
    if (!list.empty()) list += ", ";
    list += word(value);
  }
  const std::string name(field);
  return values.size() == 1 ? name + " = " + list : name + " in (" + list + ')';
}

/// "size = 1..5", "size >= 7"; "false" for a range that holds nothing. Read again, it is the same
/// range to the byte and the nanosecond.
std::string range_text(std::string_view field, const text::SizeRange& range);
std::string range_text(std::string_view field, const text::TimeRange& range);
std::string range_text(std::string_view field, const text::DepthRange& range);

}  // namespace ffind::query
