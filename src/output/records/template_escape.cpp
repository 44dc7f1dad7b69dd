// SPDX-License-Identifier: MIT
// See template_escape.h.
#include "output/records/template_escape.h"

#include <charconv>
#include <cstdint>

#include "output/records/template.h"

namespace ffind {
namespace {

constexpr std::string_view hex_digits = "0123456789abcdefABCDEF";

struct Escape {
  char letter;
  char meaning;
};

constexpr Escape escapes[] = {{'n', '\n'}, {'t', '\t'},   {'r', '\r'}, {'0', '\0'}, {'a', '\a'},
                              {'b', '\b'}, {'e', '\033'}, {'f', '\f'}, {'v', '\v'}, {'\\', '\\'}};

[[noreturn]] void fail(std::size_t position, const std::string& what) {
  throw TemplateError(position, what);
}

std::uint32_t hex(std::string_view digits) {
  std::uint32_t value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
  return value;
}

void append_byte(std::string& out, std::string_view text, std::size_t& at) {
  const std::string_view digits = text.substr(at + 2, 2);
  if (digits.size() < 2 || digits.find_first_not_of(hex_digits) != std::string_view::npos) {
    fail(at, "two hexadecimal digits belong behind \\x, as in \\x1b");
  }
  out += static_cast<char>(hex(digits));
  at += 4;
}

void append_character(std::string& out, std::string_view text, std::size_t& at) {
  constexpr std::string_view wrong = "a code point belongs behind \\u, as in \\u{e9}";
  const std::size_t begin = at + 3;
  if (text.substr(at + 2, 1) != "{") fail(at, std::string(wrong));
  const std::size_t end = text.find_first_not_of(hex_digits, begin);
  if (end == std::string_view::npos || text[end] != '}' || end == begin || end - begin > 6) {
    fail(at, std::string(wrong));
  }
  const std::uint32_t code_point = hex(text.substr(begin, end - begin));
  if (code_point > 0x10FFFF || (code_point >= 0xD800 && code_point < 0xE000)) {
    fail(at, "there is no such code point");
  }
  const auto put = [&out](std::uint32_t byte) { out += static_cast<char>(byte); };
  const auto rest = [&](unsigned shift) { put(0x80U | (code_point >> shift & 0x3FU)); };
  if (code_point < 0x80) {
    put(code_point);
  } else if (code_point < 0x800) {
    put(0xC0U | code_point >> 6U);
    rest(0);
  } else if (code_point < 0x10000) {
    put(0xE0U | code_point >> 12U);
    rest(6);
    rest(0);
  } else {
    put(0xF0U | code_point >> 18U);
    rest(12);
    rest(6);
    rest(0);
  }
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
