// SPDX-License-Identifier: MIT
// Options → OutputStyle: what the results are to look like. Called by run.cpp.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "cli/options.h"
#include "ffind/accounts.h"
#include "output/output_style.h"
#include "output/progress/reporter.h"

namespace ffind::cli {

/// Looks at the terminal and the environment for colours. `accounts` outlives the style. Throws
/// UsageError for a format, a field or a choice that does not exist.
output::OutputStyle build_output_style(const Options& options, const Accounts& accounts);

/// The colours of a list on the whole screen; none: it has none.
std::optional<output::Palette> palette_of_screen(const Options& options);

/// The words that --sort takes.
std::vector<std::string_view> sort_words();

/// How the progress of the search is shown, with the standard streams as they are.
output::ProgressStyle build_progress_style(const Options& options);

}  // namespace ffind::cli
