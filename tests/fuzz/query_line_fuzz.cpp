// SPDX-License-Identifier: MIT
// Fuzzes the reader of queries as people type them. Input: the value of --query. The terms cover
// the text from left to right; what is understood prints as an expression that is understood, and a
// term that is left out never makes another one mean something else.
#include "query/language/query_line.h"

#include <string>
#include <vector>

#include "fuzz/expressions.h"
#include "fuzz/fuzz.h"

namespace ffind::fuzz::query_line_fuzz {

FUZZ_TARGET(query_line) {
  const NoAccounts accounts;
  const query::QueryContext context = context_of(accounts);
  const query::Meaning meaning{context};
  const query::Field& subject = *query::find_field("path");
  const query::Typed typed{std::string(Input(data, size).rest()), {"--query", "--query x"}};

  std::size_t end = 0;
  bool all = true;
  std::vector<Expression> understood;
  for (const query::Alternatives& terms : query::terms_of(typed)) {
    std::vector<Expression> any;
    for (const query::QueryTerm& term : terms) {
      require(end <= term.begin || term.is_lone, "a term is behind the one before it");
      require(term.begin < term.end && term.end <= typed.text.size(), "and within the text");
      if (!term.is_lone) end = term.end;
      try {
        any.push_back(query::expression_of(term, subject, meaning));
      } catch (const UsageError& error) {
        require(std::string_view(error.what()).size() > 0, "an error says something");
        all = false;
      }
    }
    understood.push_back(Expression::any(std::move(any)));
  }
  const Expression expression = Expression::all(std::move(understood));
  check_round_trip(expression, meaning);
  try {
    const Expression whole = query::parse_query_line(typed, subject, meaning);
    require(all && to_text(whole) == to_text(expression), "a query is its terms");
  } catch (const UsageError&) {
    require(!all, "a query fails by one of its terms");
  }
  return 0;
}

}  // namespace ffind::fuzz::query_line_fuzz
