// SPDX-License-Identifier: MIT
// Guesses which option or field was meant by one that is misspelt, or another program's. Called by
// arguments.cpp, output_options.cpp and run.cpp.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/options.h"

namespace ffind::cli {

/// How to say here what `name` is to find ("-name"), fd or rg ("--extension"). Empty when it is no
/// such option. For one dash it is called before letters are read one by one, for two when the
/// option does not exist.
std::string advice_on_habit(std::string_view name);

/// The nearest of all options (text/nearest.h); for a long option also one that `name`
/// begins, for several letters one that lacks a dash. Empty when none is near.
std::string nearest_option(std::string_view name);

/// What to say when TEXT is a value that was meant for an option which takes it with "=" only, as
/// in "--count dir". Empty when it is none.
std::string misplaced_value(const Options& options, std::string_view text);

/// "; did you mean 'modified'?" for "mtime", "MODIFIED" or "modifed", where that is one of `names`:
/// by the other names that a field has in expressions, and else the nearest. Empty when none is.
std::string field_suggestion(std::string_view word, const std::vector<std::string_view>& names);

}  // namespace ffind::cli
