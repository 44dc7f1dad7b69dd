// SPDX-License-Identifier: MIT
// The expression language: text → expression. Called by cli for --where; the inverse of to_text.
// man/ffind.1, "EXPRESSIONS", has the grammar. Knows no field by name.
#pragma once

#include "query/language/fields.h"

namespace ffind::query {

/// Throws UsageError that points at the place for what cannot be understood.
Expression parse_expression(const Typed& typed, const Meaning& meaning);

}  // namespace ffind::query
