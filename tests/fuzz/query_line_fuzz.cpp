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
  std::vector<Expression> understood;
  const std::vector<query::QueryTerm> terms = query::terms_of(typed);
  for (const query::QueryTerm& term : terms) {
    require(end <= term.begin && term.begin < term.end, "a term is behind the one before it");
    end = term.end;
    require(end <= typed.text.size(), "and within the text");
    try {
      understood.push_back(query::expression_of(term, subject, meaning));
    } catch (const UsageError& error) {
      require(std::string_view(error.what()).size() > 0, "an error says something");
    }
  }
  const bool all = understood.size() == terms.size();
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
