// SPDX-License-Identifier: MIT
// Options → Query: the one expression that all the options make together. Called by request.cpp;
// touches no disk.
#pragma once

#include "cli/operands.h"
#include "cli/options.h"
#include "ffind/query.h"
#include "query/query_context.h"

namespace ffind::cli {

/// Throws UsageError for every value that cannot be understood.
Query build_query(const Options& options, const Operands& operands,
                  const query::QueryContext& context);

}  // namespace ffind::cli
