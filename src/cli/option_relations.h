// SPDX-License-Identifier: MIT
// What options do to each other, as the option table says: which exclude each other, which undo
// each other on one command line, and which of them a file with arguments loses to those typed.
// Pure; called by parser.cpp, output_options.cpp, request.cpp and run.cpp.
#pragma once

#include <vector>

#include "cli/option_table.h"
#include "cli/options.h"

namespace ffind::cli {

/// `rows`: of all options typed, in the order of their last occurrence.
void keep_last_of_opposites(Options& options, const std::vector<const OptionRow*>& rows);

/// Throws UsageError for the first two that cannot both be meant.
void refuse_contradictions(const Options& options);

/// Throws UsageError for what beside --saved would ask for more than it gives; what an alias may
/// add to every command does not.
void refuse_beside_listing(const Options& options);

/// Throws UsageError for a search beside --forget.
void refuse_beside_forgetting(const Options& options);

/// Throws UsageError for what beside --compare-readers chooses among matches, or does something
/// with them: it prints none. Where to look applies.
void refuse_beside_comparison(const Options& options);

/// Both as one command line, `second` behind `first`, which loses what `second` undoes or says in
/// another way: format, order, case, limit and opposites.
Options followed_by(Options first, const Options& second);

/// The same, and every other option that is typed takes the place of the configuration's, too; only
/// exclusions and expressions add up.
Options over_configuration(Options configuration, const Options& typed);

}  // namespace ffind::cli
