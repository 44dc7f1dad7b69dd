// SPDX-License-Identifier: MIT
// Rows are made of cells, each a character and its style. Cells are left out if there is no room:
// the beginning of a path, the parts of the prompt far from the cursor, the end of everything else.
// Text that is longer than its row is shortened before it is cut into cells, which take fifty times
// its memory, so the cost of a picture depends on the screen alone.
//
//     row 0          > invoice ext:pdf           prompt_row(): around the cursor
//     row 1            12 of 98304, searching    status_row(): counts, or a notice
//     list           >*1.2M doc/2026/invoice.pdf  entry_row(): current, marked, the value that the
//                       48k …ry/long/invoice.pdf   list is sorted by, its bar if the list is of one
//                                                  level, path with marks; a long path begins with
//                                                  an ellipsis
//     pane           on the right from 100 columns on, else in the lower half
#include "pick/picture.h"

#include <algorithm>
#include <array>
#include <utility>

#include "output/usage.h"
#include "pick/letters_apart.h"
#include "pick/pick.h"
#include "pick/preview.h"
#include "text/format.h"
#include "text/quoting.h"
#include "text/unicode.h"
#include "text/utf8.h"

namespace ffind::pick {
namespace {

using os::ScreenRow;
using os::TextStyle;

constexpr std::uint8_t green = 2;
constexpr std::uint8_t yellow = 3;
constexpr std::uint8_t red = 1;
constexpr std::uint8_t cyan = 6;

constexpr std::string_view prompt_sign = "> ";
constexpr std::string_view left_out = "\u2026";  // one column

/// A character with the marks that combine with it; 0 columns only for a mark without a letter
/// before.
struct Cell {
  std::string text;
  std::size_t columns = 0;
  TextStyle style{};
};
using Cells = std::vector<Cell>;

std::size_t columns_of(const Cells& cells) {
  std::size_t columns = 0;
  for (const Cell& cell : cells) columns += cell.columns;
  return columns;
}

/// Appends the cells of `text`, which is escaped already. A combining mark joins the cell before
/// it, so that cutting cells never separates the two.
void append(Cells& cells, std::string_view text, const TextStyle& style) {
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view character = text.substr(at, text::decode_utf8(text, at).length);
    const std::size_t columns = text::columns_of(character);
    if (columns == 0 && !cells.empty()) {
      cells.back().text += character;
    } else {
      cells.push_back({std::string(character), columns, style});
    }
    at += character.size();
  }
}

/// Returns the bytes to look at for `columns`, since characters may take none: a letter may have
/// several combining marks.
std::size_t most_bytes(std::size_t columns) {
  constexpr std::size_t bytes_per_column = 16;
  return (columns + 4) * bytes_per_column;
}

/// Returns a beginning of `text` that takes more than `columns`, or all of it.
std::string_view beginning_of(std::string_view text, std::size_t columns) {
  std::size_t at = 0;
  const std::size_t most = std::min(text.size(), most_bytes(columns));
  for (std::size_t used = 0; at < most && used <= columns;) {
    const std::size_t length = text::decode_utf8(text, at).length;
    used += text::columns_of(text.substr(at, length));
    at += length;
  }
  return text.substr(0, at);
}

/// Returns the index from which `text` takes more than `columns`; 0 if all of it is needed.
std::size_t begin_of_end(std::string_view text, std::size_t columns) {
  std::size_t at = text.size();
  const std::size_t least = at - std::min(at, most_bytes(columns));
  for (std::size_t used = 0; at > least && used <= columns;) {
    const std::size_t end = at--;
    while (at > least && end - at < 4 && text::is_continuation(text[at])) --at;
    used += text::columns_of(text.substr(at, end - at));
  }
  return at;
}

/// Appends the cells of `bytes`, escaped if `escapes`: the text that they are part of decides that.
/// `style_at` returns the style of the byte at an index.
template <typename StyleAt>
void append_escaped(Cells& cells, std::string_view bytes, bool escapes, StyleAt style_at) {
  for (std::size_t at = 0; at < bytes.size();) {
    const std::string_view character = bytes.substr(at, text::decode_utf8(bytes, at).length);
    // As for the whole text: backslashes are doubled if other bytes are escaped.
    if (!escapes) {
      append(cells, character, style_at(at));
    } else if (character == "\\") {
      append(cells, "\\\\", style_at(at));
    } else {
      append(cells, text::escaped(character), style_at(at));
    }
    at += character.size();
  }
}

/// Joins neighbours of the same style into one piece of text.
ScreenRow row_of(const Cells& cells) {
  ScreenRow row;
  for (const Cell& cell : cells) {
    if (row.empty() || !(row.back().style == cell.style)) row.push_back({{}, cell.style});
    row.back().text += cell.text;
  }
  return row;
}

/// Keeps the first cells that fit.
void keep_first(Cells& cells, std::size_t columns) {
  std::size_t used = 0;
  std::size_t kept = 0;
  while (kept < cells.size() && used + cells[kept].columns <= columns) {
    used += cells[kept++].columns;
  }
  cells.resize(kept);
}

/// The same, with an ellipsis for the others.
void cut_end(Cells& cells, std::size_t columns) {
  if (columns_of(cells) <= columns) return;
  keep_first(cells, columns - std::min<std::size_t>(columns, 1));
  if (columns > 0) append(cells, left_out, {.dim = true});
}

/// Keeps the last cells that fit, after an ellipsis. `is_cut`: text before them is already out.
void cut_begin(Cells& cells, std::size_t columns, bool is_cut) {
  std::size_t used = columns_of(cells);
  if (used <= columns && !is_cut) return;
  std::size_t dropped = 0;
  while (dropped < cells.size() && used + 1 > columns) used -= cells[dropped++].columns;
  cells.erase(cells.begin(), cells.begin() + static_cast<std::ptrdiff_t>(dropped));
  if (columns > 0) cells.insert(cells.begin(), {std::string(left_out), 1, {.dim = true}});
}

struct Span {
  std::size_t begin;
  std::size_t end;
};

bool is_boundary(std::string_view text, std::size_t at) {
  return at == text.size() || !text::is_continuation(text[at]);
}

/// Finds the first place in `text` that `mark` is in: the shortest beginning that contains it, and
/// the shortest end of that; or the last place, which is at the end. The former by bisection: a
/// text that contains it makes longer ones do so, too.
///
/// A mark has no place of its own, as a pattern may match folded, decomposed or accented letters:
/// only "is it in this text" can be queried. Bisection stays on the boundaries of characters: a
/// text cut within one is not UTF-8, and patterns match that as bytes.
std::optional<Span> find(const Mark& mark, std::string_view text) {
  if (!mark.is_in(text)) return {};
  std::size_t low = 0;
  std::size_t high = text.size();
  while (low < high && !mark.at_end) {
    std::size_t middle = (low + high) / 2;
    while (!is_boundary(text, middle)) --middle;
    // There is no boundary between `low` and the middle.
    if (middle < low) middle = low;
    if (mark.is_in(text.substr(0, middle))) {
      high = middle;
    } else {
      low = middle + 1;
      while (low < high && !is_boundary(text, low)) ++low;
    }
  }
  // The shortest beginning that contains it ends where the first place ends.
  const std::size_t end = high;
  std::size_t begin = end;
  while (!mark.is_in(text.substr(begin, end - begin))) {
    do --begin;
    while (begin > 0 && !is_boundary(text, begin));
  }
  return Span{begin, end};
}

/// Spans in the whole path, to be shown in bold. They may overlap.
std::vector<Span> marked_in(const std::vector<Mark>& marks, const ShownEntry& entry) {
  const std::string path = entry.directory + entry.name;
  std::vector<Span> spans;
  for (const Mark& mark : marks) {
    if (mark.apart) {
      for (const std::size_t place : mark.apart->places(path, entry.directory.size())) {
        spans.push_back({place, place + text::decode_utf8(path, place).length});
      }
      continue;
    }
    // In the name rather than in the directories: people look there.
    if (const auto span = find(mark, entry.name)) {
      spans.push_back({span->begin + entry.directory.size(), span->end + entry.directory.size()});
    } else if (const auto in_path = mark.in_name ? std::nullopt : find(mark, path)) {
      spans.push_back(*in_path);
    }
  }
  return spans;
}

TextStyle style_of_name(const ShownEntry& shown, const output::Palette* palette) {
  if (palette == nullptr) return {.bold = shown.type == FileType::directory};
  Entry entry;
  entry.name = shown.name;
  entry.type = shown.type;
  // By type and suffix only: nothing is statted for a colour.
  entry.present = needs::type;
  return style_of(palette->color_of(entry));
}

/// Returns the end of an entry's path that fits into `columns`.
Cells cells_of(const ShownEntry& entry, const std::vector<Mark>& marks,
               const output::Palette* palette, std::size_t columns) {
  const std::string path = entry.directory + entry.name;
  const std::size_t begin = begin_of_end(path, columns);
  const std::vector<Span> spans = marked_in(marks, entry);
  const TextStyle of_directory = {.dim = true};
  const TextStyle of_name = style_of_name(entry, palette);
  Cells cells;
  const bool escapes = text::needs_escaping(path);
  append_escaped(cells, std::string_view(path).substr(begin), escapes, [&](std::size_t place) {
    const std::size_t at = begin + place;
    TextStyle style = at < entry.directory.size() ? of_directory : of_name;
    const bool marked = std::any_of(spans.begin(), spans.end(), [&](const Span& span) {
      return at >= span.begin && at < span.end;
    });
    if (!marked) return style;
    style.bold = true;
    style.dim = false;
    style.underline = palette == nullptr;
    if (palette != nullptr) style.color = green;
    return style;
  });
  if (entry.type == FileType::directory) append(cells, "/", of_name);
  cut_begin(cells, columns, begin > 0);
  return cells;
}

/// Columns of the values that the list is sorted by, which are before the paths: as wide as the
/// widest on the screen, and at least as a size. 0 if there are none, or little room.
std::size_t value_columns_of(const std::vector<ShownEntry>& entries, std::size_t columns) {
  constexpr std::size_t size_columns = 4;
  constexpr std::size_t least_for_paths = 20;
  std::size_t widest = 0;
  for (const ShownEntry& entry : entries) {
    widest = std::max(widest, text::columns_of(entry.value));
  }
  if (widest == 0) return 0;
  widest = std::max(widest, size_columns);
  return widest + least_for_paths <= columns ? widest : 0;
}

/// A row of the list, after ">" for the current entry and "*" for a marked one. The bar of the
/// current entry is as wide as the list.
ScreenRow entry_row(const PickPicture& picture, std::size_t index, std::size_t columns,
                    std::size_t value_columns, const output::Palette* palette) {
  const ShownEntry& entry = picture.entries[index];
  const bool is_current = picture.current == index;
  Cells sign;
  append(sign, is_current ? ">" : " ", {.bold = true});
  append(sign, entry.is_marked ? "*" : " ", {.color = yellow, .bold = true});
  if (value_columns > 0) {
    append(sign, std::string(value_columns - text::columns_of(entry.value), ' '), {});
    append(sign, entry.value + ' ', {.color = cyan});
  }
  if (const std::size_t bar = output::bar_columns(columns); entry.share && bar > 0) {
    std::string text;
    output::append_bar(text, *entry.share, 0, bar, true);
    append(sign, text + "  ", {});
  }
  cut_end(sign, columns);
  const std::size_t room = columns - columns_of(sign);
  Cells cells = cells_of(entry, picture.marks, palette, room);
  if (is_current) {
    append(cells, std::string(room - std::min(room, columns_of(cells)), ' '), {});
    for (Cell& cell : cells) {
      cell.style.reverse = true;
      cell.style.dim = false;
    }
  }
  cells.insert(cells.begin(), sign.begin(), sign.end());
  return row_of(cells);
}

struct DrawnPrompt {
  ScreenRow row;
  std::size_t cursor;  ///< column
};

/// Returns the part of the prompt around the cursor that fits.
DrawnPrompt prompt_row(const PickPicture& picture, std::size_t columns) {
  const std::size_t sign = prompt_sign.size();
  // One column stays free for the cursor after the text.
  const std::size_t room = columns > sign + 1 ? columns - sign - 1 : 0;
  const std::string_view prompt = picture.prompt;
  // No more than what fits on either side; which of it is shown is decided by columns, once there
  // are cells.
  const std::size_t first = begin_of_end(prompt.substr(0, picture.cursor), room);
  const std::size_t last =
      picture.cursor + beginning_of(prompt.substr(picture.cursor), room).size();
  Cells cells;
  const auto append_part = [&](std::size_t begin, std::size_t end) {
    append_escaped(cells, prompt.substr(begin, end - begin), text::needs_escaping(prompt),
                   [&](std::size_t place) {
                     const std::size_t at = begin + place;
                     for (const UnfinishedTerm& term : picture.unfinished) {
                       if (at < term.begin || at >= term.end) continue;
                       return TextStyle{.color = red, .underline = true};
                     }
                     return TextStyle{};
                   });
  };
  append_part(first, picture.cursor);
  std::size_t to_cursor = columns_of(cells);
  append_part(picture.cursor, last);
  // Scrolls to the right until the cursor is in the row.
  std::size_t begin = 0;
  while (to_cursor > room) to_cursor -= cells[begin++].columns;
  cells.erase(cells.begin(), cells.begin() + static_cast<std::ptrdiff_t>(begin));
  keep_first(cells, room);
  Cells all;
  append(all, prompt_sign, {.bold = true});
  all.insert(all.end(), cells.begin(), cells.end());
  cut_end(all, columns);
  return {row_of(all), sign + to_cursor};
}

/// Keys to begin with, at the right of the counts if there is room.
constexpr std::string_view first_keys = "Enter print  Esc leave  Tab mark  F1 or ? keys";

/// 12 of 98304, 2 marked, searching, by size reversed, 1 error
std::string status_text(const PickPicture& picture) {
  const PickStatus& status = picture.status;
  const bool is_over = !status.is_searching && !status.is_narrowing;
  std::string text = is_over && status.found == 0
                         ? std::string("nothing found")
                         : text::format("{} of {}", status.matches, status.found);
  if (!status.space.empty()) text += ", " + status.space;
  if (!status.place.empty()) text += text::format(" in {}", text::escaped(status.place));
  if (status.is_apart && status.matches > 0) text += ", letters apart";
  if (status.marked > 0) text += text::format(", {} marked", status.marked);
  if (status.is_searching) {
    text += ", searching";
  } else if (status.is_narrowing) {
    text += ", narrowing";
  }
  const auto [order, reversed] = status.sort;
  if (order == PickOrder::found) {
    text += reversed ? ", as found, reversed" : ", as found";
  } else if (order != PickOrder::match || reversed) {
    text += text::format(", by {}{}", to_text(order), reversed ? " reversed" : "");
  }
  if (status.errors > 0) {
    text += text::format(", {} error{}", status.errors, status.errors == 1 ? "" : "s");
  }
  return text;
}

/// A notice; or the counts, and the reason of the first unfinished term or of what is missing, or
/// else the first keys.
ScreenRow status_row(const PickPicture& picture, std::size_t columns) {
  Cells cells;
  append(cells, "  ", {});
  if (!picture.status.notice.empty()) {
    const std::string_view notice = beginning_of(picture.status.notice, columns);
    append(cells, text::escaped(notice), {.color = yellow});
  } else {
    append(cells, status_text(picture), {.dim = true});
    constexpr std::size_t gap = 4;
    const std::string& reason =
        picture.unfinished.empty() ? picture.status.reason : picture.unfinished.front().reason;
    if (!reason.empty()) {
      append(cells, "  " + text::escaped(beginning_of(reason, columns)), {.color = red});
    } else if (const std::size_t used = columns_of(cells);
               used + gap + first_keys.size() <= columns) {
      append(cells, std::string(columns - first_keys.size() - used, ' '), {});
      append(cells, first_keys, {.dim = true});
    }
  }
  cut_end(cells, columns);
  return row_of(cells);
}

/// Appends a line of the pane to a row. Sequences in it are SGR: all else is escaped.
void add_pane_line(ScreenRow& row, std::size_t column, std::string_view line, std::size_t columns) {
  std::size_t used = 0;
  for (const os::StyledText& part : row) used += text::columns_of(part.text);
  if (used < column) row.push_back({std::string(column - used, ' '), {}});
  Cells cells;
  if (column > 0) append(cells, "\u2502 ", {.dim = true});
  TextStyle style;
  while (!line.empty()) {
    if (line.front() == '\x1b') {
      const std::size_t end = std::min(line.find('m'), line.size() - 1);
      apply_sgr(style, line.substr(2, end - 2));
      line.remove_prefix(end + 1);
      continue;
    }
    const std::string_view run = line.substr(0, line.find('\x1b'));
    line.remove_prefix(run.size());
    append(cells, beginning_of(run, columns), style);
  }
  cut_end(cells, columns);
  for (os::StyledText& part : row_of(cells)) row.push_back(std::move(part));
}

/// Lines of the pane of keys next to each other: as many as fit, but no more than are needed.
std::size_t key_lines_in_row(std::size_t columns) {
  return std::clamp<std::size_t>(columns / key_line_columns, 1, 3);
}

std::size_t key_rows(std::size_t columns) {
  const std::size_t in_row = key_lines_in_row(columns);
  return (key_lines().size() + in_row - 1) / in_row;
}

/// Draws a row of the pane of keys. The lines run down the first column, then down the next.
ScreenRow keys_row(std::size_t row, std::size_t columns) {
  const std::size_t rows = key_rows(columns);
  Cells cells;
  for (std::size_t at = row; row < rows && at < key_lines().size(); at += rows) {
    const std::size_t begin = at / rows * key_line_columns;
    append(cells, std::string(begin - std::min(begin, cells.size()), ' '), {});
    append(cells, key_lines()[at].keys, {.bold = true});
    const std::size_t effect = begin + key_columns;
    append(cells, std::string(effect - std::min(effect, cells.size()), ' '), {});
    append(cells, key_lines()[at].effect, {});
  }
  cut_end(cells, columns);
  return row_of(cells);
}

}  // namespace

std::string_view to_text(PickOrder order) {
  constexpr std::array<std::string_view, pick_orders> words = {"match", "name",     "path", "size",
                                                               "space", "modified", "found"};
  return words[static_cast<std::size_t>(order)];
}

os::TextStyle style_of(std::string_view sgr) {
  os::TextStyle style;
  apply_sgr(style, sgr);
  return style;
}

PickLayout layout_of(os::ScreenSize size, PickPane pane) {
  constexpr std::size_t head = 2;  // prompt and status
  constexpr std::size_t wide = 100;
  PickLayout layout;
  layout.list_row = std::min(head, size.rows);
  layout.list_rows = size.rows - layout.list_row;
  layout.list_columns = size.columns;
  if (pane == PickPane::none || layout.list_rows == 0) return layout;
  if (pane == PickPane::keys) {
    layout.pane_row = layout.list_row;
    std::swap(layout.pane_rows, layout.list_rows);
    layout.pane_columns = size.columns;
    return layout;
  }
  // Wide enough for two columns of text.
  if (size.columns >= wide) {
    layout.list_columns = size.columns / 2;
    layout.pane_row = layout.list_row;
    layout.pane_column = layout.list_columns;
    layout.pane_rows = layout.list_rows;
    layout.pane_columns = size.columns - layout.list_columns;
  } else {
    layout.pane_rows = layout.list_rows / 2;
    layout.list_rows -= layout.pane_rows;
    layout.pane_row = layout.list_row + layout.list_rows;
    layout.pane_columns = size.columns;
  }
  return layout;
}

std::size_t text_columns(const PickLayout& layout) {
  const std::size_t rule = layout.pane_column > 0 ? 2 : 0;
  return layout.pane_columns - std::min(layout.pane_columns, rule);
}

std::vector<std::string> arranged(const std::vector<std::string>& details, std::size_t columns) {
  constexpr std::size_t gap = 2;
  const std::size_t half = columns / 2;
  const auto end = std::find(details.begin(), details.end(), std::string());
  std::vector<std::string> lines;
  std::optional<std::size_t> open;  // index of the row whose second half is free
  for (auto line = details.begin(); line != end; ++line) {
    const std::size_t used = text::columns_of(*line);
    const bool is_short = used + gap <= half;
    if (is_short && open) {
      std::string& row = lines[*open];
      row.append(half - text::columns_of(row), ' ');
      row += *line;
      open.reset();
      continue;
    }
    if (is_short) open = lines.size();
    lines.push_back(*line);
  }
  lines.insert(lines.end(), end, details.end());
  return lines;
}

std::size_t hidden_key_rows(const PickLayout& layout) {
  const std::size_t rows = key_rows(layout.pane_columns);
  return rows - std::min(rows, layout.pane_rows);
}

DrawnPicture draw(const PickPicture& picture, os::ScreenSize size, const output::Palette* palette) {
  DrawnPicture drawn;
  drawn.rows.resize(size.rows);
  const PickLayout layout = layout_of(size, picture.pane);
  if (size.rows > 0) {
    DrawnPrompt prompt = prompt_row(picture, size.columns);
    drawn.cursor = {0,
                    std::min(prompt.cursor, size.columns - std::min<std::size_t>(size.columns, 1))};
    drawn.rows[0] = std::move(prompt.row);
  }
  if (size.rows > 1) drawn.rows[1] = status_row(picture, size.columns);
  const std::size_t shown = std::min(picture.entries.size(), layout.list_rows);
  const std::size_t value_columns = value_columns_of(picture.entries, layout.list_columns);
  for (std::size_t i = 0; i < shown; ++i) {
    drawn.rows[layout.list_row + i] =
        entry_row(picture, i, layout.list_columns, value_columns, palette);
  }
  for (std::size_t i = 0; i < layout.pane_rows; ++i) {
    ScreenRow& row = drawn.rows[layout.pane_row + i];
    if (picture.pane == PickPane::keys) {
      row = keys_row(picture.keys_top + i, layout.pane_columns);
      continue;
    }
    const std::string_view line =
        i < picture.details.size() ? std::string_view(picture.details[i]) : std::string_view();
    add_pane_line(row, layout.pane_column, line, layout.pane_columns);
  }
  // Removes the colours of marks, values, notices, unfinished terms and commands.
  if (palette != nullptr) return drawn;
  for (ScreenRow& row : drawn.rows) {
    for (os::StyledText& part : row) part.style.color.reset();
  }
  return drawn;
}

}  // namespace ffind::pick
