// SPDX-License-Identifier: MIT
// Options → Query: the one expression that all the options make together. Called by request.cpp;
// touches no disk.
#pragma once

#include <cstdint>
#include <string_view>

#include "cli/operands.h"
#include "cli/option_table.h"
#include "cli/options.h"
#include "ffind/query.h"
#include "query/language/fields.h"

namespace ffind::cli {

/// Throws UsageError for every value that cannot be understood.
Query build_query(const Options& options, const Operands& operands,
                  const query::QueryContext& context);

/// What values mean beside those options: how case and accents count. `context` outlives it.
query::Meaning meaning_of(const Options& options, const query::QueryContext& context);

/// The value `text` of the option `target`, a whole number. Throws UsageError.
std::uint64_t parse_number(std::string_view text, std::uint64_t most, ValueTarget target);

}  // namespace ffind::cli
