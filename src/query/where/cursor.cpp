// SPDX-License-Identifier: MIT
// Words, operators and values. See cursor.h.
#include "query/where/cursor.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "text/ascii.h"

namespace ffind::query {
namespace {

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

bool begins_word(char c) {
  return text::is_letter(c) || c == '_';
}

bool continues_word(char c) {
  return begins_word(c) || text::is_digit(c) || c == '-';
}

struct Symbol {
  std::string_view text;
  Operator op;
  bool negated = false;
};

/// Behind the [:alpha:] or its like that begins at `at`; `at` where none does.
std::size_t behind_class_name(std::string_view text, std::size_t at) {
  if (!text.substr(at).starts_with("[:")) return at;
  std::size_t end = at + 2;
  if (text.substr(end).starts_with("^")) ++end;
  // Letters: none has as many as this, and beyond the first bytes there is nothing to look for.
  const std::size_t most = std::min(text.size(), end + 16);
  while (end < most && begins_word(text[end])) ++end;
  return text.substr(end).starts_with(":]") ? end + 2 : at;
}

/// Behind the [...] that begins at `open`, as expressions and globs write a set of characters: a ]
/// that comes first is one of them. Nothing where none closes it before a space.
std::optional<std::size_t> behind_brackets(std::string_view text, std::size_t open) {
  std::size_t at = open + 1;
  if (at < text.size() && (text[at] == '^' || text[at] == '!')) ++at;
  for (const std::size_t first = at; at < text.size() && !is_space(text[at]); ++at) {
    if (text[at] == '\\') {
      ++at;
    } else if (text[at] == ']' && at != first) {
      return at + 1;
    } else if (const std::size_t end = behind_class_name(text, at); end != at) {
      at = end - 1;
    }
  }
  return {};
}

/// Longer ones first.
constexpr Symbol symbols[] = {
    {"==", Operator::exactly},  {"!=", Operator::equal, true}, {"!~", Operator::matches, true},
    {"=~", Operator::matches},  {"*=", Operator::contains},    {"^=", Operator::starts},
    {"$=", Operator::ends},     {"<=", Operator::at_most},     {"=<", Operator::at_most},
    {">=", Operator::at_least}, {"=>", Operator::at_least},    {"<", Operator::less},
    {">", Operator::more},      {"=", Operator::equal},        {"~", Operator::matches},
};

struct Word {
  std::string_view text;
  Operator op;
  bool may_be_with = false;  ///< starts with
};

constexpr Word operator_words[] = {
    {"contains", Operator::contains},
    {"matches", Operator::matches},
    {"starts", Operator::starts, true},
    {"begins", Operator::starts, true},
    {"ends", Operator::ends, true},
    {"glob", Operator::glob},
    {"like", Operator::glob},
    {"all", Operator::all},
    {"any", Operator::any},
    {"after", Operator::after},
    {"before", Operator::before},
};

}  // namespace

void Cursor::skip_spaces() {
  while (!at_end() && is_space(peek())) ++position_;
}

bool Cursor::take(std::string_view symbol) {
  if (!text_.substr(position_).starts_with(symbol)) return false;
  position_ += symbol.size();
  return true;
}

std::string_view Cursor::peek_word() const {
  std::size_t end = position_;
  if (end < text_.size() && begins_word(text_[end])) {
    while (end < text_.size() && continues_word(text_[end])) ++end;
  }
  return text_.substr(position_, end - position_);
}

std::string_view Cursor::take_any_word() {
  const std::string_view word = peek_word();
  position_ += word.size();
  return word;
}

std::string_view Cursor::whole_word_since(std::size_t begin) const {
  std::size_t end = begin;
  while (end < text_.size() && !is_space(text_[end]) &&
         std::string_view("=~!<>*^$(),&|\"'").find(text_[end]) == std::string_view::npos) {
    ++end;
  }
  return text_.substr(begin, end - begin);
}

bool Cursor::take_word(std::string_view word) {
  const std::string_view found = peek_word();
  if (found.size() != word.size() || text::fold_ascii(found) != word) return false;
  position_ += word.size();
  return true;
}

bool Cursor::at_and() const {
  Cursor ahead = *this;
  return ahead.take("&&") || ahead.take_word("and");
}

bool Cursor::at_or() const {
  Cursor ahead = *this;
  return ahead.take("||") || ahead.take_word("or");
}

std::optional<WrittenOperator> Cursor::take_operator() {
  const std::size_t begin = position_;
  const auto written = [&](Operator op, bool negated, bool is_in = false) {
    return WrittenOperator{op, negated, is_in, begin, text_.substr(begin, position_ - begin)};
  };
  const auto take_symbol = [&]() -> const Symbol* {
    const auto* const found = std::find_if(std::begin(symbols), std::end(symbols),
                                           [&](const Symbol& one) { return take(one.text); });
    return found == std::end(symbols) ? nullptr : found;
  };
  if (const Symbol* const symbol = take_symbol()) return written(symbol->op, symbol->negated);
  const bool is = take_word("is");
  const std::size_t behind_is = position_;
  if (is) skip_spaces();
  const bool negated = take_word("not");
  const std::size_t behind_not = position_;
  if (negated) skip_spaces();
  if (take_word("in")) {
    // `is in` is the operator only before a list: `name is in` looks for a file called so.
    Cursor ahead = *this;
    ahead.skip_spaces();
    if (!is || ahead.peek() == '(') return written(Operator::equal, negated, true);
  }
  if (is) {
    position_ = negated ? behind_not : behind_is;
    return written(Operator::equal, negated);
  }
  if (const Symbol* const symbol = negated ? take_symbol() : nullptr) {
    return written(symbol->op, !symbol->negated);
  }
  for (const Word& word : operator_words) {
    if (!take_word(word.text)) continue;
    if (word.may_be_with) {
      const std::size_t behind = position_;
      skip_spaces();
      if (!take_word("with")) position_ = behind;
    }
    return written(word.op, negated);
  }
  position_ = begin;
  return {};
}

bool Cursor::at_operator() const {
  Cursor ahead = *this;
  return ahead.take_operator().has_value();
}

bool Cursor::at_value_end(bool in_list) const {
  const char next = peek();
  return at_end() || is_space(next) || next == ')' || (in_list && next == ',') ||
         text_.substr(position_).starts_with("&&") || text_.substr(position_).starts_with("||");
}

/// Parentheses that a word opens belong to it: \.(cc|h)$ needs no quotes. Those behind a backslash
/// or inside of brackets are text, not parentheses.
void Cursor::skip_bare(bool in_list) {
  std::size_t open = 0;
  // Where one bracket has no end in this word, later ones have none but in an error such as
  // [[:digit:]. To look once keeps this linear.
  bool brackets_end = true;
  while (!at_end()) {
    const char next = peek();
    if (next == '\\' && position_ + 1 < text_.size() && !is_space(text_[position_ + 1])) {
      position_ += 2;
      continue;
    }
    if (next == '[' && brackets_end) {
      const auto behind = behind_brackets(text_, position_);
      position_ = behind.value_or(position_ + 1);
      brackets_end = behind.has_value();
      continue;
    }
    const bool inside = open > 0 && (next == ')' || next == ',' || next == '|' || next == '&');
    if (!inside && at_value_end(in_list)) return;
    if (next == '(') ++open;
    if (next == ')') --open;
    ++position_;
  }
}

Value Cursor::take_quoted() {
  const char mark = peek();
  Value value{"", typed_, position_, mark == '"' ? Quote::escaped : Quote::raw};
  ++position_;
  while (!at_end() && peek() != mark) {
    if (value.quote == Quote::escaped) {
      value.text += take_escaped(text_, position_);
    } else {
      value.text += text_[position_++];
    }
  }
  if (at_end()) fail(value.at, "unclosed quote");
  ++position_;
  return value;
}

Value Cursor::take_value(bool in_list) {
  if (at_quote()) return take_quoted();
  if (at_and() || at_or()) fail("a value is missing; quote a keyword to use it as a value");
  const std::size_t begin = position_;
  skip_bare(in_list);
  if (position_ == begin) fail("a value is missing");
  return {std::string(text_.substr(begin, position_ - begin)), typed_, begin, Quote::none};
}

Value Cursor::take_key() {
  if (at_quote()) return take_quoted();
  const std::size_t begin = position_;
  while (!at_end() && !is_space(peek()) &&
         std::string_view("=~!<>*^$(),").find(peek()) == std::string_view::npos) {
    ++position_;
  }
  if (position_ == begin) fail("a value is missing");
  return {std::string(text_.substr(begin, position_ - begin)), typed_, begin, Quote::none};
}

}  // namespace ffind::query
