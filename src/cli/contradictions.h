// SPDX-License-Identifier: MIT
// Refuses options that exclude each other, by the option table. Called once, before the output is
// described, or the saved searches are listed.
#pragma once

#include "cli/options.h"

namespace ffind {

/// Throws UsageError for the first two that cannot both be meant.
void refuse_contradictions(const Options& options);

/// Throws UsageError for what beside --saved would ask for more than it gives; what an alias may
/// add to every command does not.
void refuse_beside_listing(const Options& options);

}  // namespace ffind
