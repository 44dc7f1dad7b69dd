// SPDX-License-Identifier: MIT
// The bytes of one file on their way to a pattern: cut into lines, whatever chunks they come in;
// binary files recognised by their beginning, UTF-16 turned into UTF-8. Made by the test of
// contents for each file. Knows no pattern's insides, and no files.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "ffind/entry.h"
#include "query/contents/line_pattern.h"
#include "text/utf8.h"

namespace ffind::query {

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
