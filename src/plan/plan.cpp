// SPDX-License-Identifier: MIT
// make_plan: one task for each volume, in the order in which their first roots were named, then one
// for each volume that the search crosses to. roots.h says which volumes those are and policy.h how
// each is searched; this file puts them together, and checks last what a volume cannot do.
//
//     locations ─▶ start_at ─▶ without_covered ─▶ starts ─┬────────────────▶ Planner ─▶ tasks
//              └─▶ missing           └─▶ dropped          └─▶ cross_volumes ─▶┘           │
//                                                                   choose for each task ◀┘
//
// The method is chosen last, when all roots of a task are known: it depends on whether one of them
// is the volume's own, and on whether a firmlink's directory is searched under its other name.
#include "ffind/plan.h"

#include <algorithm>
#include <cstddef>
#include <unordered_map>
#include <utility>

#include "plan/policy.h"
#include "plan/roots.h"
#include "text/format.h"
#include "text/paths.h"

namespace ffind {
namespace {

/// Fills Plan::tasks with roots and boundaries. A task is found by the id of its volume, which
/// firmlinks' views share, so that all roots on macOS's Data volume are in one task.
class Planner {
 public:
  Planner(const Scope& scope, const plan::Mounts& mounts, Plan& plan)
      : scope_(scope), mounts_(mounts), plan_(plan) {}

  /// `crossings` has the volumes below each start, in the order of `starts`. Named roots go first,
  /// so that their tasks come first in --explain.
  void add(const std::vector<plan::Start>& starts,
           const std::vector<std::vector<plan::Crossing>>& crossings) {
    for (const plan::Start& start : starts) named_.emplace(start.root.canonical, start.volume.id);
    for (std::size_t i = 0; i < starts.size(); ++i) {
      add_root(starts[i].volume, starts[i].root, crossings[i]);
    }
    for (std::size_t i = 0; i < starts.size(); ++i) {
      for (const plan::Crossing& crossing : crossings[i]) {
        if (!is_entered(crossing.outcome)) continue;
        Root root = plan::root_below(starts[i].root, crossing.volume->mount_point);
        root.covered = crossing.covered;
        root.listed_elsewhere = crossing.listed_elsewhere;
        add_root(*crossing.volume, std::move(root), crossings[i]);
      }
    }
  }

 private:
  /// cross_volumes() decides without --cross-volumes, so that a boundary's reason can say what the
  /// option would change.
  bool is_entered(plan::CrossingOutcome outcome) const {
    return outcome == plan::CrossingOutcome::joined ||
           (outcome == plan::CrossingOutcome::crossed && scope_.cross_volumes);
  }

  /// Adds the root and the boundaries that its walk meets. `crossings` are those of the named root
  /// that it belongs to, which include all mounts below `root`.
  void add_root(const Volume& volume, Root root, const std::vector<plan::Crossing>& crossings) {
    Task& task = task_for(volume);
    // A view of a part is not the whole volume, whatever its mount point.
    if (root.canonical == volume.mount_point && volume.subtree == "/") {
      task.whole_volume = true;
    }
    // Only the first mounts on the way down: a walk that does not cross an edge never meets what is
    // mounted below it. Found by path order, since a host of containers has thousands.
    const plan::Crossing* last = nullptr;
    auto next = std::upper_bound(crossings.begin(), crossings.end(), root.canonical,
                                 [](const std::string& path, const plan::Crossing& crossing) {
                                   return path_less(path, crossing.volume->mount_point);
                                 });
    for (; next != crossings.end(); ++next) {
      const std::string& path = next->volume->mount_point;
      if (!lies_within(path, root.canonical)) break;
      if (last != nullptr && lies_within(path, last->volume->mount_point)) continue;
      last = &*next;
      add_boundary(task, *last);
    }
    if (scope_.mounts == Scope::Mounts::by_kind) note_firmlinks(task, volume, root);
    task.roots.push_back(std::move(root));
  }

  /// A mount on a directory that a firmlink shows is in the mount table under the firmlink's name
  /// only, but a walk also meets it under the directory's own name.
  void note_firmlinks(Task& task, const Volume& volume, const Root& root) {
    if (volume.firmlink) return;
    for (const Volume* const link : mounts_.firmlinks_to(volume)) {
      const std::string target = plan::firmlink_target(volume, *link);
      // The walk stops at this directory, so it meets no mount below it.
      if (std::count(root.listed_elsewhere.begin(), root.listed_elsewhere.end(), target) != 0) {
        continue;
      }
      if (lies_within(target, root.canonical) || lies_within(root.canonical, target)) {
        task.unusual_names = true;
      }
      for (const Volume* const edge : mounts_.edges(link->mount_point)) {
        const auto below = text::path_below(edge->mount_point, link->mount_point);
        Boundary boundary{.path = text::join_paths(target, below), .kind = edge->kind};
        if (!lies_within(boundary.path, root.canonical)) continue;
        boundary.volume = edge->id;
        boundary.file_system = edge->file_system;
        boundary.reason = text::format("entered only at its mount point, {}", edge->mount_point);
        keep(task, std::move(boundary));
      }
    }
  }

  /// The task of the volume; a new one at the end of the plan if this is the first root on it, or
  /// if the tasks are searched in turn and the root before this one is on another.
  Task& task_for(const Volume& volume) {
    if (scope_.parents_first && !plan_.tasks.empty() && plan_.tasks.back().volume.id != volume.id) {
      task_of_.clear();
    }
    const auto [found, is_new] = task_of_.emplace(volume.id, plan_.tasks.size());
    if (is_new) {
      // A task's volume is the mount itself, which has the path that catalogs and messages refer
      // to. A location that is in no table is on an unknown volume, without firmlinks.
      plan_.tasks.emplace_back().volume = volume.firmlink ? *mounts_.by_id(volume.id) : volume;
    }
    return plan_.tasks[found->second];
  }

  /// True if a root was named at the volume's mount point. The id is compared as well: the path of
  /// a root may also be that of a mount which a later one covers.
  bool is_named(const Volume& volume) const {
    const auto [first, last] = named_.equal_range(volume.mount_point);
    return std::any_of(first, last, [&](const auto& named) { return named.second == volume.id; });
  }

  void add_boundary(Task& task, const plan::Crossing& crossing) {
    const Volume& volume = *crossing.volume;
    Boundary boundary{.path = volume.mount_point, .kind = volume.kind, .volume = volume.id};
    boundary.file_system = volume.file_system;
    if (is_named(volume)) {
      boundary.entered = true;
      boundary.reason = "named as a root";
    } else {
      describe(crossing, boundary);
    }
    keep(task, std::move(boundary));
  }

  /// Adds the boundary unless the task has one at the same path.
  void keep(Task& task, Boundary boundary) {
    const auto number = static_cast<std::size_t>(&task - plan_.tasks.data());
    const auto [found, is_new] =
        boundary_of_[number].emplace(boundary.path, task.boundaries.size());
    if (is_new) return task.boundaries.push_back(std::move(boundary));
    Boundary& known = task.boundaries[found->second];
    // Nested roots may see a mount differently: one that reaches it is enough.
    if (boundary.entered && !known.entered) known = std::move(boundary);
  }

  /// Sets `entered`, `left_out` and `reason`. Only boundaries that --cross-volumes or --network
  /// would open are `left_out`.
  void describe(const plan::Crossing& crossing, Boundary& boundary) const {
    switch (crossing.outcome) {
      case plan::CrossingOutcome::crossed:
        boundary.entered = is_entered(crossing.outcome);
        boundary.left_out = !boundary.entered;
        boundary.reason = boundary.entered ? "entered because of --cross-volumes"
                                           : "another volume: --cross-volumes enters it";
        return;
      case plan::CrossingOutcome::joined:
        boundary.entered = true;
        boundary.reason = describe_joined(*crossing.volume);
        return;
      case plan::CrossingOutcome::network:
        boundary.left_out = true;
        boundary.reason = scope_.cross_volumes
                              ? "a network volume: --network enters it"
                              : "a network volume: --cross-volumes with --network enters it";
        return;
      case plan::CrossingOutcome::kernel:
        boundary.reason = "made up by the kernel: searched only if named as a root";
        return;
      case plan::CrossingOutcome::automount:
        boundary.reason = "mounts itself when opened: entered only if named as a root";
        return;
      case plan::CrossingOutcome::snapshot:
        boundary.reason = "a snapshot: searched only if named as a root";
        return;
      case plan::CrossingOutcome::out_of_reach:
        boundary.reason = "too deep, excluded, pruned or hidden: not entered on any volume";
        return;
      case plan::CrossingOutcome::seen:
        boundary.reason = text::format("the same as {}", crossing.seen_at);
        return;
    }
  }

  std::string describe_joined(const Volume& volume) const {
    if (!volume.firmlink) {
      return "part of the volume around it: entered for what that volume does not show";
    }
    return text::format("a part of {}, which is searched under this name",
                        mounts_.by_id(volume.id)->mount_point);
  }

  const Scope& scope_;
  const plan::Mounts& mounts_;
  Plan& plan_;
  std::unordered_map<std::uint64_t, std::size_t> task_of_;  ///< by mount id
  /// Boundaries of each task, by path.
  std::unordered_map<std::size_t, std::unordered_map<std::string, std::size_t>> boundary_of_;
  /// Canonical path and volume id of each named root.
  std::unordered_multimap<std::string, std::uint64_t> named_;
};

/// For Task::mounted.
std::vector<Boundary> all_of(const plan::Mounts& mounts) {
  std::vector<Boundary> all;
  for (const Volume* const volume : mounts.visible()) {
    all.push_back({.path = volume->mount_point, .kind = volume->kind});
    all.back().file_system = volume->file_system;
    all.back().device = volume->device;
  }
  return all;
}

/// Name of a root in messages and records; no root typed is the current directory.
std::string typed_name(const Location& location) {
  return location.typed.empty() ? "." : location.typed;
}

/// Runs after planning, so that a capability that a volume lacks is reported first.
void search_nothing(Plan& plan, const std::vector<Location>& locations) {
  plan.tasks.clear();
  plan.dropped.clear();
  for (const Location& location : locations) {
    if (location.error != 0) continue;
    plan.dropped.push_back({typed_name(location), "no file can match"});
  }
}

}  // namespace

Plan make_plan(const Query& query, Wants wants, const plan::Mounts& mounts,
               const std::vector<Location>& locations, const Machine& machine,
               const Enters& enters) {
  Plan plan;
  const plan::Coverage reach(query.scope, wants.matcher, mounts, enters);
  std::vector<plan::Start> starts;
  for (const Location& location : locations) {
    // The ordered walk reports a missing root when it is its turn.
    if (location.error != 0 && !query.scope.order) {
      plan.missing.push_back(location);
      plan.missing.back().typed = typed_name(location);
    } else {
      starts.push_back(plan::start_at(location, mounts, query.scope.list_roots));
    }
  }
  // Nested roots are dropped first: cross_volumes() takes every start for one that is searched.
  if (query.scope.lists.empty() && !query.scope.order) {
    starts = plan::without_covered(std::move(starts), reach, plan.dropped);
    // A walk that enters other volumes itself asks the kernel, not the table.
    std::vector<std::vector<plan::Crossing>> crossings(starts.size());
    if (query.scope.mounts == Scope::Mounts::by_kind) {
      crossings = plan::cross_volumes(starts, mounts, reach);
    }
    Planner(query.scope, mounts, plan).add(starts, crossings);
  } else {
    // One task for all volumes; the roots of lists are those of relative and absolute paths.
    Task& task = plan.tasks.emplace_back();
    for (plan::Start& start : starts) {
      // A missing root has none.
      if (task.volume.file_system.empty()) task.volume = std::move(start.volume);
      task.roots.push_back(std::move(start.root));
    }
    task.mounted = all_of(mounts);
  }
  for (Task& task : plan.tasks) {
    if (query.scope.mounts != Scope::Mounts::by_kind) task.mounted = all_of(mounts);
    task.wanted = wants.matcher | wants.output;
    task.choice = plan::choose(task.volume, query.scope,
                               {.needs = task.wanted,
                                .whole_volume = task.whole_volume,
                                .unusual_names = task.unusual_names,
                                .few_names = wants.few_names},
                               machine);
    if (query.scope.order) task.choice.end_mark = 0;  // it may be on several file systems
  }
  if (wants.nothing) search_nothing(plan, locations);
  return plan;
}

}  // namespace ffind
