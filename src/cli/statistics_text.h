// SPDX-License-Identifier: MIT
// What --stats prints. Called by whoever ran a search; counts nothing itself.
#pragma once

#include <string>

#include "ffind/searcher.h"

namespace ffind::cli {

/// Lines, each with its end.
std::string statistics_text(const Statistics& counts, Nanoseconds elapsed);

}  // namespace ffind::cli
