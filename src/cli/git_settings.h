// SPDX-License-Identifier: MIT
// Where this user has told git to look for rules that count everywhere, and how to match them.
// Called by run.cpp, only when they are asked for; reads the environment and git's configuration.
#pragma once

#include "ffind/query.h"

namespace ffind::cli {

/// Fills in what is beside `enabled`.
void find_git_settings(GitIgnore& settings);

}  // namespace ffind::cli
