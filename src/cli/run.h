// SPDX-License-Identifier: MIT
// The program: from arguments to an exit status. Called by main.
#pragma once

#include <span>
#include <string>

#include "cli/options.h"
#include "ffind/searcher.h"
#include "output/writer.h"

namespace ffind::cli {

enum class ExitStatus : int {
  complete = 0,      ///< searched completely, whether or not anything matched
  incomplete = 1,    ///< something could not be searched or written; with --quiet: no match
  usage = 2,         ///< the command line cannot be understood; nothing was searched
  not_picked = 130,  ///< --pick was left without picking
};

/// `words`: argv without the program's name. They are copied in here, once lack of memory is
/// provided for.
ExitStatus run(std::span<char* const> words);

/// Closes standard output; writer.error() tells how that went, and so does a message.
void close_output(output::Writer& writer, const Options& options);

/// What --stats prints: lines, each with its end.
std::string statistics_text(const Statistics& counts, Nanoseconds elapsed);

}  // namespace ffind::cli
