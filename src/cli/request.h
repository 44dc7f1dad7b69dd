// SPDX-License-Identifier: MIT
// Request: a command line understood, with the configuration and the saved search that apply to it.
// It has the query (what to search) and the style (how matches are shown, or which command runs).
// Nothing is searched yet; run.cpp does that.
//
//     saved search @NAME  ──▶ followed by the typed options ──▶ over FFIND_PICK_OPTS ──▶ over the
//     configuration ──▶ operands ──▶ query, style
#pragma once

#include <string>
#include <vector>

#include "cli/options.h"
#include "cli/query_builder.h"
#include "ffind/entry.h"
#include "ffind/query.h"
#include "output/output_style.h"
#include "query/language/fields.h"

namespace ffind::cli {

struct Request {
  Options options;
  Operands operands;
  Query query;
  output::OutputStyle style;
  bool configured = false;           ///< a configuration added options
  std::vector<std::string> files{};  ///< files that added options, the saved search first
};

/// Facts of the system that values of a query refer to: the time, accounts, metadata of files.
query::QueryContext query_context(const Accounts& accounts);

/// Builds the request for options without any file. Throws UsageError. Reads the metadata of files
/// that options name.
Request understand(Options options, const Accounts& accounts);

/// Likewise with the configuration, FFIND_PICK_OPTS and the saved search. Errors in a file, or in
/// the combination of a file with the typed options, name file and line.
Request understand_with_files(const Options& typed, const Accounts& accounts);

/// Saves the arguments other than --save, if they can be understood; returns a message about it.
std::string keep_search(const std::vector<std::string>& arguments, const Options& typed,
                        const Accounts& accounts);

/// Fills in all members but `enabled` from the environment and git's configuration files.
void find_git_settings(GitIgnore& settings);

}  // namespace ffind::cli
