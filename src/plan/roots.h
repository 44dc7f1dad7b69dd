// SPDX-License-Identifier: MIT
// Roots and what is mounted below them.
//
//   Location   a path that was named, and what it turned out to be
//   Start      a root to be searched: how it is opened and printed
//   Reach      how far a search comes from a start by its scope and patterns, so that a root within
//              another's reach is dropped
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

  /// What shows that it is the same as another root, or lies within it.
  const std::string& place() const { return link.empty() ? root.canonical : link; }
};

/// What a search gets to see from a start, as far as scope and patterns decide it.
class Reach {
 public:
  /// Holds on to its arguments.
  Reach(const Scope& scope, Needs needs, const Mounts& mounts, const Enters& enters)
      : scope_(scope), needs_(needs), mounts_(mounts), enters_(enters) {}

  /// Whether the same directory may give other answers when it is searched from another root.
  bool depends_on_root() const;
  /// Whether a walk from `start` enters every directory on the way to `path`, and that itself.
  /// Volume boundaries do not count here.
  bool enters(const Start& start, std::string_view path) const;
  /// Whether a search from `outer` gives all answers that one from `inner` would.
  bool covers(const Start& outer, const Start& inner) const;
  /// Whether the way leads onto a network volume that is not to be entered: even to pass through
  /// such a one can take for ever.
  bool held_up(const std::vector<const Volume*>& way) const;

  const Scope& scope() const { return scope_; }

 private:
  const Scope& scope_;
  Needs needs_;
  const Mounts& mounts_;
  const Enters& enters_;
};

Start start_at(const Location& location, const Mounts& mounts);

/// `root` as it is to be searched when it turns out to be a directory after all, or to be none: it
/// was exchanged since, or nobody asked its volume what it is.
Root as_directory(const Root& root);
Root as_file(const Root& root);

/// The root of a volume mounted at `mount_point`, below `start`.
Root root_below(const Root& start, std::string_view mount_point);

/// `starts` without those that others cover, which are added to `dropped`.
std::vector<Start> without_covered(std::vector<Start> starts, const Reach& reach,
                                   std::vector<DroppedRoot>& dropped);

/// The name of a root in messages: as typed, "." when nothing was.
std::string shown_name(const Root& root);

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
  std::string seen_at{};                        ///< path of the other view, if `seen`
  std::vector<std::string> covered{};           ///< see Root
  std::vector<std::string> listed_elsewhere{};  ///< see Root
};

/// For each start, what happens with each volume mounted below it, in the order of paths. The
/// scope's cross_volumes is not looked at: the outcomes say what it would do.
std::vector<std::vector<Crossing>> cross_volumes(const std::vector<Start>& starts,
                                                 const Mounts& mounts, const Reach& reach);

}  // namespace ffind::plan
