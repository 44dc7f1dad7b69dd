// SPDX-License-Identifier: MIT
// Where a token is unknown nothing is claimed: a claim too few costs time, one too many a match.
#include "query/patterns/regex_syntax.h"

#include <algorithm>
#include <set>

#include "query/patterns/regex_tokens.h"
#include "text/code_points.h"
#include "text/key.h"
#include "text/utf8.h"

namespace ffind::query {

namespace {

using Kind = RegexToken::Kind;

}  // namespace

bool regex_has_upper_case(std::string_view regex) {
  const bool utf8 = text::is_utf8(regex);  // else only ASCII letters are known to be letters
  const auto tokens = tokens_of(regex);
  return std::any_of(tokens.begin(), tokens.end(), [utf8](const RegexToken& token) {
    const bool known = utf8 || token.letter < 0x80;
    return token.kind == Kind::letter && known && text::is_upper_case(token.letter);
  });
}

std::optional<PlainLiteral> plain_literal(std::string_view regex) {
  const auto tokens = tokens_of(regex);
  const auto kind_is = [&](std::size_t i, Kind kind) {
    return i < tokens.size() && tokens[i].kind == kind;
  };
  const auto is_dot_star = [&](std::size_t i) {
    return kind_is(i, Kind::dot) && kind_is(i + 1, Kind::repeat) && tokens[i + 1].optional &&
           tokens[i + 1].unbounded;
  };
  std::size_t first = 0;
  std::size_t end = tokens.size();
  PlainLiteral literal;
  if (kind_is(first, Kind::text_begin)) {
    literal.at_start = true;
    ++first;
  }
  if (is_dot_star(first)) {
    literal.at_start = false;
    first += 2;
  }
  if (end > first && kind_is(end - 1, Kind::text_end)) {
    literal.at_end = true;
    --end;
  }
  if (end >= first + 2 && is_dot_star(end - 2)) {
    literal.at_end = false;
    end -= 2;
  }
  for (std::size_t i = first; i < end; ++i) {
    if (tokens[i].kind == Kind::quote) continue;
    if (tokens[i].kind != Kind::letter) return std::nullopt;
    // \xE9 is a letter in a name that is UTF-8 and a byte in one that is not: RE2 does both.
    if (tokens[i].escaped && tokens[i].letter >= 0x80) return std::nullopt;
    if (tokens[i].letter < 0x80) {
      literal.text += static_cast<char>(tokens[i].letter);
    } else {  // as typed, for it may not be UTF-8
      literal.text += tokens[i].written;
    }
  }
  return literal;
}

std::string required_literal(std::string_view regex) {
  std::string longest;
  std::string run;
  std::size_t last_letter = 0;  // where in the run its last letter begins
  const auto finish_run = [&] {
    if (run.size() > longest.size()) longest = run;
    run.clear();
    last_letter = 0;
  };
  int depth = 0;  // what is inside groups may be repeated or one of several: it is passed over
  for (const RegexToken& token : tokens_of(regex)) {
    if (token.kind == Kind::unknown) return {};
    if (token.kind == Kind::group_open) ++depth;
    if (token.kind == Kind::group_close) --depth;
    if (depth > 0 || token.kind == Kind::group_close) {
      finish_run();
    } else if (token.kind == Kind::alternation || token.kind == Kind::flags) {
      return {};
    } else if (token.may_be_byte() && !token.in_class) {
      finish_run();
    } else if (token.kind == Kind::letter && !token.in_class) {
      last_letter = run.size();
      text::append_utf8(run, token.letter);
    } else if (token.kind != Kind::quote) {
      if (token.kind == Kind::repeat && token.optional) run.resize(last_letter);
      finish_run();
    }
  }
  finish_run();
  return longest;
}

std::string regex_with_letters_spelt_out(std::string_view regex) {
  const auto tokens = tokens_of(regex);
  const auto in_run = [&](std::size_t i) {
    return i < tokens.size() && tokens[i].kind == Kind::letter && !tokens[i].in_class;
  };
  std::string result;
  for (std::size_t i = 0; i < tokens.size();) {
    std::string typed;
    std::string spelt_out;
    std::string letters;
    const std::size_t begin = i;
    for (; in_run(i); ++i) {
      const RegexToken& token = tokens[i];
      const char32_t folded = token.letter | 0x20U;
      const bool harmless = token.letter >= 0x80 || (folded >= 'a' && folded <= 'z');
      typed += token.written;
      text::append_utf8(letters, token.letter);
      if (token.escaped && harmless) {
        text::append_utf8(spelt_out, token.letter);
      } else {
        spelt_out += token.written;
      }
    }
    if (i == begin) {
      result += tokens[i].written;
      ++i;
    } else {
      result += text::key_of(letters, text::KeyCase::kept) == letters ? typed : spelt_out;
    }
  }
  return result;
}

std::optional<std::size_t> second_group_of_a_name(std::string_view regex) {
  std::set<std::string_view> names;
  for (const RegexToken& token : tokens_of(regex)) {
    const std::size_t open = token.written.find('<');
    if (token.kind != Kind::group_open || open == std::string_view::npos) continue;
    if (!names.insert(token.written.substr(open)).second) return token.position + open + 1;
  }
  return std::nullopt;
}

std::string regex_without_accents(std::string_view regex) {
  std::string bare;
  for (const RegexToken& token : tokens_of(regex)) {
    if (token.kind != Kind::letter || token.letter < 0x80) {
      bare += token.written;
      continue;
    }
    std::string letter;
    text::append_utf8(letter, token.letter);
    const std::string key = text::key_of(letter, {text::KeyCase::kept, true});
    // In a class too: what a range runs from and to need not be left without an end.
    bare += key.empty() && (token.in_class || token.escaped) ? letter : key;
  }
  return bare;
}

}  // namespace ffind::query
