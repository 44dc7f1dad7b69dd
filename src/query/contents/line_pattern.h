// SPDX-License-Identifier: MIT
// A pattern matched against the lines of a text: each is matched as a name is, and nearly none
// needs to be, because what every match contains is looked for in all of them at once. Made by the
// test of contents, asked by content_scanner.cpp. Knows no files.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "query/contents/byte_finder.h"
#include "query/patterns/pattern.h"

namespace ffind::query {

/// Immutable and thread-safe.
class LinePattern {
 public:
  /// Throws UsageError for what cannot be compiled, and for what no line can match.
  explicit LinePattern(const PatternSpec& spec);

  /// Whether one of `lines` matches. They end with a line feed each, the last one may do without.
  bool found_in(std::string_view lines) const;
  /// Whether `part` of a line matches, which is no whole line; see Pattern::matches_part.
  bool found_in_part(std::string_view before, std::string_view part, std::string_view behind) const;

 private:
  bool found_in_ascii(std::string_view lines) const;
  bool found_outside_ascii(std::string_view lines) const;
  bool found_by_finder(std::string_view lines) const;
  bool found_in_each(std::string_view lines) const;
  bool may_be_spelt_otherwise(std::string_view lines) const;

  bool is_regex_;
  std::unique_ptr<const Pattern> pattern_;
  /// Rejects many lines in ASCII at once; null if they have to be matched one by one.
  std::unique_ptr<const Pattern> filter_;
  /// Looks for what every match contains, where that is ASCII.
  std::optional<ByteFinder> finder_;
  bool ascii_can_match_ = true;
  /// Spellings outside ASCII of what the finder looks for.
  std::vector<std::string_view> other_spellings_;
  bool any_letter_may_be_another_ = false;
};

}  // namespace ffind::query
