// SPDX-License-Identifier: MIT
// The program after main: runs a command line and returns its exit status.
#pragma once

#include <span>

namespace ffind::cli {

enum class ExitStatus : int {
  complete = 0,      ///< everything was searched, with or without matches
  incomplete = 1,    ///< something could not be searched or written; with --quiet: no match
  usage = 2,         ///< the command line cannot be understood; nothing was searched
  not_picked = 130,  ///< --pick was left without picking
};

/// Runs the program's name and its words. They are copied only after out-of-memory handling is set
/// up.
ExitStatus run(std::span<char* const> words);

}  // namespace ffind::cli
