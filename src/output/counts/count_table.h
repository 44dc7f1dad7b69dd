// SPDX-License-Identifier: MIT
// What was counted, in order and as text or NDJSON. Called by the counter at the end.
#pragma once

#include "output/counts/counter.h"
#include "output/pipeline.h"

namespace ffind {

/// Passes the table on: a row for each of `tallies`, so many of them as `style` allows, and a last
/// one for all of them. `field` is what was counted by.
void write_count_table(const Tallies& tallies, const RecordField& field, const OutputStyle& style,
                       RecordStage& next);

}  // namespace ffind
