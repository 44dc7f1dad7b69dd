// SPDX-License-Identifier: MIT
// Fuzzes the scanner of files' contents: no way of cutting a file into pieces changes what is found
// in it, and that is what its lines, matched one by one, say. Input: a byte that chooses the
// pattern, one that chooses sizes of pieces; the text of the pattern; NUL; the file.
#include <algorithm>
#include <string>

#include "fuzz/fuzz.h"
#include "query/contents.h"

namespace ffind::fuzz::contents_fuzz {

namespace {

bool found(const query::LinePattern& pattern, std::string_view bytes, std::size_t piece,
           bool binary, bool tell_last) {
  query::ContentScanner scanner(pattern, binary);
  while (!bytes.empty()) {
    const std::size_t size = std::min(piece, bytes.size());
    if (!scanner.take(bytes.substr(0, size), tell_last && size == bytes.size())) break;
    bytes.remove_prefix(size);
    piece = piece % 13 + 1;
  }
  return scanner.found();
}

bool found_line_by_line(const query::Pattern& pattern, std::string_view bytes) {
  for (std::size_t from = 0; from < bytes.size();) {
    const std::size_t end = std::min(bytes.find('\n', from), bytes.size());
    if (pattern.matches(bytes.substr(from, end - from))) return true;
    from = end + 1;
  }
  return false;
}

}  // namespace

FUZZ_TARGET(contents) {
  Input input(data, size);
  const auto choice = input.take<std::uint8_t>();
  const auto piece = static_cast<std::size_t>(input.take<std::uint8_t>()) + 1;
  query::PatternSpec spec;
  spec.kind = (choice & 1U) != 0 ? query::PatternKind::regex : query::PatternKind::contains;
  spec.case_rule = static_cast<query::CaseRule>((choice >> 1U) % 3);
  spec.text = input.take_until('\0');
  const bool binary = (choice & 8U) != 0;
  const std::string_view bytes = input.rest();
  try {
    const query::LinePattern pattern(spec);
    const bool whole = found(pattern, bytes, bytes.size() + 1, binary, true);
    require(found(pattern, bytes, piece, binary, false) == whole, "pieces change nothing");
    require(found(pattern, bytes, piece, binary, true) == whole, "nor does knowing the last one");
    const bool is_text = bytes.find('\0') == std::string_view::npos || binary;
    const bool marked = bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF") ||
                        bytes.starts_with("\xEF\xBB\xBF");
    if (marked || !is_text) return 0;
    require(found_line_by_line(*compile_pattern(spec), bytes) == whole, "a line matches");
  } catch (const UsageError&) {
    return 0;
  }
  return 0;
}

}  // namespace ffind::fuzz::contents_fuzz
