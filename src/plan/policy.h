// SPDX-License-Identifier: MIT
// Chooses method, reader and number of threads for a volume and a query, each with its reason.
// Called by make_plan and by the listing of volumes; cli calls capabilities_matter before it
// queries a volume. Pure.
#pragma once

#include "ffind/plan.h"

namespace ffind::plan {

/// Requirements of a query on a volume, in addition to its scope.
struct Demand {
  Needs needs = needs::none;   ///< attributes of entries that the matcher and the output require
  bool whole_volume = false;   ///< one of the roots is the volume's own
  bool unusual_names = false;  ///< see Task
  bool few_names = false;      ///< most entries are rejected by name before more is read
};

/// True if what `volume` reports of itself, its catalog or its bulk call, can change how it is
/// searched. If false, the caller may skip querying it, which takes time; reasons may then be less
/// precise.
bool capabilities_matter(const Volume& volume, const Scope& scope);

/// Throws UsageError if `scope` demands what the volume or the machine does not support.
Choice choose(const Volume& volume, const Scope& scope, const Demand& demand,
              const Machine& machine);

}  // namespace ffind::plan
