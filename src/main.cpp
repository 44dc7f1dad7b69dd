// SPDX-License-Identifier: MIT
// Turns the result of a command line into an exit status. The map of the source, and the way of a
// search through it, are in .github/CONTRIBUTING.md.
#include <span>

#include "cli/run.h"

int main(int argc, char** argv) {
  const std::span<char* const> words(argv, static_cast<std::size_t>(argc));
  return static_cast<int>(ffind::cli::run(words));
}
