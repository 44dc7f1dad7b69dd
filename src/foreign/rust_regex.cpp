// SPDX-License-Identifier: MIT
// Rewriting and analysis of Rust's regular expressions, on the tokens of query/patterns.
#include "foreign/rust_regex.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>

#include "query/patterns/regex_syntax.h"

namespace ffind::foreign {
namespace {

using query::RegexToken;
using Kind = RegexToken::Kind;

/// Members of a class in RE2's syntax, as they are written in brackets.
struct Class {
  std::string_view written;
  std::string_view members;
  bool negated = false;
};

constexpr std::string_view letters =
    R"(\pL\pM\p{Nd}\p{Nl}\p{Pc}\x{200c}\x{200d}\x{24b6}-\x{24e9}\x{1f130}-\x{1f149})"
    R"(\x{1f150}-\x{1f169}\x{1f170}-\x{1f189})";
constexpr Class classes[] = {
    {R"(\d)", R"(\p{Nd})"},
    {R"(\D)", R"(\P{Nd})"},
    {R"(\s)", R"(\t-\r\x{85}\pZ)"},
    {R"(\S)",
     R"(\x00-\x08\x{0e}-\x{1f}!-\x{84}\x{86}-\x{9f}\x{a1}-\x{167f}\x{1681}-\x{1fff}\x{200b}-)"
     R"(\x{2027}\x{202a}-\x{202e}\x{2030}-\x{205e}\x{2060}-\x{2fff}\x{3001}-\x{10ffff})"},
    {R"(\w)", letters},
    {R"(\W)", letters, true},
};

}  // namespace

RewrittenRegex rewritten_for_re2(std::string_view regex) {
  RewrittenRegex result;
  char before = 0;
  for (const RegexToken& token : query::tokens_of(regex)) {
    const std::string_view written = token.written;
    if (token.kind == Kind::quote) return {.only_in_rust = "an escape of RE2"};
    const bool is_member = token.in_class && token.kind == Kind::letter && written.size() == 1;
    if (is_member && written == "[") return {.only_in_rust = "a class in a class"};
    const bool is_operator = is_member && (written == "&" || written == "~" || written == "-");
    if (is_operator && written.front() == before) {
      return {.only_in_rust = "an operator of classes"};
    }
    before = is_member ? written.front() : '\0';
    const auto* const row = std::find_if(std::begin(classes), std::end(classes),
                                         [&](const Class& one) { return one.written == written; });
    if (token.kind != Kind::set || row == std::end(classes)) {
      result.text += written;
    } else if (!token.in_class) {
      result.text.append(row->negated ? "[^" : "[").append(row->members) += ']';
    } else if (row->negated) {
      return {.only_in_rust = R"(\W in a class)"};
    } else {
      result.text += row->members;
    }
  }
  return result;
}

bool rust_has_upper_case(std::string_view regex) {
  if (query::regex_has_upper_case(regex)) return true;
  bool negated = false;
  for (const RegexToken& token : query::tokens_of(regex)) {
    if (token.kind == Kind::class_open) negated = token.written.ends_with('^');
    if (token.kind != Kind::set || (token.in_class && negated)) continue;
    constexpr std::string_view with_capitals[] = {R"(\w)",     R"(\pL)",   "[:alpha:]", "[:alnum:]",
                                                  "[:upper:]", "[:word:]", "[:xdigit:]"};
    const bool is_listed = std::find(std::begin(with_capitals), std::end(with_capitals),
                                     token.written) != std::end(with_capitals);
    if (is_listed || token.written.starts_with(R"(\p{L)")) return true;
  }
  return false;
}

bool rust_begins_with_dot(std::string_view regex) {
  const auto tokens = query::tokens_of(regex);
  const bool begins = tokens.size() > 1 && tokens[0].kind == Kind::text_begin &&
                      tokens[1].kind == Kind::letter && tokens[1].letter == U'.';
  if (!begins || (tokens.size() > 2 && tokens[2].kind == Kind::repeat)) return false;
  std::size_t depth = 0;
  for (const RegexToken& token : tokens) {
    if (token.kind == Kind::group_open) ++depth;
    if (token.kind == Kind::group_close && depth > 0) --depth;
    if (token.kind == Kind::alternation && depth == 0) return false;
  }
  return true;
}

}  // namespace ffind::foreign
