// SPDX-License-Identifier: MIT
// Options → OutputStyle: the format, fields, order and colours of results, or the action (-x, -X,
// --delete) that replaces printing them. Reads the terminal and the environment.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "cli/options.h"
#include "cli/query_builder.h"
#include "ffind/entry.h"
#include "ffind/query.h"
#include "output/output_style.h"
#include "output/progress_reporter.h"

namespace ffind::cli {

/// Builds the style without its action. `accounts` must outlive it. Throws UsageError for an
/// unknown format, field or choice, and for options that exclude each other.
output::OutputStyle build_output_style(const Options& options, const Accounts& accounts);

/// The colours of the list of --pick; nullopt for none.
std::optional<output::Palette> palette_of_screen(const Options& options);

/// The keys of --sort.
std::vector<std::string_view> sort_words();

/// The form of the progress display that fits the standard streams.
output::ProgressStyle build_progress_style(const Options& options);

/// Adds the action, if there is one, to `style`. Throws UsageError for options that need an action
/// or exclude it, and for a --delete without filter or --yes.
void add_action(output::OutputStyle& style, const Options& options, const Operands& operands,
                const Query& query);

}  // namespace ffind::cli
