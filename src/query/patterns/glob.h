// SPDX-License-Identifier: MIT
// Globs: * ? [a-z] [!a] [[:alpha:]] {a,b} ** and \ before a literal character. A glob matches the
// whole subject. Only ** matches slashes.
#pragma once

#include <memory>

#include "query/patterns/pattern.h"
#include "text/unicode.h"

namespace ffind::query {

/// Throws UsageError with the place of the error.
std::unique_ptr<const Pattern> make_glob(std::string_view glob, text::KeyRules rules,
                                         const text::ValueSource& source);

}  // namespace ffind::query
