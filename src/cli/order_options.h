// SPDX-License-Identifier: MIT
// --sort, --tree and --count → OutputStyle, and what goes with what. Called by output_options.cpp.
#pragma once

#include <string_view>
#include <vector>

#include "cli/options.h"
#include "output/output_style.h"

namespace ffind {

/// The words that --sort takes.
std::vector<std::string_view> sort_words();

/// `style.format` is known already. Looks at the locale in the environment. Throws UsageError for
/// words that do not exist and for what excludes each other.
void add_order(OutputStyle& style, const Options& options);

}  // namespace ffind
