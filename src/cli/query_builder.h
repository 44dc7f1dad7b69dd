// SPDX-License-Identifier: MIT
// Options → Query: one expression of all patterns and filters, the scope, and the limit. Files that
// values name are read through the QueryContext only.
#pragma once

#include <cstdint>
#include <string_view>

#include "cli/operands.h"
#include "cli/option_table.h"
#include "cli/options.h"
#include "ffind/query.h"
#include "query/language/fields.h"

namespace ffind::cli {

/// Builds the query. Throws UsageError for any value that cannot be understood, --exclude-from not
/// included.
Query build_query(const Options& options, const Operands& operands,
                  const query::QueryContext& context);

/// Rules for reading values: the treatment of case and accents. `context` must outlive it.
query::Meaning meaning_of(const Options& options, const query::QueryContext& context);

/// Parses a whole number of at most `most`, the value of the option `target`. Throws UsageError.
std::uint64_t parse_number(std::string_view text, std::uint64_t most, ValueTarget target);

}  // namespace ffind::cli
