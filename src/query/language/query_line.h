// SPDX-License-Identifier: MIT
// Parser of query lines (--query, the prompt of --pick): `ext:pdf size:>1M invoice -draft`. A line
// is a sequence of words and FIELD:VALUE terms, of which all must be true.
//
//     -term  !term    the term must be false
//     one | other     either, also without blanks; binds tighter than the blank
//     ^word  word$    at the beginning or the end of the name, or of the path if there is a slash
//     "word"          text, without any of these signs
//
//     terms_of        cuts a line into terms; accepts anything, even an unfinished line
//     expression_of   interprets one term; throws UsageError
//
// The two steps are separate so that the prompt can search with the terms that are finished while
// another is still being typed. The manual has the rules under QUERIES.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "query/language/fields.h"

namespace ffind::query {

/// A term, taken apart but not yet interpreted: `-ext:o` is the field `ext` with the value `o`,
/// excluded.
struct QueryTerm {
  bool excluded = false;
  bool at_begin = false;         ///< ^word
  bool at_end = false;           ///< word$
  bool is_lone = false;          ///< a sign without a word: ! | ^ $
  const Field* field = nullptr;  ///< null for words and flags
  bool is_flag = false;          ///< is:VALUE
  Operator op = Operator::equal;
  std::size_t operator_at = 0;  ///< its position in what was typed
  Value value{};                ///< empty if the term is not finished
  std::size_t begin = 0;        ///< of the term in what was typed
  std::size_t end = 0;
  bool is_open = false;  ///< a quotation mark is not closed
};

/// True if the value of `term` has wildcards and is not quoted.
bool is_glob(const QueryTerm& term);

/// Terms that are joined by |, of which one must be true.
using Alternatives = std::vector<QueryTerm>;

/// Returns the terms of `typed`, which must outlive them. Lone signs come last, each by itself.
/// Never throws UsageError.
std::vector<Alternatives> terms_of(const Typed& typed);

/// Returns the expression for `term`. Words are searched for in `subject`, a field of texts. Throws
/// UsageError with the place of the error.
Expression expression_of(const QueryTerm& term, const Field& subject, const Meaning& meaning);

/// Returns the conjunction of all terms, which is true of everything if there are none. Throws
/// UsageError.
Expression parse_query_line(const Typed& typed, const Field& subject, const Meaning& meaning);

}  // namespace ffind::query
