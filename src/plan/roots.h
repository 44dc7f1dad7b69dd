// SPDX-License-Identifier: MIT
// Roots and what is mounted below them.
//
//   Location   a named path, resolved
//   Start      a root to be searched: how it is opened and printed
//   Coverage   the directories that scope and patterns let a search reach from a start; a root
//              within another's coverage is dropped
//   Crossing   a volume mounted below a start, and whether the search enters it, or why not
//
// Used by plan.cpp, which makes tasks and boundaries of them. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ffind/plan.h"
#include "plan/mounts.h"

namespace ffind::plan {

/// A named root that is searched.
struct Start {
  Root root;
  Volume volume;
  std::string link;  ///< Location::link

  /// Identifies the root when it is compared with others: two may be the same, or nested.
  const std::string& place() const { return link.empty() ? root.canonical : link; }
};

/// The directories that a search sees from a start, by scope and patterns alone.
class Coverage {
 public:
  /// Keeps references to its arguments.
  Coverage(const Scope& scope, Needs needs, const Mounts& mounts, const Enters& enters)
      : scope_(scope), needs_(needs), mounts_(mounts), enters_(enters) {}

  /// True if results for a directory may depend on the root that it is reached from.
  bool depends_on_root() const;
  /// True if a walk from `start` enters every directory on the way to `path`, and `path` itself.
  /// Ignores volume boundaries.
  bool enters(const Start& start, std::string_view path) const;
  /// True if a search from `outer` finds everything that one from `inner` would.
  bool covers(const Start& outer, const Start& inner) const;
  /// True if the way crosses a network volume that must not be entered: even passing through it can
  /// block.
  bool held_up(const std::vector<const Volume*>& way) const;

 private:
  const Scope& scope_;
  Needs needs_;
  const Mounts& mounts_;
  const Enters& enters_;
};

/// `as_typed`: paths below "a//" and "-" are printed so.
Start start_at(const Location& location, const Mounts& mounts, bool as_typed = false);

/// `root` changed to a directory, or to a file, if the search finds that the plan was wrong: it was
/// replaced since, or its volume was not queried.
Root as_directory(const Root& root);
Root as_file(const Root& root);

/// The root of a volume mounted at `mount_point`, below `start`.
Root root_below(const Root& start, std::string_view mount_point);

/// Returns `starts` without those that others cover; adds these to `dropped`.
std::vector<Start> without_covered(std::vector<Start> starts, const Coverage& reach,
                                   std::vector<DroppedRoot>& dropped);

enum class CrossingOutcome : std::uint8_t {
  crossed,       ///< shows a tree that is not searched yet: entered with --cross-volumes
  joined,        ///< part of a group that is searched: entered
  network,       ///< would be entered with network volumes
  kernel,        ///< searched only as a root
  automount,     ///< opening it would mount something
  out_of_reach,  ///< the walk does not reach it: too deep, excluded, pruned or hidden
  snapshot,      ///< earlier state of a volume: searched only as a root
  seen,          ///< another view of what is searched already
};

struct Crossing {
  const Volume* volume = nullptr;
  CrossingOutcome outcome = CrossingOutcome::crossed;
  std::string seen_at{};                        ///< path of the other view, if `seen`
  std::vector<std::string> covered{};           ///< see Root
  std::vector<std::string> listed_elsewhere{};  ///< see Root
};

/// Decides for each start what happens to the volumes mounted below it, in path order. Does not
/// read the scope's cross_volumes: outcomes show what it would change.
std::vector<std::vector<Crossing>> cross_volumes(const std::vector<Start>& starts,
                                                 const Mounts& mounts, const Coverage& reach);

}  // namespace ffind::plan
