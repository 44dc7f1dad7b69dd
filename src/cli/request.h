// SPDX-License-Identifier: MIT
// From what was typed, with the configuration and the saved search that belong to it, to what is to
// be searched and how it is shown. Called by run.cpp, which does it.
#pragma once

#include <string>
#include <vector>

#include "cli/options.h"
#include "cli/query_builder.h"
#include "ffind/accounts.h"
#include "ffind/query.h"
#include "output/output_style.h"
#include "query/language/fields.h"

namespace ffind::cli {

struct Request {
  Options options;
  Operands operands;
  Query query;
  output::OutputStyle style;
  bool configured = false;           ///< a configuration was read
  std::vector<std::string> files{};  ///< that added options, a saved search first
};

/// What is known while a query is read: the time, accounts, files that values name.
query::QueryContext query_context(const Accounts& accounts);

/// Throws UsageError for everything that makes no sense. Searches nothing; asks the system for the
/// times of files that options name.
Request understand(Options options, const Accounts& accounts);

/// The same with the files that count. An error in a line of one names file and line, and so does
/// one that comes of a line together with what was typed.
Request understand_with_files(const Options& typed, const Accounts& accounts);

/// Saves what was typed besides `--save`, if it makes sense; returns the message about it.
std::string keep_search(const std::vector<std::string>& arguments, const Options& typed,
                        const Accounts& accounts);

/// Fills in what is beside `enabled`.
void find_git_settings(GitIgnore& settings);

}  // namespace ffind::cli
