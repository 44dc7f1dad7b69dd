// SPDX-License-Identifier: MIT
// Search in the contents of files: LinePattern, ContentScanner and the test of contents.
//
// A LinePattern takes the fastest of three ways through a block of lines:
//
//     required text in ASCII   ByteFinder finds it in the whole block; only the lines around its
//                              occurrences are matched. A block that has a spelling of its letters
//                              outside ASCII (KELVIN SIGN for k) also takes a slower way
//     regular expression       runs of ASCII lines are tested by one RE2 match with ^ and $ at
//                              lines; if that succeeds, each line of the run is matched
//     otherwise                each line is matched
//
// Lines with characters outside ASCII are always matched one by one, because a letter has several
// spellings there. Most files arrive as one chunk that ends with a line, so nothing is copied.
#include "query/contents.h"

#include <algorithm>
#include <cstring>

#include "query/patterns/pattern.h"
#include "query/patterns/regex_syntax.h"
#include "query/predicates/predicates.h"
#include "text/ascii.h"
#include "text/utf8.h"

namespace ffind::query {
namespace {

/// Code points outside ASCII whose key is an ASCII character. The tests check all of Unicode for
/// others.
struct Spelling {
  std::string_view bytes;
  char kept;
  char folded;
};
constexpr Spelling spellings[] = {
    {"\xE2\x84\xAA", 'K', 'k'},  // KELVIN SIGN
    {"\xC5\xBF", '\0', 's'},     // LATIN SMALL LETTER LONG S
    {"\xCD\xBE", ';', ';'},      // GREEK QUESTION MARK
    {"\xE1\xBF\xAF", '`', '`'},  // GREEK VARIA
};

/// End of the line with the byte at `place`, without its line feed.
std::size_t line_end(std::string_view lines, std::size_t place) {
  return std::min(lines.find('\n', place), lines.size());
}

/// Beginning of that line; a line feed belongs to the line that it ends.
std::size_t line_begin(std::string_view lines, std::size_t place) {
  return place == 0 ? 0 : lines.rfind('\n', place - 1) + 1;  // npos + 1 is 0
}

/// Position of the first byte outside ASCII from `from` on, or the size. Tests 32 bytes at a time.
std::size_t first_outside_ascii(std::string_view bytes, std::size_t from) {
  const char* const begin = bytes.data();
  std::size_t at = from;
  for (; at + 32 <= bytes.size(); at += 32) {
    const std::uint64_t seen = text::load_word(begin + at) | text::load_word(begin + at + 8) |
                               text::load_word(begin + at + 16) | text::load_word(begin + at + 24);
    if ((seen & text::high_bits) != 0) break;
  }
  while (at < bytes.size() && static_cast<unsigned char>(begin[at]) < 0x80) ++at;
  return at;
}

/// Fails for a literal line feed, typed or as \n, which no line contains. In a class it is allowed:
/// [^\n] is common and means what it says.
void refuse_line_breaks(const PatternSpec& spec) {
  std::size_t place = std::string::npos;
  if (spec.kind == PatternKind::regex) {
    for (const RegexToken& token : tokens_of(spec.text)) {
      if (token.kind != RegexToken::Kind::letter || token.in_class) continue;
      if (token.letter != '\n') continue;
      place = token.position;
      break;
    }
  } else {
    place = spec.text.find('\n');
  }
  if (place == std::string::npos) return;
  text::fail_at(spec.source, spec.text, place,
                "contents are matched line by line, and no line contains a line break");
}

}  // namespace

LinePattern::LinePattern(const PatternSpec& spec)
    : is_regex_(spec.kind == PatternKind::regex), pattern_(compile_pattern(spec)) {
  if (spec.text.empty()) {
    text::fail_at(spec.source, spec.text, 0, "empty text is in every file that is not empty");
  }
  refuse_line_breaks(spec);
  const text::KeyRules& rules = pattern_->rules();
  // Chooses between the finder, the filter and neither. Texts that ASCII lines cannot contain leave
  // nothing to do for those: ascii_can_match_ is false.
  const std::string_view required = pattern_->required_literal();
  ascii_can_match_ = rules.without_accents || text::is_ascii(required);
  // A single byte occurs in too many lines to be worth finding, unless it is the whole pattern.
  if (text::is_ascii(required) && required.size() >= (is_regex_ ? 2U : 1U)) {
    finder_.emplace(std::string(required), rules.letter_case);
    for (const Spelling& spelling : spellings) {
      const char letter = rules.folds() ? spelling.folded : spelling.kept;
      if (letter != '\0' && required.find(letter) != std::string_view::npos) {
        other_spellings_.push_back(spelling.bytes);
      }
    }
  } else if (is_regex_) {
    filter_ = make_line_filter(spec.text, rules);
  }
}

// The finder decides alone unless the block has another spelling of a letter of its text, such as
// the Kelvin sign for k. Those are searched for only after it has failed.
bool LinePattern::found_in(std::string_view lines) const {
  if (!finder_) return found_outside_ascii(lines);
  if (found_by_finder(lines)) return true;
  return may_be_spelt_otherwise(lines) && found_outside_ascii(lines);
}

bool LinePattern::found_in_part(std::string_view before, std::string_view part,
                                std::string_view after) const {
  // Only regular expressions depend on the ends of a line and on adjacent text.
  if (!is_regex_) return found_in(part);
  return pattern_->matches_part(before, part, after);
}

bool LinePattern::may_be_spelt_otherwise(std::string_view lines) const {
  if (pattern_->rules().without_accents) return true;
  return std::any_of(other_spellings_.begin(), other_spellings_.end(), [&](std::string_view bytes) {
    return lines.find(bytes) != std::string_view::npos;
  });
}

/// Matches lines outside ASCII one by one and the runs of ASCII lines between them together.
bool LinePattern::found_outside_ascii(std::string_view lines) const {
  for (std::size_t from = 0; from < lines.size();) {
    const std::size_t place = first_outside_ascii(lines, from);
    // The line with that byte begins here; the run of ASCII lines ends before it.
    const std::size_t begin =
        place < lines.size() ? std::max(from, line_begin(lines, place)) : lines.size();
    if (begin > from && found_in_ascii(lines.substr(from, begin - from))) return true;
    if (begin == lines.size()) break;
    const std::size_t end = line_end(lines, place);
    if (pattern_->matches(lines.substr(begin, end - begin))) return true;
    from = end + 1;
  }
  return false;
}

bool LinePattern::found_in_ascii(std::string_view lines) const {
  // The finder has searched these lines already.
  if (!ascii_can_match_ || finder_) return false;
  if (filter_ && !filter_(lines)) return false;
  return found_in_each(lines);
}

/// Matches each line with an occurrence once: the search continues after the line.
bool LinePattern::found_by_finder(std::string_view lines) const {
  std::size_t place = finder_->find(lines, 0);
  while (place != ByteFinder::npos) {
    const std::size_t begin = line_begin(lines, place);
    const std::size_t end = line_end(lines, place);
    if (pattern_->matches(lines.substr(begin, end - begin))) return true;
    place = finder_->find(lines, end);
  }
  return false;
}

bool LinePattern::found_in_each(std::string_view lines) const {
  for (std::size_t from = 0; from < lines.size();) {
    const std::size_t end = line_end(lines, from);
    if (pattern_->matches(lines.substr(from, end - from))) return true;
    from = end + 1;
  }
  return false;
}

namespace {

/// Position to cut `text` at or shortly before `wanted`: before an ASCII byte if there is one, so
/// that neither a character nor a letter and its marks are separated; else between two characters.
std::size_t cut_before(std::string_view text, std::size_t wanted) {
  constexpr std::size_t far = 64;
  const std::size_t least = wanted > far ? wanted - far : 1;
  for (std::size_t at = wanted; at > least; --at) {
    if (static_cast<unsigned char>(text[at]) < 0x80) return at;
  }
  std::size_t at = wanted;
  while (at > least && text::is_continuation(text[at])) --at;
  return at;
}

}  // namespace

// The kind of file is decided by its first head_size bytes. A chunk that has them all, or all of
// the file, is scanned in place; smaller ones are collected first.
bool ContentScanner::take(std::string_view bytes, bool last) {
  if (done_) return false;
  if (begun_) {
    scan(bytes, last);
  } else if (head_.empty() && (last || bytes.size() >= head_size)) {
    begin(bytes);
  } else {
    head_.append(bytes);
    if (head_.size() >= head_size) begin(std::string(std::move(head_)));
  }
  return !done_;
}

// Handles all that waits for more bytes: a head shorter than head_size, half of a UTF-16 character,
// a last line without a line feed.
bool ContentScanner::found() {
  if (!begun_) begin(std::string(std::move(head_)));
  if (utf16_ && !done_) {
    std::string rest;
    utf16_->finish(rest);
    scan_text(rest, true);
  }
  if (!line_.empty() && !done_) search_line();
  done_ = true;
  return found_;
}

/// Determines the kind of file and scans the bytes read so far.
void ContentScanner::begin(std::string_view head) {
  begun_ = true;
  // Marks of UTF-16, either byte order; NULs are text there.
  if (head.starts_with("\xFF\xFE") || head.starts_with("\xFE\xFF")) {
    utf16_.emplace(head.front() == '\xFE');
    head.remove_prefix(2);
  } else if (!binary_ && head.substr(0, head_size).find('\0') != std::string_view::npos) {
    done_ = true;
  } else if (head.starts_with("\xEF\xBB\xBF")) {
    head.remove_prefix(3);  // no part of the first line
  }
  if (!done_) scan(head, false);
}

void ContentScanner::scan(std::string_view bytes, bool last) {
  if (!utf16_) return scan_text(bytes, last);
  std::string text;
  utf16_->append(bytes, text);
  scan_text(text, false);
}

//     kept line_    text                          searched
//     "foo b"       "ar\nbaz\nqux\nqu"            "foo bar", then "baz\nqux\n" in place
//                                                 "qu" is kept
void ContentScanner::scan_text(std::string_view text, bool last) {
  if (!line_.empty()) {
    const std::size_t end = text.find('\n');
    keep(text.substr(0, end));
    if (end == std::string_view::npos || done_) return;
    search_line();
    text.remove_prefix(end + 1);
  }
  if (done_) return;
  const std::size_t end = last ? text.size() : text.rfind('\n') + 1;  // 0 when there is none
  search(text.substr(0, end));
  if (!done_) keep(text.substr(end));
}

/// Buffers the beginning of a line until its end arrives. A full buffer is searched, and its second
/// half kept as the beginning of the next part:
///
///     line    |----------------|----------------|--------
///     parts   [                                ]
///                             [                          ]    a match of half the length is in one
void ContentScanner::keep(std::string_view text) {
  while (!text.empty() && !done_) {
    const std::size_t count = std::min(text.size(), longest_line - line_.size());
    line_.append(text.substr(0, count));
    text.remove_prefix(count);
    if (line_.size() < longest_line) continue;
    const std::size_t end = cut_before(line_, longest_line - 1);
    search_part(end);
    const std::size_t next = cut_before(line_, longest_line / 2);
    // For ^ and \b: the part does not begin the line.
    before_ = line_[next - 1];
    line_.erase(0, next);
  }
}

/// Searches the buffered line, which is complete.
void ContentScanner::search_line() {
  if (before_) {
    search_part(line_.size());
  } else {
    search(line_);
  }
  line_.clear();
  before_.reset();
}

/// Searches the buffered part of a line up to `end`.
void ContentScanner::search_part(std::size_t end) {
  const std::string_view line = line_;
  const std::string_view before = before_ ? std::string_view(&*before_, 1) : std::string_view();
  found_ = pattern_.found_in_part(before, line.substr(0, end), line.substr(end, 1));
  done_ = found_;
}

void ContentScanner::search(std::string_view lines) {
  found_ = !lines.empty() && pattern_.found_in(lines);
  done_ = found_;
}

namespace {

/// True for regular files of which a line matches. The pattern is shared by all threads; each entry
/// has a scanner of its own.
class ContentTest final : public Test {
 public:
  ContentTest(const PatternSpec& spec, bool binary)
      : pattern_(spec), spec_(spec), binary_(binary) {}

  bool holds(Entry& entry) const override {
    if (!is_of(entry, bit_of(FileType::file))) return false;
    if ((entry.failed & needs::contents) != 0) return false;  // has been reported
    ContentScanner scanner(pattern_, binary_);
    if (entry.loader == nullptr || !entry.loader->read_contents(entry, scanner)) {
      entry.failed |= needs::contents;
      return false;
    }
    return scanner.found();
  }

  Needs needs() const override { return needs::type | needs::contents; }
  int cost() const override { return 10'000; }  // for about 15,000 bytes

  Bound bound() const override { return {.types = bit_of(FileType::file)}; }

  std::string text() const override {
    return pattern_text(binary_ ? "contents binary" : "contents", spec_);
  }

 private:
  LinePattern pattern_;
  PatternSpec spec_;
  bool binary_;
};

}  // namespace

TestPointer content_test(const PatternSpec& spec, bool binary) {
  return std::make_shared<ContentTest>(spec, binary);
}

}  // namespace ffind::query
