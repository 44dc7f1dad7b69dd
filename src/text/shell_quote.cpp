// SPDX-License-Identifier: MIT
// Single quotes, which no shell looks into. See shell_quote.h.
#include "text/shell_quote.h"

#include <algorithm>

#include "text/ascii.h"
#include "text/escape.h"

namespace ffind::text {
namespace {

bool is_plain(char character) {
  constexpr std::string_view others = "_-./,:@%+";
  return is_letter(character) || is_digit(character) ||
         others.find(character) != std::string_view::npos;
}

}  // namespace

void append_shell_quoted(std::string& out, std::string_view word) {
  if (!word.empty() && std::all_of(word.begin(), word.end(), is_plain)) {
    out += word;
    return;
  }
  out += '\'';
  for (const char character : word) {
    if (character == '\'') {
      out += "'\\''";
    } else {
      out += character;
    }
  }
  out += '\'';
}

std::string shell_word(std::string_view word) {
  std::string quoted;
  if (needs_escaping(word)) {
    append_dollar_quoted(quoted, word);
  } else {
    append_shell_quoted(quoted, word);
  }
  return quoted;
}

std::string shell_line(const std::vector<std::string>& words, QuotedFor reader) {
  std::string line;
  for (const std::string& word : words) {
    if (!line.empty()) line += ' ';
    if (reader == QuotedFor::terminal) {
      line += shell_word(word);
    } else {
      append_shell_quoted(line, word);
    }
  }
  return line;
}

}  // namespace ffind::text
