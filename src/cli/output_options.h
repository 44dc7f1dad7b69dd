// SPDX-License-Identifier: MIT
// Options → OutputStyle: what the results look like, or the action that takes the place of printing
// them.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "cli/options.h"
#include "cli/query_builder.h"
#include "ffind/accounts.h"
#include "ffind/query.h"
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

/// Puts the action, if there is one, into `style`, which says how results would be printed
/// otherwise. Throws UsageError for what does not go together, and for a deletion of everything
/// that nobody has said yes to.
void add_action(output::OutputStyle& style, const Options& options, const Operands& operands,
                const Query& query);

}  // namespace ffind::cli
