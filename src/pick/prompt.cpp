// SPDX-License-Identifier: MIT
// Editing by characters; comparing meanings; from terms to a matcher and marks.
//
//     "inv ext:pdf -dra size:>"   terms       inv (a word), ext:pdf, -dra
//                                 unfinished  size:> (a value is missing)
//                                 marks       inv
//                                 matcher     inv and ext:pdf and not dra
//
// Each key reads the whole prompt again, which is short. Judging the entries takes longer, so
// only_narrows() finds out whether those that did not match can be left out.
#include "pick/prompt.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "pick/letters_apart.h"
#include "query/language/query_line.h"
#include "query/patterns/pattern.h"
#include "text/ascii.h"
#include "text/problem.h"
#include "text/unicode.h"
#include "text/utf8.h"

namespace ffind::pick {

void Prompt::insert(std::string_view characters) {
  text_.insert(cursor_, characters);
  cursor_ += characters.size();
}

void Prompt::set(std::string text) {
  text_ = std::move(text);
  cursor_ = text_.size();
}

/// A character is a code point with columns and those without that follow it. The place before it,
/// or 0. A cursor never is between a letter and its accent.
std::size_t Prompt::before(std::size_t place) const {
  while (place > 0) {
    do --place;
    while (place > 0 && text::is_continuation(text_[place]));
    if (text::columns_of(text::decode_utf8(text_, place).code_point) > 0) break;
  }
  return place;
}

std::size_t Prompt::after(std::size_t place) const {
  if (place == text_.size()) return place;
  place += text::decode_utf8(text_, place).length;
  while (place < text_.size()) {
    const text::Decoded next = text::decode_utf8(text_, place);
    if (text::columns_of(next.code_point) > 0) break;
    place += next.length;
  }
  return place;
}

void Prompt::erase(std::size_t begin, std::size_t end) {
  text_.erase(begin, end - begin);
  cursor_ = begin;
}

void Prompt::erase_word() {
  std::size_t begin = cursor_;
  while (begin > 0 && text_[begin - 1] == ' ') --begin;
  while (begin > 0 && text_[begin - 1] != ' ') --begin;
  erase(begin, cursor_);
}

bool Prompt::is_in_word(std::size_t place) const {
  return text::is_word_character(text::decode_utf8(text_, place).code_point);
}

/// The begin of the word that ends before the cursor, with what is no word between the two.
std::size_t Prompt::begin_of_word() const {
  std::size_t place = cursor_;
  while (place > 0 && !is_in_word(before(place))) place = before(place);
  while (place > 0 && is_in_word(before(place))) place = before(place);
  return place;
}

std::size_t Prompt::end_of_word() const {
  std::size_t place = cursor_;
  while (place < text_.size() && !is_in_word(place)) place = after(place);
  while (place < text_.size() && is_in_word(place)) place = after(place);
  return place;
}

namespace {

/// True if matches of the longer word are matches of the shorter one. A combining mark after it
/// would change the last letter. "in" and "inv": yes. "e" and "e" with a combining acute: no, since
/// the second does not contain the first once both are composed. FIELD:VALUE only extends itself:
/// size:>1 and size:>10 are no beginning of each other in meaning.
bool extends(const PromptTerm& longer, const PromptTerm& shorter) {
  if (longer == shorter) return true;
  if (!longer.is_word || !shorter.is_word || !longer.text.starts_with(shorter.text)) return false;
  const char next = longer.text[shorter.text.size()];
  return static_cast<unsigned char>(next) < 0x80;
}

}  // namespace

/// Each term before must be implied by one of now; more terms narrow further.
bool only_narrows(const PromptMeaning& before, const PromptMeaning& now) {
  return std::all_of(before.terms.begin(), before.terms.end(), [&](const PromptTerm& term) {
    return std::any_of(now.terms.begin(), now.terms.end(),
                       [&](const PromptTerm& other) { return extends(other, term); });
  });
}

namespace {

/// True if the term is a text to be found as it is, so that it can be marked.
bool is_text(const query::QueryTerm& term) {
  return !term.excluded && !term.is_flag && !query::is_glob(term);
}

/// A text in the path or the name.
struct Text {
  Mark mark;
  RankWord word;
  bool decides;  ///< the term matches if the word is in the path, in ASCII
};

/// True if letters of the term may be apart: a bare word of two letters or more.
bool may_be_apart(const query::QueryTerm& term) {
  return term.field == nullptr && term.value.quote == query::Quote::none && !term.at_begin &&
         !term.at_end && term.value.text.size() > 1 &&
         term.value.text.size() <= LettersApart::most_letters;
}

/// Returns the text of `term`, if it is a text in name or path. FIELD:VALUE gets one if the field
/// is a name or path and the operator is "contains". Texts that are excluded are in no match.
std::optional<Text> text_of(const query::QueryTerm& term, const query::Meaning& meaning) {
  if (!is_text(term) || term.value.text.empty()) return {};
  const bool anchored = term.at_begin || term.at_end;
  const bool in_name = term.field != nullptr
                           ? term.field->name == "name"
                           : anchored && term.value.text.find('/') == std::string::npos;
  const bool in_path =
      term.field == nullptr || term.field->name == "path" || term.field->name == "absolute_path";
  if (!(in_name || in_path) || (term.field != nullptr && term.op != query::Operator::contains)) {
    return {};
  }
  const auto compile = [&](bool ignore_diacritics) -> std::shared_ptr<const query::Pattern> {
    return query::compile_pattern(
        {query::PatternKind::contains, term.value.text, meaning.case_rule, {}, ignore_diacritics});
  };
  const std::shared_ptr<const query::Pattern> pattern = compile(meaning.ignore_diacritics);
  const text::KeyRules& rules = pattern->rules();
  Text text{{in_name, term.at_end, [pattern](std::string_view in) { return pattern->matches(in); }},
            {std::string(pattern->required_literal()), rules},
            false};
  if (text.word.key.empty()) return {};
  std::string folded;
  for (const char c : term.value.text) folded += rules.folds() ? text::fold_ascii(c) : c;
  const bool in_relative_path = term.field == nullptr || term.field->name == "path";
  text.decides = in_relative_path && !anchored && text::is_ascii(folded) && text.word.key == folded;
  if (may_be_apart(term) && text::is_utf8(text.word.key)) {
    const std::string key(compile(true)->required_literal());
    text.word.apart = std::make_shared<const LettersApart>(
        key, text::KeyRules(rules.folds() ? text::KeyCase::folded : text::KeyCase::kept, true));
  }
  return text;
}

/// Returns the identity of alternatives: the text of a single word, regardless of quotes and of the
/// terms around it, so that putting quotes around it does not start a new pass. Else all as typed.
PromptTerm name_of(const query::Alternatives& terms, std::string_view prompt) {
  const query::QueryTerm& first = terms.front();
  const bool is_word = terms.size() == 1 && first.field == nullptr && is_text(first) &&
                       !first.at_begin && !first.at_end;
  if (is_word) return {first.value.text, true};
  return {std::string(prompt.substr(first.begin, terms.back().end - first.begin)), false};
}

/// Alternatives: as typed, and with letters apart.
struct Parts {
  std::vector<Expression> typed{};
  std::vector<Expression> apart{};
  RankTerm words{};
  bool decides = true;  ///< the words do, without the expressions
};

/// Adds `term` to `any`, or to the unfinished terms.
void add_term(PromptMeaning& meaning, const query::QueryTerm& term, const query::Meaning& rules,
              Parts& any) {
  const std::string_view prompt = term.value.typed->text;
  // A lone minus is the beginning of an excluded term.
  if (prompt.substr(term.begin, term.end - term.begin) == "-") {
    meaning.unfinished.push_back({term.begin, term.end, "a word to exclude is missing"});
    return;
  }
  try {
    Expression expression = query::expression_of(term, *query::find_field("path"), rules);
    std::optional<Text> text = text_of(term, rules);
    // Only once both are made: an error leaves nothing of the term.
    const auto apart = text ? text->word.apart : nullptr;
    any.apart.push_back(apart ? Expression::of(letters_apart_test(apart)) : expression);
    any.typed.push_back(std::move(expression));
    any.decides = any.decides && text && text->decides;
    if (!text) return;
    meaning.marks_apart.push_back(text->mark);
    meaning.marks_apart.back().apart = apart;
    meaning.marks.push_back(std::move(text->mark));
    any.words.push_back(std::move(text->word));
  } catch (const text::ValueError& error) {
    meaning.unfinished.push_back(
        {term.begin, term.end, error.what_is_wrong() + error.parts().guess});
  } catch (const UsageError& error) {
    meaning.unfinished.push_back({term.begin, term.end, error.parts().what});
  }
}

}  // namespace

/// Each term is read by itself, so that an unfinished one does not disturb the others.
PromptMeaning read_prompt(std::string_view prompt, const query::Meaning& rules) {
  PromptMeaning meaning;
  const query::Typed typed{std::string(prompt), {"--pick", "ext:pdf size:>1M invoice -draft"}};
  std::vector<Expression> all;
  std::vector<Expression> all_apart;
  std::vector<RankTerm> words;
  bool may_be_apart = false;
  bool decides = true;
  for (const query::Alternatives& terms : query::terms_of(typed)) {
    Parts any;
    for (const query::QueryTerm& term : terms) add_term(meaning, term, rules, any);
    if (any.typed.empty()) continue;
    meaning.terms.push_back(name_of(terms, prompt));
    all.push_back(Expression::any(std::move(any.typed)));
    all_apart.push_back(Expression::any(std::move(any.apart)));
    decides = decides && any.decides;
    if (any.words.empty()) continue;
    may_be_apart = may_be_apart || std::any_of(any.words.begin(), any.words.end(),
                                               [](const RankWord& word) { return word.apart; });
    words.push_back(std::move(any.words));
  }
  const auto matcher_of = [](std::vector<Expression> expressions) {
    Query query;
    query.where = Expression::all(std::move(expressions));
    return std::make_shared<const Matcher>(query);
  };
  if (!all.empty()) meaning.typed.matcher = matcher_of(std::move(all));
  if (may_be_apart) {
    meaning.apart.matcher = matcher_of(std::move(all_apart));
    meaning.apart.ranking = std::make_shared<const Ranking>(Ranking{.terms = words, .apart = true});
  }
  if (!words.empty()) {
    meaning.typed.ranking =
        std::make_shared<const Ranking>(Ranking{.terms = std::move(words), .decides = decides});
  }
  return meaning;
}

}  // namespace ffind::pick
