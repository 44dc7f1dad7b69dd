// SPDX-License-Identifier: MIT
// Parser of the expression language: recursive descent over a cursor.
//
// There is no list of tokens, because the end of a bare value depends on what it is compared with:
// `size > 10 M` has a space in its value, `name contains a b` has not, and in `ext in (c, h)` a
// comma ends a value that would contain it elsewhere. So the parser requests from the Cursor what
// may come next, and the Cursor looks no further than that:
//
//     size > 10M and not name contains report
//     ▔▔▔▔ ▔ ▔▔▔ ▔▔▔ ▔▔▔ ▔▔▔▔ ▔▔▔▔▔▔▔▔ ▔▔▔▔▔▔
//     │    │ │   │   │   take_any_word; looked up among the rows of fields.h
//     │    │ │   │   take_word
//     │    │ │   take_junction
//     │    │ take_value, take_values if the field permits spaces, take_list after "in ("
//     │    take_operator
//     take_any_word
//
// Cursor knows characters, words and operators but no field. Parser has one function for each rule
// of the grammar; each skips the spaces that follow. A test is built by the field's row from a
// Comparison. Nesting is limited to most_nested, since everything that walks an expression recurs.
//
// Errors are thrown at the first place that cannot be right, with advice for what people type
// there: a list without parentheses, a field that is misspelt, a word where an operator is missing.
#include "query/language/parser.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "query/language/fields.h"
#include "text/ascii.h"
#include "text/format.h"
#include "text/problem.h"

namespace ffind::query {
namespace {

/// An operator as it was typed: `is not in (` is equal, negated, is_in.
struct WrittenOperator {
  Operator op = Operator::equal;
  bool negated = false;
  bool is_in = false;  ///< a list in parentheses may follow
  /// Its position, for messages.
  std::size_t at = 0;
  std::string_view text{};  ///< as typed
};

/// Position in an expression. Copies are used to look ahead.
class Cursor {
 public:
  explicit Cursor(const Typed& typed) : typed_(&typed), text_(typed.text) {}

  std::size_t position() const { return position_; }
  void go_back_to(std::size_t position) { position_ = position; }
  bool at_end() const { return position_ >= text_.size(); }
  /// The next character, or NUL at the end.
  char peek() const { return at_end() ? '\0' : text_[position_]; }
  bool at_quote() const { return peek() == '"' || peek() == '\''; }
  void skip_spaces();

  bool take(std::string_view symbol);
  /// Takes `word` (in lower case) if the next word is equal to it in any case.
  bool take_word(std::string_view word);
  /// The next word as typed; empty if there is none.
  std::string_view peek_word() const;
  /// Returns peek_word and moves past it.
  std::string_view take_any_word();

  /// The text from `begin` to a space, an operator, a quote or a parenthesis, for messages.
  std::string_view whole_word_since(std::size_t begin) const;

  bool at_and() const { return Cursor(*this).take("&&") || Cursor(*this).take_word("and"); }
  bool at_or() const { return Cursor(*this).take("||") || Cursor(*this).take_word("or"); }
  /// Takes an operator if one comes next.
  std::optional<WrittenOperator> take_operator();
  bool at_operator() const { return Cursor(*this).take_operator().has_value(); }

  /// Takes a quoted value or a bare word. Throws if there is none.
  Value take_value(bool in_list);
  /// Takes bare words up to one for which `ends` returns true.
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
  /// Takes the name of an attribute. A bare one ends at an operator.
  Value take_key();

  [[noreturn]] void fail(std::size_t position, std::string_view what) const {
    text::fail_at(typed_->source, text_, position, what);
  }
  [[noreturn]] void fail(std::string_view what) const { fail(position_, what); }

 private:
  bool at_value_end(bool in_list) const;
  void skip_bare(bool in_list);
  Value take_quoted();
  Value bare_since(std::size_t begin) const;  ///< fails if nothing was taken since then

  const Typed* typed_;
  std::string_view text_;
  std::size_t position_ = 0;
};

bool begins_word(char c) {
  return text::is_letter(c) || c == '_';
}

bool continues_word(char c) {
  return begins_word(c) || text::is_digit(c) || c == '-';
}

/// Returns the end of the class name ([:alpha:]) that begins at `at`, or `at` if none does.
std::size_t end_of_class_name(std::string_view text, std::size_t at) {
  if (!text.substr(at).starts_with("[:")) return at;
  std::size_t end = at + 2;
  if (text.substr(end).starts_with("^")) ++end;
  // No class has a longer name.
  const std::size_t most = std::min(text.size(), end + 16);
  while (end < most && begins_word(text[end])) ++end;
  return text.substr(end).starts_with(":]") ? end + 2 : at;
}

/// Returns the end of the set of characters [...] that begins at `open`, as regular expressions and
/// globs write it: a ] in the first place is a member. nullopt if it is not closed before a space.
std::optional<std::size_t> end_of_brackets(std::string_view text, std::size_t open) {
  std::size_t at = open + 1;
  if (at < text.size() && (text[at] == '^' || text[at] == '!')) ++at;
  for (const std::size_t first = at; at < text.size() && !text::is_space(text[at]); ++at) {
    if (text[at] == '\\') {
      ++at;
    } else if (text[at] == ']' && at != first) {
      return at + 1;
    } else if (const std::size_t end = end_of_class_name(text, at); end != at) {
      at = end - 1;
    }
  }
  return {};
}

void Cursor::skip_spaces() {
  while (!at_end() && text::is_space(peek())) ++position_;
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
  while (end < text_.size() && !text::is_space(text_[end]) &&
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

// Takes ["not"] and a symbol or an operator word, ["is"] ["not"] "in", or "is" ["not"]; nothing if
// none of them comes next:
//
//     = 5           equal                   not contains x    contains, negated
//     != 5          equal, negated          is 5              equal
//     not = 5       equal, negated          is not in (a)     equal, negated, is_in
//     starts with   starts                  is in             equal; "in" is the value
std::optional<WrittenOperator> Cursor::take_operator() {
  const std::size_t begin = position_;
  const auto written = [&](Operator op, bool negated, bool is_in = false) {
    return WrittenOperator{op, negated, is_in, begin, text_.substr(begin, position_ - begin)};
  };
  // Longer ones first. != is the negation of an operator, not one of its own.
  const auto take_symbol = [&](bool negated) -> std::optional<WrittenOperator> {
    for (const std::size_t size : {2U, 1U}) {
      std::string_view symbol = text_.substr(position_, size);
      const bool negates = symbol == "!=" || symbol == "!~";
      if (negates) symbol.remove_prefix(1);
      const auto op = find_operator(&OperatorRow::symbols, symbol);
      if (!op) continue;
      position_ += symbol.size() + (negates ? 1 : 0);
      return written(*op, negated != negates);
    }
    return {};
  };
  if (const auto symbol = take_symbol(false)) return symbol;
  const bool is = take_word("is");
  const std::size_t after_is = position_;
  if (is) skip_spaces();
  const bool negated = take_word("not");
  const std::size_t after_not = position_;
  if (negated) skip_spaces();
  if (take_word("in")) {
    // `is in` is an operator only before a list: `name is in` searches for a file called "in".
    Cursor ahead = *this;
    ahead.skip_spaces();
    if (!is || ahead.peek() == '(') return written(Operator::equal, negated, true);
  }
  if (is) {
    position_ = negated ? after_not : after_is;
    return written(Operator::equal, negated);
  }
  // `not != 5` is negated twice.
  if (negated) {
    if (const auto symbol = take_symbol(true)) return symbol;
  }
  if (const auto op = find_operator(&OperatorRow::words, text::fold_ascii(peek_word()))) {
    take_any_word();
    const std::size_t after = position_;
    skip_spaces();
    if (!to_text(*op).ends_with(" with") || !take_word("with")) position_ = after;
    return written(*op, negated);
  }
  position_ = begin;
  return {};
}

/// True where no bare value goes on. A single & or | is a part of it, and so is a comma outside of
/// lists.
bool Cursor::at_value_end(bool in_list) const {
  const char next = peek();
  return at_end() || text::is_space(next) || next == ')' || (in_list && next == ',') ||
         text_.substr(position_).starts_with("&&") || text_.substr(position_).starts_with("||");
}

/// Moves to the end of a bare word. Parentheses that are opened in a word belong to it, so that
/// \.(cc|h)$ needs no quotes. After a backslash and inside of brackets they are plain text.
void Cursor::skip_bare(bool in_list) {
  std::size_t open = 0;
  // If one bracket is not closed in this word, later ones are not either, except in errors such as
  // [[:digit:]. Searching only once keeps this linear.
  bool brackets_end = true;
  while (!at_end()) {
    const char next = peek();
    if (next == '\\' && position_ + 1 < text_.size() && !text::is_space(text_[position_ + 1])) {
      position_ += 2;
      continue;
    }
    if (next == '[' && brackets_end) {
      const auto end = end_of_brackets(text_, position_);
      position_ = end.value_or(position_ + 1);
      brackets_end = end.has_value();
      continue;
    }
    // Marks that would end a word do not if a parenthesis is open in it; a space always does.
    const bool inside = open > 0 && (next == ')' || next == ',' || next == '|' || next == '&');
    if (!inside && at_value_end(in_list)) return;
    if (next == '(') ++open;
    if (next == ')') --open;
    ++position_;
  }
}

// In "double" quotes \" and other escapes are replaced (take_escaped), in 'single' quotes nothing
// is. The value keeps its kind of quotes, which Value::fail needs to find the place of a byte.
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

Value Cursor::bare_since(std::size_t begin) const {
  if (position_ == begin) fail("a value is missing");
  return {std::string(text_.substr(begin, position_ - begin)), typed_, begin, Quote::none};
}

Value Cursor::take_value(bool in_list) {
  if (at_quote()) return take_quoted();
  if (at_and() || at_or()) fail("a value is missing; quote a keyword to use it as a value");
  const std::size_t begin = position_;
  skip_bare(in_list);
  return bare_since(begin);
}

Value Cursor::take_key() {
  if (at_quote()) return take_quoted();
  const std::size_t begin = position_;
  while (!at_end() && !text::is_space(peek()) &&
         std::string_view("=~!<>*^$(),").find(peek()) == std::string_view::npos) {
    ++position_;
  }
  return bare_since(begin);
}

/// More than any sensible expression needs. 100 frames of each function take about 100 KiB of
/// stack.
constexpr int most_nested = 100;

/// An expression and the height of its tree. Spelled as text it nests no more parentheses than
/// that, so text within the limit can be parsed again.
struct Parsed {
  Expression expression;
  int height = 0;
};

/// A word between field and operator. Rows of fields list the modifiers that they permit.
struct ModifierRow {
  std::string_view word;
  Modifiers bit;
};

constexpr ModifierRow modifier_rows[] = {
    {"case", modifiers::match_case},
    {"nocase", modifiers::ignore_case},
    {"nodiacritics", modifiers::nodiacritics},
    {"binary", modifiers::binary},
};

/// Spellings of the operators of a set, in order of the enumeration.
std::vector<std::string_view> words_of(Operators operators) {
  std::vector<std::string_view> words;
  for (unsigned i = 0; i <= static_cast<unsigned>(Operator::before); ++i) {
    const auto op = static_cast<Operator>(i);
    if ((operators & bit_of(op)) != 0) words.push_back(to_text(op));
  }
  return words;
}

/// The same as a list for messages: "=, !=, in, all, any" for perm. Negations other than != are not
/// listed.
std::string names_of(Operators operators) {
  std::string names;
  for (const std::string_view word : words_of(operators)) {
    if (!names.empty()) names += ", ";
    names += word;
    if (word == to_text(Operator::equal)) names += ", !=, in";
  }
  return names;
}

/// Suggests the field's operator that `typed` resembles, else all of them with an example.
std::string advice_for_operator(std::string_view typed, const Field& field) {
  const std::string near =
      typed.size() < 3 ? ""
                       : text::did_you_mean(text::fold_ascii(typed), words_of(field.operators));
  return near.empty() ? text::format(": {}, as in {}", names_of(field.operators), field.example)
                      : near;
}

/// One parse of one expression. `depth` counts the parentheses and `not`s that are open around a
/// rule; the height of the tree is limited as well, since a builder may return a tree for a test.
class Parser {
 public:
  Parser(const Typed& typed, const Meaning& meaning) : cursor_(typed), meaning_(meaning) {}

  Expression parse() {
    cursor_.skip_spaces();
    if (cursor_.at_end()) cursor_.fail("an expression is missing");
    Parsed parsed = parse_any(0);
    if (cursor_.peek() == ')') cursor_.fail("unmatched ')'");
    if (!cursor_.at_end()) fail_missing_word();
    return std::move(parsed.expression);
  }

 private:
  /// Fails at text that follows a complete expression.
  [[noreturn]] void fail_missing_word() const {
    if (cursor_.peek() == ',') cursor_.fail("write a list in parentheses: ext in (iso, dmg)");
    cursor_.fail("'and' or 'or' is missing before this");
  }

  /// Joins the operands of a junction; a single one stays as it is.
  Parsed join(Expression::Op op, std::vector<Parsed> parts, std::size_t begin) const {
    if (parts.size() == 1) return std::move(parts.front());
    Parsed joined;
    joined.expression.op = op;
    for (Parsed& part : parts) {
      joined.height = std::max(joined.height, part.height + 1);
      joined.expression.operands.push_back(std::move(part.expression));
    }
    require_height(joined.height, begin);
    return joined;
  }

  void require_height(int height, std::size_t begin) const {
    if (height <= most_nested) return;
    cursor_.fail(begin, text::format("nested more than {} deep", most_nested));
  }

  /// Like all functions for rules, skips the spaces after what it parsed.
  Parsed parse_any(int depth) {
    const std::size_t begin = cursor_.position();
    std::vector<Parsed> parts;
    do {
      parts.push_back(parse_all(depth));
    } while (take_junction("||", "or"));
    return join(Expression::Op::any, std::move(parts), begin);
  }

  Parsed parse_all(int depth) {
    const std::size_t begin = cursor_.position();
    std::vector<Parsed> parts;
    do {
      parts.push_back(parse_term(depth));
    } while (take_junction("&&", "and"));
    return join(Expression::Op::all, std::move(parts), begin);
  }

  /// Takes `and` or `or` in either spelling. An expression cannot end after it.
  bool take_junction(std::string_view symbol, std::string_view word) {
    if (!cursor_.take(symbol) && !cursor_.take_word(word)) return false;
    cursor_.skip_spaces();
    if (cursor_.at_end()) cursor_.fail(text::format("something is missing after '{}'", word));
    return true;
  }

  /// A term in parentheses, a negated one, or a test.
  Parsed parse_term(int depth) {
    const std::size_t begin = cursor_.position();
    require_height(depth, begin);
    if (cursor_.take("(")) {
      cursor_.skip_spaces();
      if (cursor_.at_end()) cursor_.fail(begin, "unclosed '('");
      Parsed inside = parse_any(depth + 1);
      if (cursor_.at_end()) cursor_.fail(begin, "unclosed '('");
      if (!cursor_.take(")")) fail_missing_word();
      cursor_.skip_spaces();
      return inside;
    }
    if (cursor_.take("!") || cursor_.take_word("not")) {
      cursor_.skip_spaces();
      if (cursor_.at_end()) cursor_.fail("something is missing after 'not'");
      Parsed operand = parse_term(depth + 1);
      Parsed negated{Expression::negation(std::move(operand.expression)), operand.height + 1};
      require_height(negated.height, begin);
      return negated;
    }
    return parse_test();
  }

  /// Parses a flag or a comparison. The word is looked up among the fields first, then among the
  /// flags. A word with other characters in it, such as `größe`, is shown as a whole in the
  /// message.
  Parsed parse_test() {
    const std::size_t begin = cursor_.position();
    if (cursor_.at_and() || cursor_.at_or() || cursor_.peek() == ')') {
      cursor_.fail("something is missing before this");
    }
    const std::string_view word = cursor_.take_any_word();
    const std::string_view written = cursor_.whole_word_since(begin);
    const bool is_text = !written.empty() && (written.front() & 0x80) != 0;
    if (written.size() > word.size() && (!word.empty() || is_text)) {
      cursor_.go_back_to(begin + written.size());
      fail_unknown(written, begin);
    }
    if (word.empty()) {
      cursor_.fail("a field is missing, as in size > 10M or name contains report");
    }
    if (const Field* const field = find_field(word)) return parse_comparison(*field);
    cursor_.skip_spaces();
    if (const Flag* const flag = find_flag(word)) {
      if (cursor_.at_operator()) {
        cursor_.fail(text::format("'{0}' takes no operator: {0}, or not {0}", flag->name));
      }
      return {flag->make(meaning_)};
    }
    fail_unknown(word, begin);
  }

  /// Fails for a word that is no field and no flag: with the nearest one, or with the advice to
  /// search names for it. The text after it decides which was meant: an operator follows a field
  /// only.
  [[noreturn]] void fail_unknown(std::string_view word, std::size_t begin) {
    cursor_.skip_spaces();
    const std::string meant = text::did_you_mean(word, field_and_flag_names());
    if (cursor_.at_operator()) {
      cursor_.fail(begin, text::format("unknown field '{}'{}", word, meant));
    }
    const std::string advice =
        meant.empty() ? text::format("; to search names: name contains {}", word) : meant;
    cursor_.fail(begin, text::format("unknown field or flag '{}'{}", word, advice));
  }

  /// Takes any number of modifiers, in any order. Called twice for fields with a key, before and
  /// after it.
  void take_modifiers(const Field& field, Modifiers& taken) {
    for (bool again = true; again;) {
      again = false;
      cursor_.skip_spaces();
      const std::size_t begin = cursor_.position();
      for (const ModifierRow& row : modifier_rows) {
        if (!cursor_.take_word(row.word)) continue;
        if ((field.modifiers & row.bit) == 0) {
          cursor_.fail(begin, text::format("'{}' cannot be used with '{}'", row.word, field.name));
        }
        taken |= row.bit;
        if ((taken & modifiers::of_case) == modifiers::of_case) {
          cursor_.fail(begin, "case and nocase exclude each other");
        }
        again = true;
      }
    }
  }

  /// True if nothing of a test can follow.
  bool at_test_end() const {
    return cursor_.at_end() || cursor_.peek() == ')' || cursor_.at_and() || cursor_.at_or();
  }

  /// Takes an operator that the field has, or assumes `=` for fields that need none: `has .git`,
  /// `has (a, b)`. Fails with a list of them for another one, and with an example if none comes
  /// next.
  WrittenOperator take_operator(const Field& field) {
    cursor_.skip_spaces();
    if (field.syntax.needs_no_operator && !at_test_end() && !cursor_.at_operator()) {
      return {.is_in = cursor_.peek() == '(', .at = cursor_.position()};
    }
    if (auto written = cursor_.take_operator()) {
      const bool has_exactly = (field.operators & bit_of(Operator::exactly)) != 0;
      if (written->op == Operator::exactly && !has_exactly) written->op = Operator::equal;
      if ((field.operators & bit_of(written->op)) != 0) return *written;
      cursor_.fail(written->at,
                   text::format("'{}' does not support '{}', but {}", field.name,
                                written->is_in ? "in" : written->text, names_of(field.operators)));
    }
    const std::string_view what =
        field.syntax.needs_no_operator ? "a value" : "an operator and a value";
    cursor_.fail(at_test_end()
                     ? text::format("'{}' needs {}, as in {}", field.name, what, field.example)
                     : text::format("an operator is missing between '{}' and this{}", field.name,
                                    advice_for_operator(cursor_.peek_word(), field)));
  }

  /// Takes one value. If it may have spaces it goes on to the next field, flag, `not`, `and` or
  /// `or`: `modified < 7 days size > 1M` fails at `size`, not at `days`.
  Value take_value(const Field& field, bool in_list) {
    cursor_.skip_spaces();
    if (cursor_.at_end()) {
      cursor_.fail(text::format("a value is missing, as in {}", field.example));
    }
    if (!field.syntax.has_spaces) return cursor_.take_value(in_list);
    return cursor_.take_values(in_list, [&] {
      Cursor ahead = cursor_;
      const std::string_view word = ahead.take_any_word();
      return ahead.position() != cursor_.position() &&
             (find_field(word) != nullptr || find_flag(word) != nullptr ||
              text::fold_ascii(word) == "not");
    });
  }

  /// Takes a list in parentheses, of at least one value.
  std::vector<Value> take_list(const Field& field) {
    const std::size_t open = cursor_.position();
    cursor_.take("(");
    std::vector<Value> values;
    do {
      cursor_.skip_spaces();
      if (cursor_.at_end()) cursor_.fail(open, "unclosed '('");
      values.push_back(take_value(field, true));
      cursor_.skip_spaces();
    } while (cursor_.take(","));
    if (cursor_.at_end()) cursor_.fail(open, "unclosed '('");
    if (!cursor_.take(")")) cursor_.fail("a comma is missing before this");
    return values;
  }

  /// Rejects `in a, b`, and `= a, b` for fields that accept a,b: the space ends the value.
  void refuse_loose_list(const Field& field, const WrittenOperator& written,
                         const Value& value) const {
    std::size_t comma = find_bare_comma(value.text, 0);
    if (!field.syntax.list_of.empty()) {
      while (comma != std::string::npos && comma + 1 != value.text.size()) {
        comma = find_bare_comma(value.text, comma + 1);
      }
    } else if (!written.is_in) {
      return;
    }
    if (comma == std::string::npos) return;
    cursor_.fail(value.at + comma,
                 text::format("write a list in parentheses: {} in (a, b)", field.name));
  }

  /// Rejects `like "%2024%"`: the wildcards of SQL would be letters.
  void refuse_wildcard_of_sql(const WrittenOperator& written, const Value& value) const {
    if (written.text != "like" && !written.text.ends_with(" like")) return;
    const std::size_t percent = value.text.find('%');
    if (percent == std::string::npos || value.text.find_first_of("*?") != std::string::npos) return;
    std::string glob = value.text;
    std::replace(glob.begin(), glob.end(), '%', '*');
    value.fail(percent,
               text::format("% is a letter in a glob: {}; with 'glob' it may be one", glob));
  }

  /// Parses all that follows the name of a field, and makes an expression of it with the row:
  ///
  ///     xattr nodiacritics user.note contains "a b"
  ///           modifiers    key       operator value
  Parsed parse_comparison(const Field& field) {
    Comparison comparison;
    take_modifiers(field, comparison.modifiers);
    if (field.syntax.has_key && !at_test_end() && !cursor_.at_operator()) {
      comparison.key = cursor_.take_key();
      take_modifiers(field, comparison.modifiers);
    }
    const WrittenOperator written = take_operator(field);
    if (field.syntax.has_key && !comparison.key && written.op != Operator::equal) {
      cursor_.fail(written.at, text::format("the name of the {0} is missing before this, as in {1}",
                                            field.name, field.example));
    }
    comparison.op = written.op;
    comparison.operator_at = written.at;
    cursor_.skip_spaces();
    if (written.is_in && cursor_.peek() == '(') {
      comparison.values = take_list(field);
    } else {
      Value value = take_value(field, false);
      const bool bare = value.quote == Quote::none;
      if (bare) refuse_loose_list(field, written, value);
      const bool is_list =
          bare && !field.syntax.list_of.empty() && comparison.op == Operator::equal;
      comparison.values = is_list ? split_at_commas(value, field.syntax.list_of, true)
                                  : std::vector<Value>{std::move(value)};
    }
    for (const Value& value : comparison.values) refuse_wildcard_of_sql(written, value);
    // In patterns a backslash is theirs; in texts it only protected a mark from the parser.
    if (comparison.op != Operator::matches && comparison.op != Operator::glob) {
      for (Value& value : comparison.values) value.drop_backslashes();
    }
    cursor_.skip_spaces();
    Parsed parsed{field.make(comparison, meaning_)};
    // A builder returns a test, a constant, or a junction, which counts as one level.
    if (parsed.expression.op != Expression::Op::test) parsed.height = 1;
    if (!written.negated) return parsed;
    return {Expression::negation(std::move(parsed.expression)), parsed.height + 1};
  }

  Cursor cursor_;
  const Meaning& meaning_;
};

}  // namespace

Expression parse_expression(const Typed& typed, const Meaning& meaning) {
  // Values point into this copy; no test keeps one.
  Typed expression = typed;
  expression.is_expression = true;
  return Parser(expression, meaning).parse();
}

}  // namespace ffind::query
