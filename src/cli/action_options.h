// SPDX-License-Identifier: MIT
// Options → Action: what is done with the matches instead of printing them. Called by run.cpp.
#pragma once

#include "cli/options.h"
#include "cli/query_builder.h"
#include "ffind/query.h"
#include "output/output_style.h"

namespace ffind::cli {

/// Puts the action, if there is one, into `style`, which says how results would be printed
/// otherwise. Throws UsageError for what does not go together, and for a deletion of everything
/// that nobody has said yes to.
void add_action(output::OutputStyle& style, const Options& options, const Operands& operands,
                const Query& query);

}  // namespace ffind::cli
