// SPDX-License-Identifier: MIT
// Reads argv before CLI11 does, for what CLI11 cannot know: where `--` stands, options whose value
// is optional, and which option a misspelt one was meant to be. Called by parser.cpp.
#pragma once

#include <string>
#include <vector>

namespace ffind {

struct PreparedArguments {
  std::vector<std::string> options;       ///< for CLI11; optional values are spelt out
  std::vector<std::string> after_dashes;  ///< everything behind `--`, options no more
};

/// Throws UsageError for an option that does not exist, with the nearest that does.
PreparedArguments prepare(const std::vector<std::string>& arguments);

}  // namespace ffind
