// SPDX-License-Identifier: MIT
// The plan and the volumes as rows of named values, and those as text for people. cli prints the
// text, or each row as an object of JSON; the keys are the same in both. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "ffind/plan.h"

namespace ffind::plan {

using ExplainedValue = std::variant<std::string, std::uint64_t, bool, std::vector<std::string>>;

/// Text is raw bytes, as in the mount table.
struct ExplainedField {
  std::string key;
  ExplainedValue value;
};
using ExplainedRow = std::vector<ExplainedField>;

/// What `--explain` shows. The first field of a row, `record`, says what it is about: one `query`
/// (`where` is the expression after optimisation), then for each task its `volume`, with its `root`
/// and `boundary` rows, then `dropped` and `missing` roots. cli puts an `options` row, of the files
/// that added some, and an `output` row behind the first. What does not apply has no field.
std::vector<ExplainedRow> explain_plan(const Query& query, const Expression& where,
                                       const Plan& plan);

/// What `--volumes` shows: every volume that a path leads to, and every firmlink, in the order of
/// paths, with what would be chosen to find names on all of it.
std::vector<ExplainedRow> list_volumes(const MountTable& table, const Machine& machine);

/// Rows of `explain_plan` for people: the reason behind each choice, boundaries as a table.
std::string plan_text(const std::vector<ExplainedRow>& rows);

/// Rows of `list_volumes` as a table, one line a volume, with the columns that fit beside others;
/// firmlinks have none.
std::string volumes_text(const std::vector<ExplainedRow>& rows);

}  // namespace ffind::plan
