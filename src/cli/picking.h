// SPDX-License-Identifier: MIT
// Wiring of --pick: a search that streams into a list, a person who picks from it, and the output
// of what was picked. Called by run.cpp in place of a search that prints.
#pragma once

#include "cli/request.h"
#include "cli/run.h"
#include "ffind/accounts.h"
#include "output/writer.h"

namespace ffind::cli {

/// Throws UsageError where there is no terminal to pick at, or what is to be searched makes no
/// sense. Does not return where a volume holds up a thread: the process ends then.
ExitStatus pick_and_report(Request& request, const Accounts& accounts, output::Writer& writer);

}  // namespace ffind::cli
