// SPDX-License-Identifier: MIT
// Roots and plan of a search: collects the roots that operands, files and volumes name, locates
// them in the mount table, probes the volumes if their catalogs matter, and calls the planner. Also
// prints plans and volumes (--explain, --volumes).
#pragma once

#include <string>
#include <vector>

#include "cli/options.h"
#include "cli/request.h"
#include "ffind/issue.h"
#include "ffind/plan.h"
#include "ffind/query.h"
#include "plan/explain.h"

namespace ffind::cli {

/// Plans the search. `output_needs` are the attributes that the output needs of a match. Roots that
/// cannot be searched, and empty names in lists of roots, are added to `issues`; without it, an
/// empty name is a UsageError. Throws UsageError, and std::system_error if the mount table cannot
/// be read.
Plan plan_search(const Options& options, const Operands& operands, const Query& query,
                 const Matcher& matcher, Needs output_needs, std::vector<Issue>* issues = nullptr);

/// The roots of plan_search; "" is the current directory. Throws UsageError.
std::vector<std::string> named_roots(const Options& options, const Operands& operands);

/// Reads the files of --exclude-from into `scope`. Throws UsageError.
void read_exclude_files(const Options& options, Scope& scope);

/// The text of --explain, or NDJSON with --json. `search_limit` is the number of matches after
/// which the search itself ends; `files` added options.
std::string explanation(const Options& options, const Query& query, const Matcher& matcher,
                        const Plan& plan, std::uint64_t search_limit,
                        const std::vector<std::string>& files);

/// Rows as NDJSON.
std::string ndjson(const std::vector<plan::ExplainedRow>& rows);

/// The text of --volumes, or NDJSON with --json.
std::string volume_list(const Options& options);

}  // namespace ffind::cli
