// SPDX-License-Identifier: MIT
// Globs: * ? [a-z] [!a] {a,b} ** and \ before what is meant as itself. A glob matches the whole
// subject; only ** matches a slash. Called by pattern.cpp. Reads them, and hands each to what runs
// it: literal.h or regex.h.
#pragma once

#include <memory>

#include "query/patterns/pattern.h"
#include "text/unicode.h"

namespace ffind::query {

/// Throws UsageError for a glob that is not well-formed.
std::unique_ptr<const Pattern> make_glob(std::string_view glob, text::KeyRules rules,
                                         const text::ValueSource& source);

}  // namespace ffind::query
