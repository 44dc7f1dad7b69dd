// SPDX-License-Identifier: MIT
// Parser of the expression language (--where), the inverse of to_text(Expression).
//
//     any        all { ("or" | "||") all }
//     all        term { ("and" | "&&") term }
//     term       "(" any ")"  |  ("not" | "!") term  |  test
//     test       FLAG  |  FIELD { modifier } [ KEY { modifier } ] comparison
//     modifier   "case" | "nocase" | "nodiacritics" | "binary"
//     comparison operator value  |  ["not"] "in" "(" value { "," value } ")"  |  value
//     operator   ["is"] ["not"] with = == != < <= > >= ~ !~ *= ^= $= or a word such as "contains"
//     value      'as it is'  |  "with \" escapes"  |  bare
//
// Flags, fields, and the operators and modifiers of each come from the rows of fields.h. The manual
// describes the language under EXPRESSIONS.
#pragma once

#include "query/language/fields.h"

namespace ffind::query {

/// Throws UsageError with the place of the error in `typed`.
Expression parse_expression(const Typed& typed, const Meaning& meaning);

}  // namespace ffind::query
