// SPDX-License-Identifier: MIT
// From options to a plan: which roots, on which volumes, and how that is shown. Called by run.cpp.
#pragma once

#include <string>
#include <vector>

#include "cli/options.h"
#include "cli/query_builder.h"
#include "ffind/issue.h"
#include "ffind/matcher.h"
#include "ffind/plan.h"
#include "plan/explain.h"

namespace ffind::cli {

/// Asks the system for the mount table, for where the roots lie, and the volumes that will be
/// searched for what they can do. `output_needs` are what the output asks of each match. Adds to
/// `issues` the roots that cannot be searched and the empty names in lists of roots; an empty name
/// is a UsageError without it. Throws UsageError, and std::system_error if the system does not
/// answer.
Plan plan_search(const Options& options, const Operands& operands, const Query& query,
                 const Matcher& matcher, Needs output_needs, std::vector<Issue>* issues = nullptr);

/// Where `plan_search` would begin, one by one; "" is the current directory. Throws UsageError.
std::vector<std::string> named_roots(const Options& options, const Operands& operands);

/// Reads the files of --exclude-from into `scope`. Throws UsageError.
void read_exclude_files(const Options& options, Scope& scope);

/// What --explain prints, as text or with --json. `search_limit`: after how many matches the search
/// itself ends. `files` added options.
std::string explanation(const Options& options, const Query& query, const Matcher& matcher,
                        const Plan& plan, std::uint64_t search_limit,
                        const std::vector<std::string>& files);

/// Rows as NDJSON.
std::string ndjson(const std::vector<plan::ExplainedRow>& rows);

/// What --volumes prints, as text or with --json.
std::string volume_list(const Options& options);

}  // namespace ffind::cli
