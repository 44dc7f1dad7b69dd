// SPDX-License-Identifier: MIT
// A pattern matched against the lines of a text: each is matched as a name is, and nearly none
// needs to be, because what every match contains is looked for in all of them at once. Made by the
// test of contents and applied to the bytes of one file by the scanner below. Knows no files.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ffind/entry.h"
#include "query/patterns/byte_finder.h"
#include "query/patterns/pattern.h"
#include "text/utf8.h"

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

/// Belongs to one thread. Holds no more than a line, and no more of that than `longest_line`.
class ContentScanner final : public ContentReader {
 public:
  /// A NUL among so many first bytes makes a file binary; git looks as far.
  static constexpr std::size_t head_size = 8000;
  /// A longer line is matched in parts of that length, each of which begins in the middle of the
  /// one before it: what is no longer than half of that is found wherever it is.
  static constexpr std::size_t longest_line = std::size_t{256} * 1024;

  ContentScanner(const LinePattern& pattern, bool binary) : pattern_(pattern), binary_(binary) {}

  bool take(std::string_view bytes, bool last) override;
  /// Whether a line matches. To be asked when there are no more bytes.
  bool found();

 private:
  void begin(std::string_view head);
  void scan(std::string_view bytes, bool last);
  void scan_text(std::string_view text, bool last);
  void keep(std::string_view text);
  void search(std::string_view lines);
  void search_line();
  void search_part(std::size_t end);

  const LinePattern& pattern_;
  bool binary_;
  bool begun_ = false;  ///< it is known what kind of file it is
  bool done_ = false;
  bool found_ = false;
  std::string head_;  ///< until then, where it came in chunks
  std::optional<text::Utf16Decoder> utf16_;
  std::string line_;            ///< the beginning of a line whose end is still to come
  std::optional<char> before_;  ///< the byte before it, where it is a longer one's middle
};

}  // namespace ffind::query
