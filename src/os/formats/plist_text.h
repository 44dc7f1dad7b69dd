// SPDX-License-Identifier: MIT
// The bounds that the readers of binary and of XML property lists share. Knows neither of the two.
#pragma once

#include <cstddef>

namespace ffind::os {

/// Attributes hold an array of strings. What is deeper is no attribute of the Finder's.
inline constexpr unsigned most_plist_levels = 16;
/// An empty string takes 2 bytes of a binary list and 32 of memory.
inline constexpr std::size_t most_plist_strings = 4096;

}  // namespace ffind::os
