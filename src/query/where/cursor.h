// SPDX-License-Identifier: MIT
// Reads an expression from left to right: words, operators, values. What ends a value depends on
// what it is compared with, so there is no list of tokens: the parser requests what may come next.
// Knows no field.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "query/where/comparison.h"
#include "query/where/value.h"

namespace ffind::query {

struct WrittenOperator {
  Operator op = Operator::equal;
  bool negated = false;
  bool is_in = false;  ///< a list in parentheses may follow
  std::size_t at = 0;
  std::string_view text;  ///< as it was written
};

class Cursor {
 public:
  explicit Cursor(const Typed& typed) : typed_(&typed), text_(typed.text) {}

  std::size_t position() const { return position_; }
  void go_back_to(std::size_t position) { position_ = position; }
  bool at_end() const { return position_ >= text_.size(); }
  /// NUL at the end.
  char peek() const { return at_end() ? '\0' : text_[position_]; }
  bool at_quote() const { return peek() == '"' || peek() == '\''; }
  void skip_spaces();

  bool take(std::string_view symbol);
  /// Takes `word` (lower case) if it comes next, in any case and as a whole.
  bool take_word(std::string_view word);
  /// The next word, as it is written; empty if there is none.
  std::string_view peek_word() const;
  /// The same, taken.
  std::string_view take_any_word();

  /// From `begin` up to a space, an operator, a quote or a parenthesis: what a message calls a
  /// word.
  std::string_view whole_word_since(std::size_t begin) const;

  bool at_and() const;
  bool at_or() const;
  /// Takes it if one comes next.
  std::optional<WrittenOperator> take_operator();
  bool at_operator() const;

  /// In quotes or up to the end of the bare word. Throws if there is none.
  Value take_value(bool in_list);
  /// The bare words from here, up to one for which `ends` returns true.
  template <typename Ends>
  Value take_values(bool in_list, Ends ends) {
    Value value = take_value(in_list);
    if (value.quote != Quote::none) return value;
    std::size_t end = position_;
    while (true) {
      skip_spaces();
      if (at_value_end(in_list) || at_quote() || peek() == '(' || at_and() || at_or() || ends()) {
        break;
      }
      skip_bare(in_list);
      end = position_;
    }
    position_ = end;
    value.text = text_.substr(value.at, end - value.at);
    return value;
  }
  /// The name of an attribute: a bare one ends at an operator.
  Value take_key();

  [[noreturn]] void fail(std::size_t position, std::string_view what) const {
    text::fail_at(typed_->source, text_, position, what);
  }
  [[noreturn]] void fail(std::string_view what) const { fail(position_, what); }

 private:
  bool at_value_end(bool in_list) const;
  void skip_bare(bool in_list);
  Value take_quoted();

  const Typed* typed_;
  std::string_view text_;
  std::size_t position_ = 0;
};

}  // namespace ffind::query
