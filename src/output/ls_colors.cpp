// SPDX-License-Identifier: MIT
// Reads LS_COLORS. See ls_colors.h.
#include "output/ls_colors.h"

#include <utility>

#include "text/ascii.h"

namespace ffind::output {
namespace {

/// In the order of ColorKey.
constexpr std::array<std::string_view, color_key_count> key_names = {
    "lc", "rc", "ec", "rs", "no", "fi", "di", "ln", "pi", "so", "bd", "cd",
    "do", "mi", "or", "ex", "su", "sg", "st", "ow", "tw", "ca", "mh", "cl"};

bool is_octal(char c) {
  return c >= '0' && c <= '7';
}

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  bool done() const { return at_ == text_.size(); }
  bool take(char wanted) {
    if (done() || text_[at_] != wanted) return false;
    at_ += 1;
    return true;
  }
  /// The two bytes of a key; fewer at the end.
  std::string_view take_key() {
    const std::string_view key = text_.substr(at_, 2);
    at_ += key.size();
    return key;
  }
  /// Text up to ':' or, where it is a suffix, '='; false when an escape is broken.
  bool take_text(bool is_suffix, std::string& out) {
    while (!done() && text_[at_] != ':' && !(is_suffix && text_[at_] == '=')) {
      const char c = text_[at_++];
      if (c == '\\') {
        if (!take_backslash(out)) return false;
      } else if (c == '^') {
        if (!take_caret(out)) return false;
      } else {
        out += c;
      }
    }
    return true;
  }

 private:
  bool take_backslash(std::string& out) {
    if (done()) return false;
    if (is_octal(text_[at_])) {
      out += take_octal();
      return true;
    }
    const char c = text_[at_++];
    switch (c) {
      case 'a':
        out += '\a';
        break;
      case 'b':
        out += '\b';
        break;
      case 'e':
        out += '\x1b';
        break;
      case 'f':
        out += '\f';
        break;
      case 'n':
        out += '\n';
        break;
      case 'r':
        out += '\r';
        break;
      case 't':
        out += '\t';
        break;
      case 'v':
        out += '\v';
        break;
      case '?':
        out += '\x7f';
        break;
      case '_':
        out += ' ';
        break;
      case 'x':
      case 'X':
        out += take_hex();
        break;
      default:
        out += c;  // the escaped ':', '=', '\' and '^' among them
    }
    return true;
  }

  /// As many digits as there are, of which the last eight bits count: so ls does.
  char take_octal() {
    unsigned value = 0;
    while (!done() && is_octal(text_[at_])) {
      value = (value * 8 + static_cast<unsigned>(text_[at_++] - '0')) & 0xFFU;
    }
    return static_cast<char>(value);
  }

  char take_hex() {
    unsigned value = 0;
    for (; !done(); ++at_) {
      const auto digit = text::hex_value(text_[at_]);
      if (!digit) break;
      value = (value * 16 + *digit) & 0xFFU;
    }
    return static_cast<char>(value);
  }

  bool take_caret(std::string& out) {
    if (done()) return false;
    const char c = text_[at_++];
    if (c >= '@' && c <= '~') {
      out += static_cast<char>(c & 0x1F);
    } else if (c == '?') {
      out += '\x7f';
    } else {
      return false;
    }
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

bool read_suffix(Reader& reader, LsColors& colors) {
  SuffixColor rule;
  if (!reader.take_text(true, rule.suffix) || !reader.take('=')) return false;
  if (!reader.take_text(false, rule.color)) return false;
  colors.suffixes.push_back(std::move(rule));
  return true;
}

bool read_key(Reader& reader, LsColors& colors) {
  const std::string_view key = reader.take_key();
  std::string color;
  if (!reader.take('=') || !reader.take_text(false, color)) return false;
  for (std::size_t i = 0; i < key_names.size(); ++i) {
    if (key_names[i] == key) colors.colors[i] = color;
  }
  return true;
}

}  // namespace

bool read_ls_colors(std::string_view text, LsColors& colors) {
  Reader reader(text);
  while (!reader.done()) {
    if (reader.take(':')) continue;
    if (!(reader.take('*') ? read_suffix(reader, colors) : read_key(reader, colors))) return false;
  }
  return true;
}

}  // namespace ffind::output
