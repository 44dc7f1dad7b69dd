// SPDX-License-Identifier: MIT
// Where this user's git has rules that apply everywhere, and how it matches them.
// Called by run.cpp, only with --gitignore; reads the environment and git's configuration.
#pragma once

#include "ffind/query.h"

namespace ffind::cli {

/// Fills in what is beside `enabled`.
void find_git_settings(GitIgnore& settings);

}  // namespace ffind::cli
