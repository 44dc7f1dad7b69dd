// SPDX-License-Identifier: MIT
// Guesses which option was meant by a misspelt one.
#pragma once

#include <string>
#include <string_view>

namespace ffind {

/// The nearest of all options (query/values/nearest.h); for a long option also one that `name`
/// begins. Empty when none is near.
std::string nearest_option(std::string_view name);

}  // namespace ffind
