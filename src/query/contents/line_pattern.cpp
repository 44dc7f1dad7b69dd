// SPDX-License-Identifier: MIT
// Lines outside ASCII are matched one by one, since a letter has many spellings there; all others
// are looked through together. See line_pattern.h.
#include "query/contents/line_pattern.h"

#include <algorithm>
#include <cstring>

#include "query/patterns/regex.h"
#include "query/patterns/regex_tokens.h"
#include "text/ascii.h"

namespace ffind::query {
namespace {

/// Code points outside ASCII that mean one in it: their keys are the second column's. Tests go
/// through all of Unicode for others.
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

struct Line {
  std::size_t begin;
  std::size_t end;  ///< without its line feed
};

Line line_at(std::string_view lines, std::size_t place) {
  const std::size_t before = place == 0 ? std::string_view::npos : lines.rfind('\n', place - 1);
  return {before == std::string_view::npos ? 0 : before + 1,
          std::min(lines.find('\n', place), lines.size())};
}

std::string_view part(std::string_view lines, const Line& line) {
  return lines.substr(line.begin, line.end - line.begin);
}

/// The first byte outside ASCII; the size if there is none.
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
  const bool folding = pattern_->ignores_case();
  const text::KeyCase key_case = folding ? text::KeyCase::folded : text::KeyCase::kept;
  const std::string_view required = pattern_->required_literal();
  any_letter_may_be_another_ = spec.ignore_diacritics;
  ascii_can_match_ = spec.ignore_diacritics || text::is_ascii(required);
  // A single byte is in too many lines to pay for matching each of them, unless it is all there is.
  if (text::is_ascii(required) && required.size() >= (is_regex_ ? 2U : 1U)) {
    finder_.emplace(std::string(required), key_case);
    for (const Spelling& spelling : spellings) {
      const char letter = folding ? spelling.folded : spelling.kept;
      if (letter != '\0' && required.find(letter) != std::string_view::npos) {
        other_spellings_.push_back(spelling.bytes);
      }
    }
  } else if (is_regex_) {
    filter_ = make_line_filter(spec.text, {key_case, spec.ignore_diacritics});
  }
}

bool LinePattern::found_in(std::string_view lines) const {
  if (!finder_) return found_outside_ascii(lines);
  if (found_by_finder(lines)) return true;
  return may_be_spelt_otherwise(lines) && found_outside_ascii(lines);
}

bool LinePattern::found_in_part(std::string_view before, std::string_view part,
                                std::string_view behind) const {
  // Only an expression depends on where a line ends, and on what is beside it.
  if (!is_regex_) return found_in(part);
  return pattern_->matches_part(before, part, behind);
}

bool LinePattern::may_be_spelt_otherwise(std::string_view lines) const {
  if (any_letter_may_be_another_) return true;
  return std::any_of(other_spellings_.begin(), other_spellings_.end(), [&](std::string_view bytes) {
    return lines.find(bytes) != std::string_view::npos;
  });
}

/// Goes from line to line outside ASCII, and looks through what lies between them together.
bool LinePattern::found_outside_ascii(std::string_view lines) const {
  for (std::size_t from = 0; from < lines.size();) {
    const std::size_t place = first_outside_ascii(lines, from);
    const std::size_t begin =
        place < lines.size() ? std::max(from, line_at(lines, place).begin) : lines.size();
    if (begin > from && found_in_ascii(lines.substr(from, begin - from))) return true;
    if (begin == lines.size()) break;
    const Line line{begin, std::min(lines.find('\n', place), lines.size())};
    if (pattern_->matches(part(lines, line))) return true;
    from = line.end + 1;
  }
  return false;
}

bool LinePattern::found_in_ascii(std::string_view lines) const {
  // What the finder was to find, it has looked for before.
  if (!ascii_can_match_ || finder_) return false;
  if (filter_ && !filter_->matches(lines)) return false;
  return found_in_each(lines);
}

bool LinePattern::found_by_finder(std::string_view lines) const {
  std::size_t place = finder_->find(lines, 0);
  while (place != ByteFinder::npos) {
    const Line line = line_at(lines, place);
    if (pattern_->matches(part(lines, line))) return true;
    place = finder_->find(lines, line.end);
  }
  return false;
}

bool LinePattern::found_in_each(std::string_view lines) const {
  for (std::size_t from = 0; from < lines.size();) {
    const Line line{from, std::min(lines.find('\n', from), lines.size())};
    if (pattern_->matches(part(lines, line))) return true;
    from = line.end + 1;
  }
  return false;
}

}  // namespace ffind::query
