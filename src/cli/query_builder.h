// SPDX-License-Identifier: MIT
// Options → Query: which argument is FIELD, TEXT or PATH, and the one expression that all the
// options make together. Called by run.cpp; touches no disk.
#pragma once

#include <string>
#include <vector>

#include "cli/options.h"
#include "ffind/query.h"
#include "query/surroundings.h"

namespace ffind {

/// What the arguments turned out to be.
struct Operands {
  std::string field;  ///< "name", "path" or empty
  bool has_text = false;
  std::string text;
  std::vector<std::string> paths;  ///< --in included; empty: the current directory
};

/// The contract's rules 1 and 2. Throws UsageError for TEXT that can only be meant as a path.
Operands sort_arguments(const Options& options);

/// Throws UsageError for every value that cannot be understood.
Query build_query(const Options& options, const Operands& operands,
                  const Surroundings& surroundings);

}  // namespace ffind
