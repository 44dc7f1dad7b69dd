// SPDX-License-Identifier: MIT
// Renders usage errors: the reason, the value with a caret under the position, and a corrected line
// or an example. The value is laid out as a row of cells, so that the caret is right under wide
// characters, marks and escapes, and long values are cut on both sides.
//
// rendered() writes the parts of an error in this order; a line without its part is left out:
//
//     --size: unknown unit 'Q'              place: what, guess
//       10Q                                 the value, and the caret under its position
//         ^
//       try: ffind --size 10G               a corrected line, or else
//       for example: --size 10M             an example, advice, a manual page
#include "text/problem.h"

#include <algorithm>
#include <charconv>
#include <system_error>
#include <vector>

#include "text/format.h"
#include "text/quoting.h"
#include "text/unicode.h"
#include "text/utf8.h"

namespace ffind::text {
namespace {

/// Returns the character at `position`; empty if the bytes there are not UTF-8.
std::string_view character_at(std::string_view text, std::size_t position) {
  if (position >= text.size()) return {};
  const Decoded character = decode_utf8(text, position);
  return character.valid ? text.substr(position, character.length) : std::string_view();
}

/// One visible unit: a character with its marks, or an escaped byte.
struct Cell {
  std::string text;
  std::size_t begin;   ///< position of its first byte in the value
  std::size_t column;  ///< its first column
};

struct Row {
  std::vector<Cell> cells;
  std::size_t columns = 0;
};

/// Splits `text` into cells. "a\xFF\u00E9" with a bad byte in the middle has the cells a, \xff, é
/// at the columns 0, 1 and 5.
Row row_of(std::string_view text) {
  Row row;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    std::string shown(plain_character_at(text, at));
    std::size_t columns = shown.size();
    if (!shown.empty()) {
      columns = columns_of(next_code_point(text, at));
    } else {
      // Byte by byte, so that a position inside an invalid character has a column of its own.
      const char byte = text[at++];
      shown = byte == '\n' ? "\\n" : byte == '\t' ? "\\t" : text::format("\\x{:02x}", byte & 0xFF);
      columns = shown.size();
    }
    if (columns == 0 && !row.cells.empty()) {
      row.cells.back().text += shown;  // a mark
    } else {
      row.cells.push_back({shown, begin, row.columns});
    }
    row.columns += columns;
  }
  return row;
}

// A terminal of 80 columns without the indentation; a wrapped line would misplace the caret.
constexpr std::size_t most_columns = 70;
// More to the left of the position than to the right: the cause is seldom after it.
constexpr std::size_t most_columns_before = 45;

struct Shown {
  std::string text;
  std::size_t column = 0;  ///< column of the given position
};

/// Shows all of `text`, or the part around `position` if it is wider than `most`.
Shown show(std::string_view text, std::size_t position, std::size_t most) {
  const Row row = row_of(text);
  std::size_t column = row.columns;
  if (position < text.size()) {
    for (const Cell& cell : row.cells) {
      // The last cell that begins at or before the position, which may be inside a character.
      if (cell.begin <= position) column = cell.column;
    }
  }
  // The window [from, from + most) of columns. It ends with the text at the latest, so that a
  // position near the end does not waste its right half.
  std::size_t from = 0;
  if (row.columns > most) {
    from = std::min(column - std::min(column, most_columns_before), row.columns - most);
  }
  Shown shown;
  std::size_t first = row.columns;
  bool cut = false;
  for (std::size_t i = 0; i < row.cells.size() && !cut; ++i) {
    const Cell& cell = row.cells[i];
    if (cell.column < from) {
      shown.text = "…";
      continue;
    }
    first = std::min(first, cell.column);
    const std::size_t end = i + 1 < row.cells.size() ? row.cells[i + 1].column : row.columns;
    cut = row.columns > most && end > from + most;
    shown.text += cut ? "…" : cell.text;
  }
  // The ellipsis on the left is a column of its own.
  shown.column = column - first + (from > 0 ? 1 : 0);
  return shown;
}

}  // namespace

std::string_view plain_character_at(std::string_view text, std::size_t position) {
  const std::string_view character = character_at(text, position);
  std::size_t ignored = 0;
  const bool plain = !character.empty() && !misleads(next_code_point(character, ignored));
  return plain ? character : std::string_view();
}

// Counts characters, not bytes, so that none is cut.
std::string beginning_of(std::string_view text) {
  constexpr std::size_t enough = 40;
  std::size_t end = 0;
  for (std::size_t count = 0; count < enough && end < text.size(); ++count) {
    end += std::max<std::size_t>(character_at(text, end).size(), 1);
  }
  return std::string(text.substr(0, end)) + (end < text.size() ? "…" : "");
}

std::string excerpt(std::string_view text) {
  return escaped(beginning_of(text));
}

void fail_at(const ValueSource& source, std::string_view text, std::size_t position,
             std::string_view what, std::string_view guess) {
  UsageParts parts;
  // The reason may quote a part of the value, so it is escaped too, but not cut.
  parts.what = show(what, 0, std::string::npos).text;
  parts.guess = show(guess, 0, std::string::npos).text;
  parts.place = {.option = source.option, .value = std::string(text), .position = position};
  parts.example = source.example;
  throw ValueError(std::move(parts));
}

std::uint64_t Scanner::take_number() {
  const std::size_t first = position_;
  const std::string_view digits = take_digits();
  if (digits.empty()) {
    fail(first, done() ? "a number is missing" : quote(take_word()) + " is not a number");
  }
  std::uint64_t number = 0;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (read.ec != std::errc()) fail(first, "this number is too large");
  return number;
}

namespace {

/// Edits that make `b` of `a`, a swap of neighbours counting as one ("szie", "size"): the distance
/// of Damerau and Levenshtein, restricted to swaps of letters that are not edited again. rows[i][j]
/// is the distance between the first i bytes of `a` and the first j of `b`.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> rows(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) rows[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) rows[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = rows[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      rows[i][j] = std::min({rows[i - 1][j] + 1, rows[i][j - 1] + 1, replaced});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) rows[i][j] = std::min(rows[i][j], rows[i - 2][j - 2] + 1);
    }
  }
  return rows[a.size()][b.size()];
}

}  // namespace

std::string nearest(std::string_view word, const std::vector<std::string_view>& candidates) {
  std::string_view best;
  // A longer text is no misspelt word, and the distance takes quadratic time.
  if (word.size() > 64) return {};
  // One or two letters are equally near to every short word.
  if (word.size() < 3) return {};
  // One edit in four letters of the longer word: "sze" is size, but "siz"
  // is no "six". The first of equally near candidates wins.
  std::size_t least = std::string::npos;
  for (const std::string_view candidate : candidates) {
    const std::size_t apart = distance(word, candidate);
    if (apart < least && 4 * apart <= std::max(word.size(), candidate.size())) {
      least = apart;
      best = candidate;
    }
  }
  return std::string(best);
}

std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& candidates) {
  const std::string meant = nearest(word, candidates);
  return meant.empty() ? std::string() : "; did you mean '" + meant + "'?";
}

}  // namespace ffind::text

namespace ffind {
namespace {

/// The value with a caret below the place, unless the message quotes all of it: once is enough.
std::string shown_place(const UsageParts& parts) {
  const UsagePlace& place = parts.place;
  if (place.position == UsagePlace::unknown || place.value.empty()) return {};
  const text::Shown shown = text::show(place.value, place.position, text::most_columns);
  if (parts.what.find("'" + shown.text + "'") != std::string::npos) return {};
  return text::format("\n  {}\n  {}^", shown.text, std::string(shown.column, ' '));
}

}  // namespace

// Each part is escaped, so that no name in it adds a line to the message.
std::string rendered(const UsageParts& parts) {
  std::string message;
  for (const std::string* const before : {&parts.place.source, &parts.place.option}) {
    if (!before->empty()) message.append(text::escaped(*before)).append(": ");
  }
  message += text::escaped(parts.what);
  if (parts.suggestion.empty()) message += text::escaped(parts.guess);
  message += shown_place(parts);
  const auto add = [&message](std::string_view label, const std::string& line) {
    if (!line.empty()) message.append("\n  ").append(label).append(text::escaped(line));
  };
  add("", parts.reason);
  for (const UsageMeaning& one : parts.meanings) add(one.purpose + ": ", one.line);
  if (!parts.suggestion.empty()) {
    add("try: ", parts.suggestion);
  } else {
    add("for example: ", parts.example);
    add("", parts.advice);
    for (const std::string& line : parts.list) add("", line);
    add("", parts.see);
  }
  add("", parts.note);
  return message;
}

}  // namespace ffind
