// SPDX-License-Identifier: MIT
// Guesses which option or field was meant by one that is misspelt, or another program's, and is the
// gate for command lines in messages. Called by arguments.cpp, the translator, output_options.cpp,
// hints.cpp and run.cpp.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/options.h"
#include "ffind/issue.h"

namespace ffind::cli {

/// The error for an option of find ("-name"), fd or rg ("--extension"); nullopt for anything else.
/// For one dash it is called before letters are read one by one, for two if the option does not
/// exist.
std::optional<UsageParts> advice_on_habit(std::string_view name);

/// True for an option, test, action or operator of find(1) of several letters, as "-uid", also with
/// "=VALUE". Such a word is never a cluster of short options.
bool is_word_of_find(std::string_view word);

/// "--tree" for "-tree" and "--size=1M" for "-size=1M"; empty if no long option is meant. --in is
/// none of these: -in is -i -n. Such a word is never a cluster of short options either.
std::string with_second_dash(std::string_view word);

/// The nearest of all options (text/nearest.h); for a long option also one that `name`
/// begins. Empty when none is near, and for short options.
std::string nearest_option(std::string_view name);

/// What to say when TEXT is a value that was meant for an option which takes it with "=" only, as
/// in "--count dir". Empty when it is none.
std::string misplaced_value(const Options& options, std::string_view text);

/// "; did you mean 'modified'?" for "mtime", "MODIFIED" or "modifed", where that is one of `names`:
/// by the other names that a field has in expressions, and else the nearest. Empty when none is.
std::string field_suggestion(std::string_view word, const std::vector<std::string_view>& names);

/// A command line for a message.
struct Offer {
  std::string line{};   ///< `ffind` and the words, for a shell to read back; empty: not offered
  std::string doubt{};  ///< the word that is the reason why not
};

/// `line` in place of `typed`. Every command line in a message comes from here. It is not offered
/// if it deletes or runs a command and not every word of `typed` was understood: it could do that
/// to files that were never meant.
Offer offer(const std::vector<std::string>& typed, const std::vector<std::string>& line);

}  // namespace ffind::cli
