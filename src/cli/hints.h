// SPDX-License-Identifier: MIT
// What a search says at its end where the words suggest that another one was meant; to people only,
// with the line to paste. Called by run.cpp.
#pragma once

#include <string>
#include <vector>

#include "cli/operands.h"
#include "cli/options.h"

namespace ffind::cli {

/// One message each; `words` are what was typed.
std::vector<std::string> hints_for(const std::vector<std::string>& words, const Options& options,
                                   const Operands& operands, bool found);

}  // namespace ffind::cli
