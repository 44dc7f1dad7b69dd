// SPDX-License-Identifier: MIT
// Two sets of Options made one: a saved search with what is typed behind it, a configuration with
// what is typed over it. Pure; called by request.cpp.
#pragma once

#include "cli/options.h"

namespace ffind {

/// Both as one command line, `second` behind `first`, whose format, order, case and limit give way
/// to those of `second`, and --x to its --no-x.
Options followed_by(Options first, const Options& second);

/// The same, and every other option that is typed takes the place of the configuration's, too; only
/// exclusions and expressions add up.
Options over_configuration(Options configuration, const Options& typed);

}  // namespace ffind
