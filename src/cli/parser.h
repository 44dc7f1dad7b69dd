// SPDX-License-Identifier: MIT
// argv → Options. Called by run.cpp; the only way in.
#pragma once

#include <string>
#include <vector>

#include "cli/options.h"

namespace ffind::cli {

/// `arguments` without the program's name. Throws UsageError.
Options parse(const std::vector<std::string>& arguments);

}  // namespace ffind::cli
