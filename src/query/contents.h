// SPDX-License-Identifier: MIT
// Search in the contents of files, line by line.
//
//     EntryLoader ──chunks of bytes──▶ ContentScanner ──whole lines──▶ LinePattern
//                                      one per file                    one per test, shared
//
// ContentScanner cuts chunks of any size into lines, detects binary files and decodes UTF-16.
// LinePattern decides whether one of several lines matches. A line matches like a name does, with
// the same rules for case and normalisation; but nearly all lines are rejected together, by a
// search for the text that every match must contain.
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
  /// Throws UsageError for a pattern that cannot be compiled or that no line can match.
  explicit LinePattern(const PatternSpec& spec);

  /// True if one of `lines` matches. Each ends in a line feed, which the last one may lack.
  bool found_in(std::string_view lines) const;
  /// True if `part`, a piece of a line, matches; `before` and `after` as in Pattern::matches_part.
  bool found_in_part(std::string_view before, std::string_view part, std::string_view after) const;

 private:
  bool found_in_ascii(std::string_view lines) const;
  bool found_outside_ascii(std::string_view lines) const;
  bool found_by_finder(std::string_view lines) const;
  bool found_in_each(std::string_view lines) const;
  bool may_be_spelt_otherwise(std::string_view lines) const;

  bool is_regex_;
  std::unique_ptr<const Pattern> pattern_;
  /// Rejects many ASCII lines at once; empty if they have to be matched one by one.
  LineFilter filter_;
  /// Finds the text that every match contains, if that is ASCII.
  std::optional<ByteFinder> finder_;
  bool ascii_can_match_ = true;
  /// Non-ASCII characters that fold to a letter of the finder's text.
  std::vector<std::string_view> other_spellings_;
};

/// Belongs to one thread. Buffers at most one line, or `longest_line` bytes of it.
class ContentScanner final : public ContentSink {
 public:
  /// A file with a NUL in its first 8,000 bytes is binary, as for git.
  static constexpr std::size_t head_size = 8000;
  /// Longer lines are matched in parts of this length, each starting in the middle of the previous
  /// one, so that matches of up to half this length are always found.
  static constexpr std::size_t longest_line = std::size_t{256} * 1024;

  ContentScanner(const LinePattern& pattern, bool binary) : pattern_(pattern), binary_(binary) {}

  bool take(std::string_view bytes, bool last) override;
  /// True if a line matches. Call once after the last bytes.
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
  bool begun_ = false;  ///< the kind of file is known
  bool done_ = false;
  bool found_ = false;
  std::string head_;  ///< first bytes, collected until begun_
  std::optional<text::Utf16Decoder> utf16_;
  std::string line_;            ///< beginning of a line whose end has not been read
  std::optional<char> before_;  ///< byte before line_, if that begins inside a line
};

}  // namespace ffind::query
