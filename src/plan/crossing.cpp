// SPDX-License-Identifier: MIT
// Crossing volumes without listing anything twice: each part of a file system is entered through
// one view of it. `mount --bind`, containers and btrfs make many views of one file system.
#include "plan/crossing.h"

#include <algorithm>
#include <utility>

namespace ffind::plan {
namespace {

/// A view that is searched, and the start from which its walk comes.
struct Searched {
  View view;
  std::size_t start;
};

class Crosser {
 public:
  Crosser(const std::vector<Start>& starts, const Mounts& mounts, const Reach& reach)
      : starts_(starts), mounts_(mounts), reach_(reach) {
    for (std::size_t i = 0; i < starts_.size(); ++i) {
      const Start& start = starts_[i];
      if (start.root.is_file || start.volume.hidden) continue;
      searched_.push_back({view_of(start.volume, start.root.canonical), i});
    }
    named_ = searched_.size();
  }

  std::vector<Crossing> cross(std::size_t start) {
    std::vector<Crossing> crossings;
    // What is hidden from paths has no mounts below it that a path could name.
    if (starts_[start].root.is_file || starts_[start].volume.hidden) return crossings;
    for (const Volume* const volume : mounts_.below(starts_[start].root.canonical)) {
      crossings.push_back({volume, own_outcome(start, *volume)});
    }
    // What belongs to the start comes first, under the names that people know. Then the widest
    // views, so that what they show is not entered through a narrower one too.
    std::vector<Crossing*> order;
    for (Crossing& crossing : crossings) {
      if (crossing.outcome == CrossingOutcome::crossed ||
          crossing.outcome == CrossingOutcome::joined) {
        order.push_back(&crossing);
      }
    }
    std::stable_sort(order.begin(), order.end(), [](const Crossing* a, const Crossing* b) {
      if (a->volume->firmlink != b->volume->firmlink) return a->volume->firmlink;
      return path_less(a->volume->subtree, b->volume->subtree);
    });
    for (Crossing* const crossing : order) settle(start, *crossing);
    return crossings;
  }

 private:
  CrossingOutcome own_outcome(std::size_t start, const Volume& volume) const {
    if (volume.kind == VolumeKind::kernel) return CrossingOutcome::kernel;
    if (volume.kind == VolumeKind::automount) return CrossingOutcome::automount;
    if (volume.snapshot) return CrossingOutcome::snapshot;
    if (!reach_.enters(starts_[start], volume.mount_point)) return CrossingOutcome::out_of_reach;
    if (is_joined(start, volume)) return CrossingOutcome::joined;
    const auto way = mounts_.way(starts_[start].root.canonical, volume.mount_point);
    return reach_.held_up(way) ? CrossingOutcome::network : CrossingOutcome::crossed;
  }

  /// The group's own place shows all of its volumes, another directory what its firmlinks show.
  bool is_joined(std::size_t start, const Volume& volume) const {
    const Volume& around = starts_[start].volume;
    if (volume.group == 0 || volume.group != around.group) return false;
    return volume.firmlink || shows_group(around, starts_[start].root.canonical);
  }

  /// Where answers depend on the root, what another root shows is no substitute.
  bool counts(const Searched& searched, std::size_t start) const {
    return searched.start == start || !reach_.depends_on_root();
  }

  void settle(std::size_t start, Crossing& crossing) {
    const View view = view_of(*crossing.volume, crossing.volume->mount_point);
    for (const Searched& searched : searched_) {
      if (!counts(searched, start)) continue;
      std::string path = mounts_.shown_at(searched.view, view);
      if (path.empty() || !reach_.enters(starts_[searched.start], path)) continue;
      crossing.outcome = CrossingOutcome::seen;
      crossing.seen_at = std::move(path);
      return;
    }
    // A view wider than a named root's shows that again: entered but for this part. (btrfs: "/" is
    // the subvolume /@, and below it the whole file system is mounted for snapshots.)
    for (std::size_t i = 0; i < named_ && !reach_.depends_on_root(); ++i) {
      std::string path = mounts_.shown_at(view, searched_[i].view);
      if (!path.empty()) crossing.covered.push_back(std::move(path));
    }
    if (!crossing.volume->firmlink) leave_to_firmlinks(start, crossing);
    searched_.push_back({view, start});
  }

  /// A walk that comes to a firmlink lists it, and what it shows is searched under that name.
  void leave_to_firmlinks(std::size_t start, Crossing& crossing) const {
    for (const Volume* const link : mounts_.firmlinks_to(*crossing.volume)) {
      if (!lies_within(link->mount_point, starts_[start].root.canonical)) continue;
      crossing.listed_elsewhere.push_back(firmlink_target(*crossing.volume, *link));
    }
  }

  const std::vector<Start>& starts_;
  const Mounts& mounts_;
  const Reach& reach_;
  std::vector<Searched> searched_;
  std::size_t named_ = 0;  ///< so many of them are named roots
};

}  // namespace

std::vector<std::vector<Crossing>> cross_volumes(const std::vector<Start>& starts,
                                                 const Mounts& mounts, const Reach& reach) {
  Crosser crosser(starts, mounts, reach);
  std::vector<std::vector<Crossing>> all;
  for (std::size_t i = 0; i < starts.size(); ++i) all.push_back(crosser.cross(i));
  return all;
}

}  // namespace ffind::plan
