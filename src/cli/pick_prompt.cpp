// SPDX-License-Identifier: MIT
// See pick_prompt.h.
#include "cli/pick_prompt.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/query_builder.h"
#include "cli/request.h"
#include "ffind/matcher.h"
#include "query/language/query_line.h"
#include "query/patterns/pattern.h"
#include "text/problem.h"

namespace ffind::cli {
namespace {

bool is_text(const query::QueryTerm& term) {
  return !term.excluded && !term.is_flag && !query::is_glob(term);
}

/// A mark for what `term` looks for, where that is a text in name or path.
std::optional<output::Mark> mark_of(const query::QueryTerm& term, const query::Meaning& meaning) {
  if (!is_text(term) || term.value.text.empty()) return {};
  const bool in_name = term.field != nullptr && term.field->name == "name";
  const bool in_path =
      term.field == nullptr || term.field->name == "path" || term.field->name == "absolute_path";
  if (!(in_name || in_path) || (term.field != nullptr && term.op != query::Operator::contains)) {
    return {};
  }
  const std::shared_ptr<const query::Pattern> pattern =
      query::compile_pattern({query::PatternKind::contains,
                              term.value.text,
                              meaning.case_rule,
                              {},
                              meaning.ignore_diacritics});
  return output::Mark{in_name, [pattern](std::string_view text) { return pattern->matches(text); }};
}

/// What makes a term another one: how it is quoted, or what is around it, does not.
output::PromptTerm name_of(const query::QueryTerm& term, std::string_view prompt) {
  const bool is_word = term.field == nullptr && is_text(term);
  const std::string_view typed = prompt.substr(term.begin, term.end - term.begin);
  return {is_word ? term.value.text : std::string(typed), is_word};
}

}  // namespace

PromptLanguage::PromptLanguage(const Options& options, const Accounts& accounts)
    : context_(query_context(accounts)),
      meaning_(meaning_of(options, context_)),
      subject_(*query::find_field("path")) {}

void PromptLanguage::add_term(output::PromptMeaning& meaning, const query::QueryTerm& term,
                              std::vector<Expression>& all) const {
  const std::string_view prompt = term.value.typed->text;
  // A lone minus is about to exclude something.
  if (prompt.substr(term.begin, term.end - term.begin) == "-") {
    meaning.unfinished.push_back({term.begin, term.end, "a word to exclude is missing"});
    return;
  }
  try {
    Expression expression = query::expression_of(term, subject_, meaning_);
    std::optional<output::Mark> mark = mark_of(term, meaning_);
    all.push_back(std::move(expression));
    if (mark) meaning.marks.push_back(std::move(*mark));
    meaning.terms.push_back(name_of(term, prompt));
  } catch (const text::ValueError& error) {
    meaning.unfinished.push_back(
        {term.begin, term.end, error.what_is_wrong() + error.parts().guess});
  } catch (const UsageError& error) {
    meaning.unfinished.push_back({term.begin, term.end, error.parts().what});
  }
}

output::PromptMeaning PromptLanguage::read(std::string_view prompt) const {
  output::PromptMeaning meaning;
  const query::Typed typed{std::string(prompt), {"--pick", "ext:pdf size:>1M invoice -draft"}};
  std::vector<Expression> all;
  for (const query::QueryTerm& term : query::terms_of(typed)) add_term(meaning, term, all);
  if (!all.empty()) {
    Query query;
    query.where = Expression::all(std::move(all));
    meaning.matcher = std::make_shared<const Matcher>(query);
  }
  return meaning;
}

}  // namespace ffind::cli
