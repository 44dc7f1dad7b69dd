// SPDX-License-Identifier: MIT
// argv → Options. scan() finds the words; CLI11 converts the values of the rows that were typed,
// since all 120 would cost it 0.65 ms, and it cannot know where a command ends. checked() applies
// the opposites of the table. The functions that refuse options together are called once files and
// typed options are one.
#pragma once

#include <string>
#include <vector>

#include "cli/options.h"
#include "ffind/issue.h"

namespace ffind::cli {

/// Finds the options among the words after the program's name, in their order. The first word that
/// cannot be read is the `error` of the result; the words after it are scanned all the same.
Options scan(const std::vector<std::string>& words);

/// Checks what was scanned, and keeps the last of opposites, and of an option and its --no-NAME.
/// Throws UsageError: for an unknown option, with the nearest one, for an option in place of a
/// value or a command. Contradictions are left to refuse_contradictions, since a file may be
/// involved.
Options checked(Options scanned);
Options parse(const std::vector<std::string>& words);

/// The index of the word that `place` is about, among the words of `options`; UsagePlace::unknown
/// if it does not tell.
std::size_t word_of(const UsagePlace& place, const Options& options);

/// Throws UsageError for two options that exclude each other.
void refuse_contradictions(const Options& options);

/// Throws UsageError for what --list-volumes, --saved and the like would ignore. Run on the typed
/// options alone: no file is read for them.
void refuse_with_modes(const Options& options);

/// Throws UsageError for an option without any of those that it modifies, with the line that has
/// it: `words` with that option.
void refuse_alone(const Options& options, const std::vector<std::string>& words);

/// Appends `second` to `first` as if both were one command line. `first` loses its opposites, and
/// the format, order, case and limit that `second` replaces.
Options followed_by(Options first, const Options& second);

/// Likewise, but any typed option replaces the same one of the configuration; only exclusions and
/// expressions add up.
Options over_configuration(Options configuration, const Options& typed);

}  // namespace ffind::cli
