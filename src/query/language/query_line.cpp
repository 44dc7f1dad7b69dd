// SPDX-License-Identifier: MIT
// Parser of query lines. A line is cut at blanks and each part at its first colon. File names may
// contain colons, so a part is a field only if the word before the colon is the name of one.
//
//     -  ext : pdf,docx        size : > 10M        is : dir        "two words"
//     │  │     └ list          │      │ └ value    └ flag          └ text, no wildcards or signs
//     │  └ field               │      └ operator
//     └ excluded               └ field
//
// A `|` ends a part, too, unless it is doubled or in an expression: name:~a|b.
//
// The parser accepts every line. A term that is not finished, such as `size:`, `"two wor` or a lone
// `|`, is a term with an empty value, with `is_open` or with `is_lone` set; expression_of() rejects
// it. It also rejects what means something in another finder and would be a text here: `dm:today`,
// `<a b>`, `a OR b`.
#include "query/language/query_line.h"

#include <algorithm>
#include <iterator>
#include <optional>
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
constexpr std::string_view searched_fields[] = {"name",    "path",       "absolute_path", "target",
                                                "comment", "where_from", "contents"};

/// Names of fields have no digits, so `12:30` is a word at once.
bool is_of_field_name(char c) {
  return text::is_letter(c) || c == '_' || c == '-';
}

bool is_searched(const Field& field) {
  return std::find(std::begin(searched_fields), std::end(searched_fields), field.name) !=
         std::end(searched_fields);
}

bool has_operator(const Field& field, Operator op) {
  return (field.operators & bit_of(op)) != 0;
}

/// Cuts a line into terms. Values keep their places in `typed`.
class QueryParser {
 public:
  explicit QueryParser(const Typed& typed) : typed_(typed), text_(typed.text) {}

  std::vector<Alternatives> read() {
    std::vector<Alternatives> all;
    std::vector<QueryTerm> lone;
    std::optional<QueryTerm> bar;  // waits for the term after it
    for (skip_blanks(); at_ < text_.size(); skip_blanks()) {
      QueryTerm term = read_term();
      if (term.is_lone) {
        const bool joins = text_[term.begin] == '|' && !all.empty() && !bar;
        if (joins) {
          bar = std::move(term);
        } else {
          lone.push_back(std::move(term));
        }
        continue;
      }
      if (bar) {
        all.back().push_back(std::move(term));
      } else {
        all.push_back({std::move(term)});
      }
      bar.reset();
    }
    if (bar) lone.push_back(std::move(*bar));
    for (QueryTerm& term : lone) all.push_back({std::move(term)});
    return all;
  }

 private:
  void skip_blanks() {
    while (at_ < text_.size() && text::is_space(text_[at_])) ++at_;
  }
  bool is_word_end(std::size_t at) const { return at == text_.size() || text::is_space(text_[at]); }
  bool is_term_end(std::size_t at) const { return is_word_end(at) || is_bar(at); }
  /// `||` is a word, for refuse_foreign_operator().
  bool is_bar(std::size_t at) const {
    const auto is_sign = [this](std::size_t i) { return i < text_.size() && text_[i] == '|'; };
    return is_sign(at) && !is_sign(at + 1) && !is_sign(at - 1);
  }

  QueryTerm read_term() {
    QueryTerm term;
    term.begin = at_;
    const char sign = text_[at_];
    if (is_bar(at_)) {
      term.value = {.text = "|", .typed = &typed_, .at = at_++};
      term.end = at_;
      term.is_lone = true;
      return term;
    }
    // A lone minus is a word, as in "a - b".
    const bool alone = is_term_end(at_ + 1);
    term.excluded = (sign == '-' || sign == '!') && !alone;
    if (term.excluded) ++at_;
    read_field(term);
    const bool is_word = term.field == nullptr && !term.is_flag;
    term.at_begin = is_word && text_[at_] == '^';
    if (term.at_begin) ++at_;
    read_value(term);
    if (is_word) read_end(term);
    const bool bare = term.value.quote == Quote::none;
    term.is_lone = (alone && sign == '!') ||
                   ((term.at_begin || term.at_end) && bare && term.value.text.empty());
    term.end = at_;
    return term;
  }

  /// Takes the $ at the end of a word, or after its quotation mark.
  void read_end(QueryTerm& term) {
    if (term.value.quote == Quote::none) {
      term.at_end = term.value.text.ends_with('$');
      if (term.at_end) term.value.text.pop_back();
      return;
    }
    term.at_end = at_ < text_.size() && text_[at_] == '$' && is_term_end(at_ + 1);
    if (term.at_end) ++at_;
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
    for (const std::size_t size : {2U, 1U}) {
      const auto op = find_operator(&OperatorRow::text, text_.substr(at_, size));
      if (!op || !has_operator(*term.field, *op)) continue;
      term.op = *op;
      at_ += to_text(*op).size();
      return;
    }
  }

  /// Reads a quoted value to its quotation mark or the end of the line, an expression to the next
  /// blank, and any other to the next blank or `|`.
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
    const bool is_expression = term.field != nullptr && term.op == Operator::matches;
    while (is_expression ? !is_word_end(at_) : !is_term_end(at_)) ++at_;
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
  const bool is_list = !field.syntax.list_of.empty() && term.op == Operator::equal &&
                       term.value.quote == Quote::none;
  comparison.values =
      is_list ? split_at_commas(term.value, field.syntax.list_of) : std::vector<Value>{term.value};
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

/// Glob of a word with wildcards. It is for the whole name, since one for the whole path would
/// match hardly any; an anchor leaves the other end open. `^a?c` is a?c*, `src/*.c$` is **/src/*.c.
Value glob_of(const QueryTerm& term, bool in_path) {
  Value glob = term.value;
  if (!term.at_begin && !term.at_end) return glob;
  if (!term.at_end) glob.text += '*';
  if (term.at_begin) return glob;
  const std::string_view open = in_path ? "**/" : "*";
  glob.text.insert(0, open);
  glob.at -= std::min(glob.at, open.size());
  return glob;
}

/// A word is searched for in `subject`; with an anchor, at an end of the name or path.
Expression word_expression(const QueryTerm& term, const Field& subject, const Meaning& meaning) {
  const bool anchored = term.at_begin || term.at_end;
  const bool in_path = anchored && term.value.text.find('/') != std::string::npos;
  Comparison comparison;
  comparison.operator_at = term.begin;
  comparison.values = {term.value};
  if (is_glob(term)) {
    comparison.op = Operator::glob;
    comparison.values = {glob_of(term, in_path)};
  } else if (anchored) {
    comparison.op = !term.at_end     ? Operator::starts
                    : !term.at_begin ? Operator::ends
                                     : Operator::equal;
  } else {
    comparison.op = Operator::contains;
    return subject.make(comparison, meaning);
  }
  return find_field(in_path ? "path" : "name")->make(comparison, meaning);
}

/// Fails for `dm:today` and `sise:>1M`: an unlikely text to search for. So does `empty:`, since
/// flags have no value. A letter before a colon is a drive, and `std::` and `http://` are texts.
void refuse_unknown_field(const QueryTerm& term, const QueryContext& context) {
  const std::string_view word = term.value.text;
  const std::size_t colon = word.find(':');
  if (term.value.quote != Quote::none || colon == std::string::npos || colon < 2) return;
  const std::string_view name = word.substr(0, colon);
  const std::string_view value = word.substr(colon + 1);
  if (!std::all_of(name.begin(), name.end(), is_of_field_name)) return;
  if (value.starts_with(':') || value.starts_with("//")) return;
  const std::string folded = text::fold_ascii(name);
  if (find_flag(folded) != nullptr) {  // Everything's `empty:`
    term.value.fail(
        0,
        text::format("'{0}' has no value: write is:{0}, or quote it to search for text", folded));
  }
  const auto elsewhere = context.term_of_other_finders;
  const std::string own = elsewhere == nullptr ? std::string() : elsewhere(name, value);
  const std::string meant = own.empty() ? text::did_you_mean(name, field_and_flag_names())
                                        : text::format("; did you mean '{}'?", own);
  term.value.fail(0, text::format("unknown field '{}'{} Quote it to search for text", name,
                                  meant.empty() ? std::string(".") : meant));
}

/// Fails for the operators of Everything and Spotlight, which would be words here.
void refuse_foreign_operator(const QueryTerm& term) {
  if (term.value.quote != Quote::none || term.excluded) return;
  constexpr std::pair<std::string_view, std::string_view> operators[] = {
      {"NOT", "is written - before the word, as in -draft"},
      {"OR", "is written |, as in report | invoice"},
      {"||", "is written |, as in report | invoice"},
      {"AND", "is not needed: all words must match"},
      {"&&", "is not needed: all words must match"},
      {"&", "is not needed: all words must match"}};
  const std::string_view word = term.value.text;
  for (const auto& [foreign, here] : operators) {
    if (word != foreign) continue;
    term.value.fail(0, text::format("{} {}. Quote it to search for text", word, here));
  }
  if (word.starts_with('<') || word.ends_with('>')) {
    term.value.fail(0,
                    "< > do not group: report | invoice draft is (report or invoice) and draft. "
                    "Quote them to search for text");
  }
}

/// Fails for a sign without a word.
[[noreturn]] void fail_lone(const QueryTerm& term) {
  const std::string_view sign =
      std::string_view(term.value.typed->text).substr(term.begin, term.end - term.begin);
  const std::string_view example = sign.ends_with('|')   ? "report | invoice"
                                   : sign.ends_with('^') ? "^report"
                                   : sign.ends_with('$') ? "report$"
                                                         : "!draft";
  text::fail_at(term.value.typed->source, term.value.typed->text, term.begin,
                text::format("a word is missing at {}, as in {}", sign, example));
}

}  // namespace

bool is_glob(const QueryTerm& term) {
  return term.value.quote == Quote::none &&
         term.value.text.find_first_of("*?") != std::string::npos;
}

std::vector<Alternatives> terms_of(const Typed& typed) {
  return QueryParser(typed).read();
}

Expression expression_of(const QueryTerm& term, const Field& subject, const Meaning& meaning) {
  if (term.is_lone) fail_lone(term);
  if (term.is_open) term.value.fail(term.value.text.size(), "unclosed quote");
  Expression expression;
  if (term.is_flag) {
    expression = flag_expression(term, meaning);
  } else if (term.field != nullptr) {
    expression = field_expression(term, meaning);
  } else {
    refuse_unknown_field(term, meaning.context);
    refuse_foreign_operator(term);
    expression = word_expression(term, subject, meaning);
  }
  return term.excluded ? Expression::negation(std::move(expression)) : expression;
}

Expression parse_query_line(const Typed& typed, const Field& subject, const Meaning& meaning) {
  std::vector<Expression> all;
  for (const Alternatives& terms : terms_of(typed)) {
    std::vector<Expression> any;
    any.reserve(terms.size());
    for (const QueryTerm& term : terms) any.push_back(expression_of(term, subject, meaning));
    all.push_back(Expression::any(std::move(any)));
  }
  return Expression::all(std::move(all));
}

}  // namespace ffind::query
