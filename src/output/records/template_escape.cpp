// SPDX-License-Identifier: MIT
// See template_escape.h.
#include "output/records/template_escape.h"

#include "output/records/template.h"
#include "text/ascii.h"
#include "text/utf8.h"

namespace ffind {
namespace {

struct Escape {
  char letter;
  char meaning;
};

constexpr Escape escapes[] = {{'n', '\n'}, {'t', '\t'},   {'r', '\r'}, {'0', '\0'}, {'a', '\a'},
                              {'b', '\b'}, {'e', '\033'}, {'f', '\f'}, {'v', '\v'}, {'\\', '\\'}};

[[noreturn]] void fail(std::size_t position, const std::string& what) {
  throw TemplateError(position, what);
}

void append_byte(std::string& out, std::string_view text, std::size_t& at) {
  const auto byte = text::hex_byte(text, at + 2);
  if (!byte) fail(at, "two hexadecimal digits belong behind \\x, as in \\x1b");
  out += *byte;
  at += 4;
}

void append_character(std::string& out, std::string_view text, std::size_t& at) {
  constexpr std::size_t most_digits = 6;
  const std::size_t begin = at + 3;
  std::size_t end = begin;
  char32_t code_point = 0;
  for (; end < text.size() && end - begin < most_digits; ++end) {
    const auto digit = text::hex_value(text[end]);
    if (!digit) break;
    code_point = code_point * 16 + *digit;
  }
  if (text.substr(at + 2, 1) != "{" || end == begin || text.substr(end, 1) != "}") {
    fail(at, "a code point belongs behind \\u, as in \\u{e9}");
  }
  if (!text::is_encodable(code_point)) fail(at, "there is no such code point");
  text::append_utf8(out, code_point);
  at = end + 1;
}

}  // namespace

void append_escape(std::string& out, std::string_view text, std::size_t& at) {
  if (at + 1 == text.size()) fail(at, "nothing follows the backslash; itself it is written '\\\\'");
  const char letter = text[at + 1];
  if (letter == 'x') return append_byte(out, text, at);
  if (letter == 'u') return append_character(out, text, at);
  for (const Escape& escape : escapes) {
    if (escape.letter != letter) continue;
    out += escape.meaning;
    at += 2;
    return;
  }
  fail(at,
       "that is no escape; there are \\n \\t \\r \\0 \\a \\b \\e \\f \\v \\\\ \\xNN and \\u{...}");
}

}  // namespace ffind
