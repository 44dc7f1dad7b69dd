// SPDX-License-Identifier: MIT
// Guesses what was meant by a misspelt word. Used for options and for words among few.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ffind {

/// The candidate with the fewest insertions, deletions, replacements and swaps between it and
/// `word`; empty when even that one differs in more than a third of its letters.
std::string nearest(std::string_view word, const std::vector<std::string_view>& candidates);

/// The same among all options; for a long option also one that `name` begins.
std::string nearest_option(std::string_view name);

}  // namespace ffind
