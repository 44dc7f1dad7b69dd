// SPDX-License-Identifier: MIT
// Sequences of terminals (ECMA-48), of which only SGR gets through:
//
//     ESC [ 1;31 m           CSI: parameters 0x30-0x3f, intermediates 0x20-0x2f, a final byte
//     ESC ] 0;title BEL      OSC, also ESC P, X, ^ and _: up to BEL or ESC \ .
//     ESC ( B                other sequences: intermediates and a final byte
#include "pick/preview.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <utility>

#include "os/processes.h"
#include "text/quoting.h"
#include "text/unicode.h"
#include "text/utf8.h"

namespace ffind::pick {
namespace {

constexpr char escape = '\x1b';
constexpr std::size_t tab_columns = 8;
/// Bytes of a line that are kept: more than a screen has columns for.
constexpr std::size_t longest_line = 4096;
/// Bytes of the sequences in force at the end of a line, with which the next one begins. More have
/// no reset among them, and are not worth keeping.
constexpr std::size_t most_in_force = 256;

bool is_in(char c, char first, char last) {
  return c >= first && c <= last;
}

/// The sequence at the beginning of `text`, which is an ESC.
struct Sequence {
  std::size_t size;
  std::string_view sgr{};  ///< all of it, if it is one
};

Sequence csi_at(std::string_view text) {
  std::size_t at = 2;
  while (at < text.size() && is_in(text[at], '0', '?')) ++at;
  const std::size_t end_of_parameters = at;
  while (at < text.size() && is_in(text[at], ' ', '/')) ++at;
  if (at == text.size() || !is_in(text[at], '@', '~')) return {at};
  const std::string_view parameters = text.substr(2, end_of_parameters - 2);
  const bool is_sgr = text[at] == 'm' && at == end_of_parameters &&
                      parameters.find_first_not_of("0123456789;:") == std::string_view::npos;
  return {at + 1, is_sgr ? text.substr(0, at + 1) : std::string_view()};
}

Sequence sequence_at(std::string_view text) {
  if (text.size() == 1) return {1};
  const char kind = text[1];
  if (kind == '[') return csi_at(text);
  if (std::string_view("]PX^_").find(kind) != std::string_view::npos) {
    const std::size_t end = text.find_first_of("\a\x1b\n", 2);
    if (end == std::string_view::npos) return {text.size()};
    if (text[end] == '\n') return {end};
    const bool is_terminator = text[end] == escape && text.substr(end + 1).starts_with('\\');
    return {text[end] == '\a' ? end + 1 : is_terminator ? end + 2 : end};
  }
  std::size_t at = 1;
  while (at < text.size() && is_in(text[at], ' ', '/')) ++at;
  const bool has_final = at < text.size() && is_in(text[at], '0', '~');
  return {at + (has_final ? 1 : 0)};
}

/// Returns the number at the beginning of `text`, and removes it with what separates it from the
/// next. Large ones mean nothing, and must not overflow. Anything but a number is 1000.
int take_number(std::string_view& text) {
  constexpr int most = 1000;
  int number = 0;
  std::size_t at = 0;
  for (; at < text.size() && text[at] != ';' && text[at] != ':'; ++at) {
    number = is_in(text[at], '0', '9') ? std::min(number * 10 + (text[at] - '0'), most) : most;
  }
  text.remove_prefix(std::min(at + 1, text.size()));
  return number;
}

/// Adds a sequence to those in force. `ESC [ m` and `ESC [ 0 ... m` begin anew.
void put_in_force(std::string& in_force, std::string_view sgr) {
  const std::string_view parameters = sgr.substr(2, sgr.size() - 3);
  std::string_view rest = parameters;
  if (take_number(rest) == 0) in_force.clear();
  if (parameters.find_first_not_of('0') == std::string_view::npos) return;
  if (in_force.size() + sgr.size() > most_in_force) in_force.clear();
  in_force += sgr;
}

/// The nearest colour in the cube of 6 by 6 by 6 that 256 colours have.
std::uint8_t nearest_color(int red, int green, int blue) {
  constexpr int levels[] = {0, 95, 135, 175, 215, 255};
  const auto level = [&](int value) {
    int nearest = 0;
    for (int i = 1; i < 6; ++i) {
      if (std::abs(levels[i] - value) < std::abs(levels[nearest] - value)) nearest = i;
    }
    return nearest;
  };
  return static_cast<std::uint8_t>(16 + 36 * level(red) + 6 * level(green) + level(blue));
}

/// Reads the rest of 38 or 48: 5;INDEX or 2;RED;GREEN;BLUE.
void take_color(std::string_view& rest, std::optional<std::uint8_t>* color) {
  constexpr int indexed = 5;
  constexpr int direct = 2;
  const int form = take_number(rest);
  if (form == indexed) {
    const int index = take_number(rest);
    if (color != nullptr && index <= 255) *color = static_cast<std::uint8_t>(index);
  } else if (form == direct) {
    const int red = take_number(rest);
    const int green = take_number(rest);
    const int blue = take_number(rest);
    if (color != nullptr) *color = nearest_color(red, green, blue);
  }
}

/// True if a command of the user has the path as its shell's parameter.
bool has_parameter(std::string_view command) {
  for (std::size_t at = command.find('$'); at != std::string_view::npos;
       at = command.find('$', at + 1)) {
    const std::string open = text::open_quotes(command.substr(0, at));
    if (open.ends_with('\'') || open.ends_with('\\')) continue;
    std::string_view name = command.substr(at + 1);
    if (name.starts_with('{')) name.remove_prefix(1);
    if (name.starts_with("argv") || name.find_first_of("1@*") == 0) return true;
  }
  return false;
}

/// Returns the character at the beginning of `text`, and removes it.
std::string_view take_character(std::string_view& text) {
  const std::string_view character = text.substr(0, text::decode_utf8(text, 0).length);
  text.remove_prefix(character.size());
  return character;
}

/// Appends text with characters that are struck over, as manuals and typewriters have it: N^HN is
/// bold, _^HN underlined. Of two other characters the last is shown, as on a terminal.
void append_overstruck(std::string& line, std::size_t& columns, std::string_view text) {
  bool was_bold = false;
  bool was_underlined = false;
  const auto set_style = [&](bool bold, bool underlined) {
    if (bold != was_bold) line += bold ? "\x1b[1m" : "\x1b[22m";
    if (underlined != was_underlined) line += underlined ? "\x1b[4m" : "\x1b[24m";
    was_bold = bold;
    was_underlined = underlined;
  };
  while (!text.empty() && line.size() < longest_line) {
    std::string_view shown = take_character(text);
    bool bold = false;
    bool underlined = false;
    while (text.starts_with('\b')) {
      text.remove_prefix(std::min(text.find_first_not_of('\b'), text.size()));
      if (text.empty()) break;
      const std::string_view over = take_character(text);
      bold = bold || over == shown;
      underlined = underlined || (over != shown && (over == "_" || shown == "_"));
      if (over != "_") shown = over;
    }
    set_style(bold, underlined);
    const std::string escaped = text::escaped(shown);
    columns += text::columns_of(escaped);
    line += escaped;
  }
  set_style(false, false);
}

}  // namespace

std::string preview_command(std::string_view command, std::size_t columns, std::size_t rows) {
  std::string line = "export";
  for (const std::string_view prefix : {"", "FZF_PREVIEW_"}) {
    line.append(" ").append(prefix).append("COLUMNS=") += std::to_string(columns);
    line.append(" ").append(prefix).append("LINES=") += std::to_string(rows);
  }
  line += '\n';
  line += command;
  constexpr std::string_view place = "{}";
  const std::string_view parameter = os::shell_parameter();
  std::size_t at = line.find(place);
  if (at == std::string::npos && !has_parameter(command)) line.append(" ") += parameter;
  for (; at != std::string::npos; at = line.find(place, at + parameter.size())) {
    line.replace(at, place.size(), parameter);
  }
  return line;
}

std::vector<std::string> preview_lines(std::string_view output) {
  std::vector<std::string> lines;
  std::string line;
  std::string in_force;
  std::size_t columns = 0;
  const auto end_line = [&] {
    lines.push_back(std::move(line));
    line = in_force;
    columns = 0;
  };
  while (!output.empty()) {
    const char first = output.front();
    if (first == escape) {
      const Sequence sequence = sequence_at(output);
      if (!sequence.sgr.empty()) {
        line += sequence.sgr;
        put_in_force(in_force, sequence.sgr);
      }
      output.remove_prefix(sequence.size);
      continue;
    }
    if (first == '\n' || first == '\t' || first == '\r') {
      output.remove_prefix(1);
      if (first == '\n') end_line();
      if (first != '\t') continue;
      const std::size_t blanks = tab_columns - columns % tab_columns;
      line.append(blanks, ' ');
      columns += blanks;
      continue;
    }
    const std::string_view run = output.substr(0, output.find_first_of("\x1b\n\t\r"));
    output.remove_prefix(run.size());
    if (line.size() >= longest_line) continue;
    if (run.find('\b') != std::string_view::npos) {
      append_overstruck(line, columns, run);
      continue;
    }
    const std::string shown = text::escaped(text::whole_characters(run, longest_line));
    columns += text::columns_of(shown);
    line += shown;
  }
  if (line.size() > in_force.size() || columns > 0) end_line();
  return lines;
}

void apply_sgr(os::TextStyle& style, std::string_view parameters) {
  constexpr int foreground = 38;
  constexpr int background = 48;
  do {
    const int number = take_number(parameters);
    if (number == 0) style = {};
    if (number == 1) style.bold = true;
    if (number == 2) style.dim = true;
    if (number == 4) style.underline = true;
    if (number == 7) style.reverse = true;
    if (number == 22) style.bold = style.dim = false;
    if (number == 24) style.underline = false;
    if (number == 27) style.reverse = false;
    if (number == 39) style.color.reset();
    if (number >= 30 && number < foreground) style.color = static_cast<std::uint8_t>(number - 30);
    if (number >= 90 && number < 98) style.color = static_cast<std::uint8_t>(number - 90 + 8);
    if (number == foreground) take_color(parameters, &style.color);
    if (number == background) take_color(parameters, nullptr);
  } while (!parameters.empty());
}

}  // namespace ffind::pick
