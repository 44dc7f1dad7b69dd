// SPDX-License-Identifier: MIT
// Parser of query lines. A line is cut at blanks and each part at its first colon. File names may
// contain colons, so a part is a field only if the word before the colon is the name of one.
//
//     -  ext : pdf,docx        -  size : > 10M        is : dir        "two words"
//     │  │     └ list          │  │      │ └ value    └ flag          └ text, no wildcards
//     │  └ field               │  │      └ operator
//     └ excluded               │  └ field
//
// The parser accepts every line. A term that is not finished, such as `size:` or `"two wor`, is a
// term with an empty value or with `is_open` set; expression_of() rejects it.
#include "query/language/query_line.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "query/predicates/predicates.h"
#include "text/ascii.h"
#include "text/format.h"
#include "text/problem.h"

namespace ffind::query {
namespace {

/// Fields that a bare value is searched for in, like a word. With other fields it is compared.
constexpr std::array<std::string_view, 8> searched_fields = {
    "name", "path", "absolute_path", "target", "comment", "where_from", "alias_target", "contents"};

struct OperatorRow {
  std::string_view text;
  Operator op;
};
/// Longer operators first, since they are tried in this order.
constexpr OperatorRow operator_rows[] = {{">=", Operator::at_least}, {"<=", Operator::at_most},
                                         {"==", Operator::exactly},  {">", Operator::more},
                                         {"<", Operator::less},      {"=", Operator::equal},
                                         {"~", Operator::matches}};

bool is_blank(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

/// Names of fields have no digits, so `12:30` is a word at once.
bool is_of_field_name(char c) {
  return text::is_letter(c) || c == '_' || c == '-';
}

bool is_searched(const Field& field) {
  return std::find(searched_fields.begin(), searched_fields.end(), field.name) !=
         searched_fields.end();
}

bool has_operator(const Field& field, Operator op) {
  return (field.operators & bit_of(op)) != 0;
}

/// Cuts a line into terms. Values keep their places in `typed`.
class QueryParser {
 public:
  explicit QueryParser(const Typed& typed) : typed_(typed), text_(typed.text) {}

  std::vector<QueryTerm> read() {
    std::vector<QueryTerm> terms;
    for (skip_blanks(); at_ < text_.size(); skip_blanks()) terms.push_back(read_term());
    return terms;
  }

 private:
  void skip_blanks() {
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
  }
  bool at_term_end() const { return at_ == text_.size() || is_blank(text_[at_]); }

  QueryTerm read_term() {
    QueryTerm term;
    term.begin = at_;
    // A lone minus is a word.
    if (text_[at_] == '-' && at_ + 1 < text_.size() && !is_blank(text_[at_ + 1])) {
      term.excluded = true;
      ++at_;
    }
    read_field(term);
    read_value(term);
    term.end = at_;
    return term;
  }

  /// Reads `FIELD:` and an operator, if they come next.
  void read_field(QueryTerm& term) {
    std::size_t colon = at_;
    while (colon < text_.size() && is_of_field_name(text_[colon])) ++colon;
    if (colon == at_ || colon == text_.size() || text_[colon] != ':') return;
    const std::string_view name = text_.substr(at_, colon - at_);
    term.is_flag = text::fold_ascii(name) == "is";
    term.field = term.is_flag ? nullptr : find_field(name);
    if (!term.is_flag && term.field == nullptr) return;
    at_ = colon + 1;
    term.operator_at = at_;
    if (term.is_flag) return;
    // `name:report` searches, `ext:pdf` compares. An operator that the field does not have is a
    // part of the value.
    term.op = is_searched(*term.field) ? Operator::contains : Operator::equal;
    for (const OperatorRow& row : operator_rows) {
      if (text_.substr(at_, row.text.size()) != row.text) continue;
      if (!has_operator(*term.field, row.op)) continue;
      term.op = row.op;
      at_ += row.text.size();
      return;
    }
  }

  /// Reads a quoted value to its quotation mark or the end of the line, any other to the next
  /// blank.
  void read_value(QueryTerm& term) {
    term.value.typed = &typed_;
    term.value.at = at_;
    if (at_ < text_.size() && text_[at_] == '"') {
      term.value.quote = Quote::escaped;
      ++at_;
      while (at_ < text_.size() && text_[at_] != '"') term.value.text += take_escaped(text_, at_);
      term.is_open = at_ == text_.size();
      if (!term.is_open) ++at_;
      return;
    }
    while (!at_term_end()) ++at_;
    term.value.text = text_.substr(term.value.at, at_ - term.value.at);
  }

  const Typed& typed_;
  const std::string_view text_;
  std::size_t at_ = 0;
};

/// An example of the field in the syntax of query lines: `size:>10M`.
std::string example_of(const Field& field) {
  std::string_view value = field.example.substr(field.example.rfind(' ') + 1);
  if (!value.empty() && value.back() == ')') value.remove_suffix(1);
  const bool is_number =
      has_operator(field, Operator::more) && !has_operator(field, Operator::after);
  return text::format("{}:{}{}", field.name, is_number ? ">" : "", value);
}

/// is:dir, is:empty: types and flags. Throws UsageError with the nearest word for anything else.
Expression flag_expression(const QueryTerm& term, const Meaning& meaning) {
  const std::string word = text::fold_ascii(term.value.text);
  if (const auto type = find_type(word)) return Expression::of(type_test({*type}));
  if (const Flag* const flag = find_flag(word)) return flag->make(meaning);
  std::vector<std::string_view> names = type_names();
  for (const Flag& flag : flags()) names.push_back(flag.name);
  term.value.fail(0, word.empty() ? std::string("a word is missing, as in is:dir")
                                  : text::format("unknown word '{}' after is:{}", term.value.text,
                                                 text::did_you_mean(word, names)));
}

/// Splits an unquoted value at its commas if the field takes lists: `ext:pdf,docx`.
Comparison comparison_of(const QueryTerm& term, const Field& field) {
  Comparison comparison;
  comparison.op = term.op;
  comparison.operator_at = term.operator_at;
  const bool is_list =
      !field.list_of.empty() && term.op == Operator::equal && term.value.quote == Quote::none;
  comparison.values =
      is_list ? split_at_commas(term.value, field.list_of) : std::vector<Value>{term.value};
  return comparison;
}

/// FIELD:VALUE. Wildcards make a glob of it where the field has globs: name:*.txt. An empty value
/// is an error unless it is quoted.
Expression field_expression(const QueryTerm& term, const Meaning& meaning) {
  const Field& field = *term.field;
  if (term.value.text.empty() && term.value.quote == Quote::none) {
    term.value.fail(0, text::format("a value is missing, as in {}", example_of(field)));
  }
  const bool globs = is_glob(term) && has_operator(field, Operator::glob);
  Comparison comparison = comparison_of(term, field);
  if (globs && (term.op == Operator::contains || term.op == Operator::equal)) {
    comparison.op = Operator::glob;
  }
  return field.make(comparison, meaning);
}

/// A word is searched for in `subject`. A word with wildcards is a glob for the whole name, since
/// one for the whole path would match hardly any.
Expression word_expression(const QueryTerm& term, const Field& subject, const Meaning& meaning) {
  const bool globs = is_glob(term);
  Comparison comparison;
  comparison.op = globs ? Operator::glob : Operator::contains;
  comparison.operator_at = term.begin;
  comparison.values = {term.value};
  return (globs ? *find_field("name") : subject).make(comparison, meaning);
}

/// Fails for `sise:>1M`: an unlikely text to search for, and the name of a field is similar. So
/// does `empty:`, since flags have no value.
void refuse_misspelt_field(const QueryTerm& term) {
  const std::string& word = term.value.text;
  const std::size_t colon = word.find(':');
  if (term.value.quote != Quote::none || colon == std::string::npos || colon < 3) return;
  const std::string name = text::fold_ascii(word.substr(0, colon));
  if (find_flag(name) != nullptr) {  // Everything's `empty:`
    term.value.fail(
        0, text::format("'{0}' has no value: write is:{0}, or quote it to search for text", name));
  }
  std::vector<std::string_view> names = field_and_flag_names();
  const std::string meant = text::did_you_mean(word.substr(0, colon), names);
  if (meant.empty()) return;
  term.value.fail(0, text::format("unknown field '{}'{} Quote it to search for text",
                                  word.substr(0, colon), meant));
}

}  // namespace

bool is_glob(const QueryTerm& term) {
  return term.value.quote == Quote::none &&
         term.value.text.find_first_of("*?") != std::string::npos;
}

std::vector<QueryTerm> terms_of(const Typed& typed) {
  return QueryParser(typed).read();
}

Expression expression_of(const QueryTerm& term, const Field& subject, const Meaning& meaning) {
  if (term.is_open) term.value.fail(term.value.text.size(), "unclosed quote");
  Expression expression;
  if (term.is_flag) {
    expression = flag_expression(term, meaning);
  } else if (term.field != nullptr) {
    expression = field_expression(term, meaning);
  } else {
    refuse_misspelt_field(term);
    expression = word_expression(term, subject, meaning);
  }
  return term.excluded ? Expression::negation(std::move(expression)) : expression;
}

Expression parse_query_line(const Typed& typed, const Field& subject, const Meaning& meaning) {
  std::vector<Expression> all;
  const std::vector<QueryTerm> terms = terms_of(typed);
  all.reserve(terms.size());
  for (const QueryTerm& term : terms) all.push_back(expression_of(term, subject, meaning));
  return Expression::all(std::move(all));
}

}  // namespace ffind::query
