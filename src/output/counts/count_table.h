// SPDX-License-Identifier: MIT
// What was counted, in order and as text or NDJSON. Called by the counter at the end. Pure.
#pragma once

#include <string>

#include "output/counts/counter.h"

namespace ffind {

/// The table: a row for each of `tallies`, so many of them as `style` allows, and a last one for
/// all of them. `field` is what was counted by.
std::string count_table(const Tallies& tallies, const RecordField& field, const OutputStyle& style);

}  // namespace ffind
