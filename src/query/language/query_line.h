// SPDX-License-Identifier: MIT
// The query that people type into a search field: `ext:pdf size:>1M invoice -draft`. Words and
// FIELD:VALUE, all of which must hold. Called by cli for --query; man/ffind.1, "QUERIES", has the
// rules. Knows fields by their rows only, and no option.
#pragma once

#include <cstddef>
#include <vector>

#include "query/language/fields.h"

namespace ffind::query {

/// One term of a query, taken apart but not yet understood: of `-ext:o` the field `ext`, the value
/// `o`, excluded.
struct QueryTerm {
  bool excluded = false;
  const Field* field = nullptr;  ///< null: a word, or a flag
  bool is_flag = false;          ///< is:VALUE
  Operator op = Operator::equal;
  std::size_t operator_at = 0;  ///< where it is in what was typed
  Value value{};                ///< may be empty: the term is not finished
  std::size_t begin = 0;        ///< the term in what was typed
  std::size_t end = 0;
  bool is_open = false;  ///< a quotation mark of it is never closed
};

/// Whether the value of `term` is a pattern with wildcards; in quotes it is a text.
bool is_glob(const QueryTerm& term);

/// The terms of `typed`, which must outlive them. Never throws UsageError: what is unfinished or
/// unknown fails in expression_of, so that a caller may use the other terms.
std::vector<QueryTerm> terms_of(const Typed& typed);

/// What `term` means; words are matched against `subject`, a field of texts. Throws UsageError that
/// points at the place.
Expression expression_of(const QueryTerm& term, const Field& subject, const Meaning& meaning);

/// The whole query: all of its terms. Without terms everything matches. Throws UsageError.
Expression parse_query_line(const Typed& typed, const Field& subject, const Meaning& meaning);

}  // namespace ffind::query
