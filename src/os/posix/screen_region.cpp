// SPDX-License-Identifier: MIT
// Rows by control sequences:
//
//     CSI 6 n   where is the cursor? CSI row ; column R     CSI ? 7 l, h    lines wrap
//     ESC 7, 8  save and restore the cursor                 CSI ? 25 l, h   the cursor is shown
//     CSI J, K  erase to the end of the screen, the line    CSI r ; c H     move to row and column
//     CSI ? 1049 h, l                                       the alternate screen is shown
#include "os/posix/screen_region.h"

#include <algorithm>
#include <iterator>

namespace ffind::os {
namespace {

/// Time for the cursor's place: over slow lines a round trip takes a tenth of a second.
constexpr int cursor_milliseconds = 500;
/// A prompt, a line of counts and one entry.
constexpr std::size_t least_rows = 3;

void append_move(std::string& out, std::size_t row, std::size_t column) {
  out += "\x1b[";
  out += std::to_string(row + 1);
  out += ';';
  out += std::to_string(column + 1);
  out += 'H';
}

}  // namespace

std::optional<ScreenPlace> ScreenRegion::cursor() {
  send_("\x1b[6n");
  return keys_.cursor_reply(cursor_milliseconds);
}

bool ScreenRegion::enter(ScreenSize terminal) {
  if (is_whole()) {
    send_("\x1b[?1049h");
    follow(terminal);
    return true;
  }
  const std::optional<ScreenPlace> place_now = cursor();
  if (!place_now || place_now->row >= terminal.rows) return false;
  rows_above_ = place_now->column > 0 ? 1 : 0;
  std::size_t rows = height_.percent > 0 ? terminal.rows * height_.percent / 100 : height_.rows;
  rows = std::max(rows, least_rows);
  if (rows + rows_above_ > terminal.rows) return false;
  size_ = {rows, terminal.columns};
  place(terminal, *place_now, place_now->row + rows_above_);
  return true;
}

/// Scrolls up if the region would end below the screen, and saves the cursor's place.
void ScreenRegion::place(ScreenSize terminal, ScreenPlace saved, std::size_t begin) {
  std::string out;
  const std::size_t end = begin + size_.rows;
  const std::size_t hidden = end - std::min(end, terminal.rows);
  if (hidden > 0) {
    append_move(out, terminal.rows - 1, 0);
    out.append(hidden, '\n');
  }
  begin_ = begin - std::min(begin, hidden);
  saved_column_ = saved.column;
  append_move(out, begin_ - std::min(begin_, rows_above_), saved.column);
  out += "\x1b\x37";
  append_move(out, begin_, 0);
  out += "\x1b[J";
  send_(out);
  shown_.assign(size_.rows, {});
}

/// The cursor is in the first row of the region, wherever the terminal has moved that.
void ScreenRegion::follow(ScreenSize terminal) {
  if (is_whole()) {
    size_ = terminal;
    send_("\x1b[0m\x1b[H\x1b[J");
    shown_.assign(size_.rows, {});
    return;
  }
  const ScreenPlace found = cursor().value_or(ScreenPlace{begin_, 0});
  size_ = {std::clamp<std::size_t>(size_.rows, 1, terminal.rows), terminal.columns};
  if (height_.percent > 0) {
    size_.rows = std::clamp<std::size_t>(terminal.rows * height_.percent / 100,
                                         std::min(least_rows, terminal.rows), terminal.rows);
  } else {
    size_.rows = std::min(std::max(height_.rows, least_rows), terminal.rows);
  }
  const std::size_t begin = std::min(found.row, terminal.rows - 1);
  rows_above_ = std::min(rows_above_, begin);
  // The row of the saved place may have scrolled off; then it is the region's first.
  const std::size_t column = rows_above_ > 0 ? std::min(saved_column_, terminal.columns - 1) : 0;
  place(terminal, {begin, column}, begin);
}

/// A whole screen is erased for a terminal without an alternate one, such as Linux's console.
std::string_view ScreenRegion::ending() const {
  return is_whole() ? "\x1b[?7h\x1b[0m\x1b[H\x1b[J\x1b[?1049l\x1b[?25h"
                    : "\x1b[?7h\x1b[0m\x1b\x38\x1b[J\x1b[?25h";
}

void ScreenRegion::append_style(std::string& out, const TextStyle& style) const {
  constexpr std::uint8_t bright = 8;
  constexpr std::uint8_t indexed = 16;
  out += "\x1b[0";
  if (style.bold) out += ";1";
  if (style.dim) out += ";2";
  if (style.underline) out += ";4";
  if (style.reverse) out += ";7";
  if (style.color && colors_ > 0) {
    const std::uint8_t color = *style.color;
    if (color < bright) {
      out += ";3" + std::to_string(color);
    } else if (color < indexed) {
      out += (color < colors_ ? ";9" : ";3") + std::to_string(color - bright);
    } else if (color < colors_) {
      out += ";38;5;" + std::to_string(color);
    }
  }
  out += 'm';
}

/// Blanks have the style of what is before them, unless they would look different.
std::vector<ScreenRegion::Cell> ScreenRegion::cells_of(const ScreenRow& row) {
  std::vector<Cell> cells;
  for (const StyledText& part : row) {
    for (const char byte : part.text) {
      const bool is_blank = byte == ' ' && !part.style.underline && !part.style.reverse;
      TextStyle style = is_blank ? TextStyle{} : part.style;
      if (is_blank && !cells.empty() && !cells.back().style.underline &&
          !cells.back().style.reverse) {
        style = cells.back().style;
      }
      cells.push_back({byte, style});
    }
  }
  return cells;
}

/// Leaves out what both rows have at their begin and, if they are equally long, at their end. The
/// column of a byte is known only in ASCII: a terminal may count those of others differently.
void ScreenRegion::append_change(std::string& out, std::size_t row, const std::vector<Cell>& was,
                                 const std::vector<Cell>& now) const {
  const auto is_other = [](const Cell& cell) { return (cell.byte & 0x80) != 0; };
  const auto in_ascii = [&](const std::vector<Cell>& cells) {
    return std::none_of(cells.begin(), cells.end(), is_other);
  };
  auto [from, old] = std::mismatch(now.begin(), std::find_if(now.begin(), now.end(), is_other),
                                   was.begin(), std::find_if(was.begin(), was.end(), is_other));
  // An accent that follows, or followed, belongs to the letter before it.
  const bool has_accent =
      (from != now.end() && is_other(*from)) || (old != was.end() && is_other(*old));
  if (has_accent && from != now.begin()) --from;
  auto end = now.end();
  const bool is_ascii = in_ascii(was) && in_ascii(now);
  if (is_ascii && was.size() == now.size()) {
    end = std::mismatch(now.rbegin(), std::make_reverse_iterator(from), was.rbegin()).first.base();
  }
  append_move(out, begin_ + row, static_cast<std::size_t>(from - now.begin()));
  // Erased first: after its last column a terminal that does not wrap is still in that.
  if (!is_ascii || was.size() > now.size()) out += "\x1b[K";
  TextStyle style;
  for (; from != end; ++from) {
    if (!(from->style == style)) append_style(out, from->style);
    style = from->style;
    out += from->byte;
  }
  if (!(style == TextStyle{})) out += "\x1b[0m";
}

/// Sends what has changed, in one write, so that a half of a picture is hardly ever seen.
void ScreenRegion::draw(std::span<const ScreenRow> rows, ScreenPlace cursor) {
  // Lines do not wrap: a terminal may count the columns of a character differently.
  std::string out = "\x1b[?25l\x1b[?7l";
  for (std::size_t row = 0; row < size_.rows; ++row) {
    std::vector<Cell> cells = row < rows.size() ? cells_of(rows[row]) : std::vector<Cell>();
    if (cells == shown_[row]) continue;
    append_change(out, row, shown_[row], cells);
    shown_[row] = std::move(cells);
  }
  out += "\x1b[?7h";
  append_move(out, begin_ + std::min(cursor.row, size_.rows - 1), cursor.column);
  out += "\x1b[?25h";
  if (!send_(out)) shown_.assign(size_.rows, {Cell{'\xff', {}}});
}

}  // namespace ffind::os
