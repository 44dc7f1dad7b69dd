// SPDX-License-Identifier: MIT
// Guesses what was meant by a misspelt word, among few. Used for options, fields and values that
// are words.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ffind::text {

/// The candidate with the fewest insertions, deletions, replacements and swaps between it and
/// `word`; empty when even that one differs in more than a third of its letters.
std::string nearest(std::string_view word, const std::vector<std::string_view>& candidates);

/// "; did you mean 'size'?" with the nearest of them; empty when none is near.
std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& candidates);

}  // namespace ffind::text
