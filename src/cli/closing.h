// SPDX-License-Identifier: MIT
// What is said when a search is over: that its output could not be written, and --stats. Called by
// whoever ran the search; counts nothing itself.
#pragma once

#include <string>

#include "cli/options.h"
#include "ffind/searcher.h"
#include "output/writer.h"

namespace ffind::cli {

/// Closes standard output; writer.error() tells how that went, and so does a message.
void close_output(output::Writer& writer, const Options& options);

/// What --stats prints: lines, each with its end.
std::string statistics_text(const Statistics& counts, Nanoseconds elapsed);

}  // namespace ffind::cli
