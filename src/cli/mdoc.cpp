// SPDX-License-Identifier: MIT
// A page is rendered line by line. Text and the arguments of macros become Pieces, which pile up
// until a paragraph is complete; then it is wrapped:
//
//     .It Fl S , -size Ar RANGE       a tag: the first line of the next paragraph
//     The size of a regular file;     a piece for each word
//     .Cm 10M                         a bold piece
//     .Pp                             end of the paragraph
//
// Lists nest: each has the indentation of its items. The rows of a table are kept until its end,
// when the widths of its columns are known.
#include "cli/mdoc.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "text/ascii.h"
#include "text/format.h"
#include "text/unicode.h"

namespace ffind::cli {
namespace {

enum class Font : unsigned char { plain, bold, underlined };

/// A word or a part of one. Pieces without a space between them are never separated by a line end.
struct Piece {
  std::string text;
  Font font;
  bool space_before;
};

using Pieces = std::vector<Piece>;

/// The text of an escape, and the rest of the line after it.
struct Escape {
  std::string_view source;
  std::string_view text;
};

constexpr Escape escapes[] = {
    {"\\e", "\\"},  {"\\&", ""},    {"\\-", "-"},   {"\\(dq", "\""}, {"\\(aq", "'"},
    {"\\(ti", "~"}, {"\\(:o", "ö"}, {"\\('e", "é"}, {"\\(/o", "ø"},  {"\\(/l", "ł"},
    {"\\(ss", "ß"}, {"\\(ts", "ς"}, {"\\(*s", "σ"}, {"\\(*S", "Σ"},
};

/// Replaces the escapes; one that is not in the table stays, and the test of the pages finds it.
std::string unescaped(std::string_view source) {
  std::string text;
  while (!source.empty()) {
    const auto* const found =
        std::find_if(std::begin(escapes), std::end(escapes),
                     [&](const Escape& escape) { return source.starts_with(escape.source); });
    if (found == std::end(escapes)) {
      text += source.front();
      source.remove_prefix(1);
    } else {
      text += found->text;
      source.remove_prefix(found->source.size());
    }
  }
  return text;
}

/// Splits a macro line at blanks; double quotes keep blanks in an argument.
std::vector<std::string_view> arguments_of(std::string_view line) {
  std::vector<std::string_view> arguments;
  while (true) {
    const std::size_t begin = line.find_first_not_of(' ');
    if (begin == std::string_view::npos) return arguments;
    line.remove_prefix(begin);
    const bool quoted = line.front() == '"';
    if (quoted) line.remove_prefix(1);
    const std::size_t end = std::min(line.find(quoted ? '"' : ' '), line.size());
    arguments.push_back(line.substr(0, end));
    line.remove_prefix(std::min(end + 1, line.size()));
  }
}

bool is_closing(std::string_view argument) {
  return argument.size() == 1 &&
         std::string_view(".,:;)]?!").find(argument.front()) != std::string_view::npos;
}

bool is_opening(std::string_view argument) {
  return argument == "(" || argument == "[";
}

/// Macros whose arguments are words in a font.
struct FontMacro {
  std::string_view name;
  Font font;
};

constexpr FontMacro font_macros[] = {
    {"Fl", Font::bold},       {"Cm", Font::bold},       {"Sy", Font::bold},  {"Nm", Font::bold},
    {"Ar", Font::underlined}, {"Pa", Font::underlined}, {"Li", Font::plain}, {"Ev", Font::plain},
    {"Dv", Font::plain},      {"Sx", Font::plain},      {"No", Font::plain},
};

/// Macros whose arguments are put in quotes or brackets, up to the punctuation at their end.
struct EnclosingMacro {
  std::string_view name;
  std::string_view before;
  std::string_view after;
};

constexpr EnclosingMacro enclosing_macros[] = {
    {"Pq", "(", ")"}, {"Op", "[", "]"}, {"Ql", "‘", "’"},
    {"Sq", "‘", "’"}, {"Dq", "“", "”"}, {"Qq", "\"", "\""},
};

/// The halves of such a pair, on lines of their own or in one.
struct HalfMacro {
  std::string_view name;
  std::string_view text;
  bool opens;
};

constexpr HalfMacro half_macros[] = {
    {"Po", "(", true}, {"Pc", ")", false}, {"Qo", "\"", true}, {"Qc", "\"", false}};

template <typename Table>
auto* row_called(const Table& table, std::string_view name) {
  const auto* const found = std::find_if(std::begin(table), std::end(table),
                                         [&](const auto& row) { return row.name == name; });
  return found == std::end(table) ? nullptr : found;
}

/// Turns the arguments of macro lines, and lines of text, into pieces.
class Words {
 public:
  void add_text(std::string_view line) {
    for (const std::string_view word : arguments_of_text(line)) put(unescaped(word), Font::plain);
  }

  /// Adds a macro line. Returns false if its first word is no macro for words.
  bool add_macro(std::string_view line) {
    const std::vector<std::string_view> arguments = arguments_of(line);
    if (arguments.empty() || !is_macro(arguments.front())) return false;
    add(arguments, 0, arguments.size());
    return true;
  }

  void add_arguments(std::string_view line) {
    const std::vector<std::string_view> arguments = arguments_of(line);
    add(arguments, 0, arguments.size());
  }

  bool empty() const { return cells_.size() == 1 && cells_.front().empty(); }

  /// Takes what was added: one cell, unless there were column separators.
  std::vector<Pieces> take() {
    glued_ = false;
    return std::exchange(cells_, std::vector<Pieces>(1));
  }

 private:
  static std::vector<std::string_view> arguments_of_text(std::string_view line) {
    std::vector<std::string_view> words;
    while (!line.empty()) {
      const std::string_view word = text::take_part(line, ' ');
      if (!word.empty()) words.push_back(word);
    }
    return words;
  }

  static bool is_macro(std::string_view name) {
    return name == "Ns" || name == "Ta" || name == "Xr" || name == "Pf" ||
           row_called(font_macros, name) != nullptr ||
           row_called(enclosing_macros, name) != nullptr ||
           row_called(half_macros, name) != nullptr;
  }

  void put(std::string text, Font font) {
    cells_.back().push_back({std::move(text), font, !glued_ && !cells_.back().empty()});
    glued_ = false;
  }

  void put_glued(std::string_view text) {
    glued_ = true;
    put(std::string(text), Font::plain);
  }

  /// An argument of a font macro. A quoted one may contain blanks, where it may be wrapped.
  void put_argument(std::string_view argument, Font font, std::string_view prefix) {
    std::string text(prefix);
    text += unescaped(argument);
    for (const std::string_view word : arguments_of_text(text)) put(std::string(word), font);
  }

  /// Adds the arguments [from, to). A font lasts until the next macro; punctuation between its
  /// arguments is plain: "Fl F , e" is -F, -e.
  void add(const std::vector<std::string_view>& arguments, std::size_t from, std::size_t to) {
    Font font = Font::plain;
    std::string_view prefix;
    for (std::size_t i = from; i < to; ++i) {
      const std::string_view argument = arguments[i];
      if (is_closing(argument)) {
        put_glued(argument);
      } else if (is_opening(argument)) {
        put(std::string(argument), Font::plain);
        glued_ = true;
      } else if (argument == "|") {
        put("|", Font::plain);
      } else if (is_macro(argument)) {
        font = Font::plain;
        prefix = {};
        if (argument == "Ns") {
          glued_ = true;
        } else if (argument == "Ta") {
          cells_.emplace_back();
        } else if (argument == "Xr" && i + 2 < to) {
          put(text::format("{}({})", arguments[i + 1], arguments[i + 2]), Font::plain);
          i += 2;
        } else if (argument == "Pf" && i + 1 < to) {
          put(unescaped(arguments[++i]), Font::plain);
          glued_ = true;
        } else if (const HalfMacro* const half = row_called(half_macros, argument)) {
          if (!half->opens) glued_ = true;
          put(std::string(half->text), Font::plain);
          glued_ = half->opens;
        } else if (const EnclosingMacro* const pair = row_called(enclosing_macros, argument)) {
          return add_enclosed(arguments, i + 1, to, *pair);
        } else if (const FontMacro* const macro = row_called(font_macros, argument)) {
          font = macro->font;
          prefix = argument == "Fl" ? "-" : "";
          const bool alone =
              i + 1 == to || is_macro(arguments[i + 1]) || is_closing(arguments[i + 1]);
          if (argument == "Nm" && alone) put("ffind", font);
          if (argument == "Fl" && alone) put("-", font);
        }
      } else {
        put_argument(argument, font, prefix);
      }
    }
  }

  void add_enclosed(const std::vector<std::string_view>& arguments, std::size_t from,
                    std::size_t to, const EnclosingMacro& pair) {
    std::size_t end = to;
    while (end > from && is_closing(arguments[end - 1])) --end;
    put(std::string(pair.before), Font::plain);
    glued_ = true;
    add(arguments, from, end);
    put_glued(pair.after);
    for (; end < to; ++end) put_glued(arguments[end]);
  }

  std::vector<Pieces> cells_{1};
  bool glued_ = false;  ///< the next piece has no space before it
};

std::string styled(std::string_view text, Font font, bool emphasis) {
  if (!emphasis || font == Font::plain) return std::string(text);
  return text::format("\x1b[{}m{}\x1b[0m", font == Font::bold ? 1 : 4, text);
}

std::size_t columns_of(const Pieces& pieces) {
  std::size_t columns = 0;
  for (const Piece& piece : pieces) {
    columns += (piece.space_before ? 1 : 0) + text::columns_of(piece.text);
  }
  return columns;
}

std::string text_of(const Pieces& pieces, bool emphasis) {
  std::string text;
  for (const Piece& piece : pieces) {
    if (piece.space_before) text += ' ';
    text += styled(piece.text, piece.font, emphasis);
  }
  return text;
}

enum class ListKind : unsigned char { tags, numbers, columns };

struct List {
  ListKind kind = ListKind::tags;
  bool compact = false;
  std::size_t indent = 0;   ///< of the tags
  std::size_t hanging = 8;  ///< of the text, from the tags
  std::size_t items = 0;
  std::vector<std::vector<Pieces>> rows{};
};

class Renderer {
 public:
  explicit Renderer(const MdocStyle& style) : style_(style) {}

  std::string render(std::string_view source) {
    while (!source.empty()) add_line(text::take_part(source, '\n'));
    end_paragraph();
    while (!lists_.empty()) end_list();
    return std::move(out_);
  }

 private:
  void add_line(std::string_view line) {
    if (in_display_ && line != ".Ed") {
      add_display_line(unescaped(line));
    } else if (!line.starts_with('.')) {
      words_.add_text(line);
    } else if (!line.starts_with(".\\\"")) {
      line.remove_prefix(1);
      std::string_view arguments = line;
      const std::string_view name = text::take_part(arguments, ' ');
      add_macro(name, arguments, line);
    }
  }

  void add_macro(std::string_view name, std::string_view arguments, std::string_view line) {
    if (name == "Sh" || name == "Ss") {
      add_title(name == "Sh", arguments);
    } else if (name == "Pp") {
      end_paragraph();
      wants_blank_ = true;
    } else if (name == "Bl") {
      begin_list(arguments);
    } else if (name == "El") {
      end_paragraph();
      if (!lists_.empty()) end_list();
    } else if (name == "It") {
      begin_item(arguments);
    } else if (name == "Bd") {
      end_paragraph();
      wants_blank_ = true;
      in_display_ = true;
      display_indent_ = arguments.find("indent") == std::string_view::npos ? 0 : 6;
    } else if (name == "Ed") {
      in_display_ = false;
      wants_blank_ = false;
    } else if (name == "Dl") {
      end_paragraph();
      display_indent_ = 6;
      Words words;
      words.add_arguments(arguments);
      add_display_line(text_of(words.take().front(), false));
    } else if (name == "Nd") {
      words_.add_text(text::format("– {}", arguments));
    } else if (name != "Dd" && name != "Dt" && name != "Os") {
      if (name == "Nm" && in_synopsis_) end_paragraph();
      words_.add_macro(line);
    }
  }

  std::size_t indent() const {
    if (lists_.empty()) return style_.indent;
    const List& list = lists_.back();
    return list.indent + (list.items == 0 ? 0 : list.hanging);
  }

  void begin_line() {
    if (wants_blank_ && !after_title_ && !out_.empty()) out_ += '\n';
    wants_blank_ = false;
    after_title_ = false;
  }

  void add_title(bool section, std::string_view title) {
    end_paragraph();
    wants_blank_ = true;
    begin_line();
    in_synopsis_ = title == "SYNOPSIS";
    out_.append(section ? 0 : style_.indent / 2, ' ');
    out_ += styled(title, Font::bold, style_.emphasis);
    out_ += '\n';
    after_title_ = true;
  }

  void add_display_line(std::string_view line) {
    begin_line();
    if (!line.empty()) out_.append(indent() + display_indent_, ' ').append(line);
    out_ += '\n';
  }

  void begin_list(std::string_view arguments) {
    end_paragraph();
    List list;
    list.indent = indent();
    list.compact = arguments.find("-compact") != std::string_view::npos;
    if (arguments.find("-column") != std::string_view::npos) {
      list.kind = ListKind::columns;
      wants_blank_ = wants_blank_ || !list.compact;
    } else if (arguments.find("-enum") != std::string_view::npos) {
      list.kind = ListKind::numbers;
      list.hanging = 4;
    } else {
      const std::vector<std::string_view> words = arguments_of(arguments);
      const auto width = std::find(words.begin(), words.end(), "-width");
      // "Ds" is a width of its own; other words are as wide as they are.
      if (width != words.end() && width + 1 != words.end() && width[1] != "Ds") {
        list.hanging = text::columns_of(width[1]) + 2;
      }
    }
    lists_.push_back(std::move(list));
  }

  void begin_item(std::string_view arguments) {
    if (lists_.empty()) return;
    List& list = lists_.back();
    // A tag that shares the text of the next one is a line of its own, without a gap.
    const bool shares = tag_ && words_.empty();
    end_paragraph();
    list.items += 1;
    if (list.kind == ListKind::columns) {
      Words words;
      words.add_arguments(arguments);
      list.rows.push_back(words.take());
      return;
    }
    wants_blank_ = wants_blank_ || (!list.compact && !shares);
    if (list.kind == ListKind::numbers) {
      tag_ = Pieces{{text::format("{}.", list.items), Font::plain, false}};
      return;
    }
    Words words;
    words.add_arguments(arguments);
    tag_ = words.take().front();
  }

  void end_list() {
    const List list = std::move(lists_.back());
    lists_.pop_back();
    if (list.kind == ListKind::columns) add_table(list);
  }

  void add_table(const List& list) {
    std::vector<std::size_t> widths;
    for (const std::vector<Pieces>& row : list.rows) {
      widths.resize(std::max(widths.size(), row.size()));
      for (std::size_t i = 0; i < row.size(); ++i) {
        widths[i] = std::max(widths[i], columns_of(row[i]));
      }
    }
    constexpr std::size_t gap = 2;
    for (const std::vector<Pieces>& row : list.rows) {
      begin_line();
      std::string line(list.indent, ' ');
      std::size_t column = list.indent;
      for (std::size_t i = 0; i + 1 < row.size(); ++i) {
        line += text_of(row[i], style_.emphasis);
        line.append(widths[i] - columns_of(row[i]) + gap, ' ');
        column += widths[i] + gap;
      }
      wrap(row.back(), std::move(line), column, column);
    }
  }

  /// Ends the paragraph and prints it, with its tag if it is the first of an item.
  void end_paragraph() {
    if (words_.empty() && !tag_) return;
    begin_line();
    const Pieces pieces = std::move(words_.take().front());
    const std::size_t margin = indent();
    std::string line(margin, ' ');
    if (tag_) {
      const List& list = lists_.back();
      line.assign(list.indent, ' ');
      const std::size_t columns = columns_of(*tag_);
      if (columns + 1 < list.hanging && !pieces.empty()) {
        line += text_of(*tag_, style_.emphasis);
        line.append(list.hanging - columns, ' ');
      } else {
        wrap(*tag_, std::move(line), list.indent, list.indent);
        line.assign(margin, ' ');
      }
      tag_.reset();
    }
    if (!pieces.empty()) wrap(pieces, std::move(line), margin, margin);
  }

  /// Prints pieces after `line`, which has `column` columns; further lines begin at `margin`.
  void wrap(const Pieces& pieces, std::string line, std::size_t column, std::size_t margin) {
    bool first = true;
    for (std::size_t i = 0; i < pieces.size();) {
      std::size_t end = i + 1;
      std::size_t columns = text::columns_of(pieces[i].text);
      for (; end < pieces.size() && !pieces[end].space_before; ++end) {
        columns += text::columns_of(pieces[end].text);
      }
      if (!first && column + 1 + columns > style_.width) {
        out_.append(line) += '\n';
        line.assign(margin, ' ');
        column = margin;
        first = true;
      }
      if (!first) line += ' ';
      column += columns + (first ? 0 : 1);
      for (; i < end; ++i) line += styled(pieces[i].text, pieces[i].font, style_.emphasis);
      first = false;
    }
    out_.append(line) += '\n';
  }

  const MdocStyle style_;
  std::string out_;
  Words words_;
  std::optional<Pieces> tag_;
  std::vector<List> lists_;
  std::size_t display_indent_ = 0;
  bool in_display_ = false;
  bool in_synopsis_ = false;
  bool wants_blank_ = false;  ///< before the next line
  bool after_title_ = false;  ///< where there is none
};

}  // namespace

std::string render_mdoc(std::string_view source, const MdocStyle& style) {
  return Renderer(style).render(source);
}

std::vector<std::string> mdoc_cells(std::string_view arguments) {
  Words words;
  words.add_arguments(arguments);
  std::vector<std::string> cells;
  for (const Pieces& cell : words.take()) cells.push_back(text_of(cell, false));
  return cells;
}

std::string emphasised(std::string_view text, const MdocStyle& style) {
  return styled(text, Font::bold, style.emphasis);
}

}  // namespace ffind::cli
