// SPDX-License-Identifier: MIT
// --compare-readers: measures every way to list a tree, checks that all find the same, and says
// which one a search takes. Called by run.cpp. Writes nothing to a volume.
#pragma once

#include "cli/options.h"
#include "cli/query_builder.h"
#include "ffind/query.h"
#include "output/writer.h"

namespace ffind::cli {

/// Measures each root in turn, and prints as it goes. `query` has no test; what forces a method, a
/// reader or threads leaves only the ways that use it. False: something could not be read, or the
/// ways do not agree. Throws UsageError.
bool compare_readers(const Options& options, const Operands& operands, const Query& query,
                     output::Writer& writer);

}  // namespace ffind::cli
