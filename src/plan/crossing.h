// SPDX-License-Identifier: MIT
// What becomes of the volumes mounted below the roots: which of them `--cross-volumes` enters, and
// why not the others. Used by plan.cpp, which makes tasks and boundaries of it. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "plan/roots.h"

namespace ffind::plan {

enum class CrossingOutcome : std::uint8_t {
  crossed,       ///< its tree is new: entered when volumes are crossed
  joined,        ///< shown by the system as part of what is searched: entered
  network,       ///< would be entered with network volumes
  kernel,        ///< searched only where it is a root
  automount,     ///< looking into it would mount something
  out_of_reach,  ///< the walk does not come to it: too deep, excluded, pruned, hidden
  snapshot,      ///< shows a volume as it was: searched only where it is a root
  seen,          ///< another view of what is searched anyway
};

struct Crossing {
  const Volume* volume = nullptr;
  CrossingOutcome outcome = CrossingOutcome::crossed;
  std::string seen_at{};                        ///< where, when `seen`
  std::vector<std::string> covered{};           ///< see Root
  std::vector<std::string> listed_elsewhere{};  ///< see Root
};

/// For each start, what happens with each volume mounted below it, in the order of paths. The
/// scope's cross_volumes is not looked at: the outcomes say what it would do.
std::vector<std::vector<Crossing>> cross_volumes(const std::vector<Start>& starts,
                                                 const Mounts& mounts, const Reach& reach);

}  // namespace ffind::plan
