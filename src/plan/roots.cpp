// SPDX-License-Identifier: MIT
// Spelling of roots, what they cover of one another, and crossing volumes without listing anything
// twice: each part of a file system is entered through one view of it, of which `mount --bind`,
// containers and btrfs make many.
//
// A root has four spellings. For `ffind x src` in /home/me, where src is a link to /data/src:
//
//     open_path   src             opened, relative to the current directory
//     printed     src/            prefix of the results
//     absolute    /home/me/src    links kept
//     canonical   /data/src       compared with mount points and other roots
//
// A root is dropped if another covers it (Coverage::covers): the outer walk enters every directory
// on the way to it, and finds the same there. That is false under a depth limit and for tests of
// the path below the root, since both count from the root.
//
// Crosser settles the mounts below the starts one start after the other. `searched_` has the named
// roots' views, then each view that is entered. A mount that shows a part of one is `seen`; one
// that shows more than a named root's is entered, except for the part `covered`.
#include "plan/roots.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "text/format.h"
#include "text/paths.h"

namespace ffind::plan {
namespace {

/// Prefixes ./ so that a path is never mistaken for an option.
std::string guarded(std::string path) {
  if (path.starts_with('-')) path.insert(0, "./");
  return path;
}

/// As typed, with one slash at its end, or those that were typed if `keeps_slashes`; empty for the
/// current directory if it was not named.
std::string printed_prefix(std::string_view typed, bool keeps_slashes) {
  if (typed.empty()) return {};
  if (keeps_slashes && typed.ends_with('/')) return std::string(typed);
  while (typed.ends_with('/')) typed.remove_suffix(1);
  return std::string(typed) + '/';
}

/// A file is printed as it was typed, so its prefix is the part before its name.
std::string printed_directory(std::string_view typed) {
  const std::size_t slash = typed.rfind('/');
  return std::string(slash == std::string_view::npos ? "" : typed.substr(0, slash + 1));
}

/// The volume of a location, from the mount table; one without a name or type if no mount has it.
Volume volume_of(const Location& location, const Mounts& mounts) {
  const Volume* const volume = mounts.of(location);
  if (volume != nullptr) return *volume;
  // In a chroot that is not a mount point, no table has the volume around it.
  Volume unknown;
  unknown.id = location.volume;
  unknown.mount_point = "/";
  unknown.subtree = "/";
  return unknown;
}

/// A view that is searched, and the start whose walk reaches it.
struct Searched {
  View view;
  std::size_t start;
  bool named;  ///< it is that of the start itself
};

/// Decides the outcomes of crossings: own_outcome() from the volume and the way to it alone, then
/// settle() in the light of everything that is searched already. Used for one call.
class Crosser {
 public:
  Crosser(const std::vector<Start>& starts, const Mounts& mounts, const Coverage& reach)
      : starts_(starts), mounts_(mounts), reach_(reach) {
    for (std::size_t i = 0; i < starts_.size(); ++i) {
      const Start& start = starts_[i];
      if (start.root.is_file || start.volume.hidden) continue;
      add({view_of(start.volume, start.root.canonical), i, true});
    }
  }

  std::vector<Crossing> cross(std::size_t start) {
    std::vector<Crossing> crossings;
    // A start that no path leads to has no mounts below it that a path could name.
    if (starts_[start].root.is_file || starts_[start].volume.hidden) return crossings;
    for (const Volume* const volume : mounts_.below(starts_[start].root.canonical)) {
      crossings.push_back({volume, own_outcome(start, *volume)});
    }
    // Members of the start's group come first, under the names that users know. Then the widest
    // views, so that a part of them is not entered through a narrower one too.
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
    // The crossings themselves stay in path order.
    for (Crossing* const crossing : order) settle(start, *crossing);
    return crossings;
  }

 private:
  /// The order of the tests is that of the reasons: a kernel's file system that is also too deep is
  /// reported as the kernel's.
  CrossingOutcome own_outcome(std::size_t start, const Volume& volume) const {
    if (volume.kind == VolumeKind::kernel) return CrossingOutcome::kernel;
    if (volume.kind == VolumeKind::automount) return CrossingOutcome::automount;
    if (volume.snapshot) return CrossingOutcome::snapshot;
    if (!reach_.enters(starts_[start], volume.mount_point)) return CrossingOutcome::out_of_reach;
    if (is_joined(start, volume)) return CrossingOutcome::joined;
    const auto way = mounts_.way(starts_[start].root.canonical, volume.mount_point);
    return reach_.held_up(way) ? CrossingOutcome::network : CrossingOutcome::crossed;
  }

  /// The group's mount point shows all of its volumes, another directory only through its
  /// firmlinks.
  bool is_joined(std::size_t start, const Volume& volume) const {
    const Volume& around = starts_[start].volume;
    if (volume.group == 0 || volume.group != around.group) return false;
    return volume.firmlink || shows_group(around, starts_[start].root.canonical);
  }

  /// If results depend on the root, another root's view does not replace this one's.
  bool counts(const Searched& searched, std::size_t start) const {
    return searched.start == start || !reach_.depends_on_root();
  }

  /// Marks the crossing as `seen` if a searched view shows it, or else adds it to the searched
  /// views.
  void settle(std::size_t start, Crossing& crossing) {
    const View view = view_of(*crossing.volume, crossing.volume->mount_point);
    const std::vector<Searched>& of_file_system = searched_[file_system_key(*view.volume)];
    for (const Searched& searched : of_file_system) {
      if (!counts(searched, start)) continue;
      std::string path = mounts_.shown_at(searched.view, view);
      if (path.empty() || !reach_.enters(starts_[searched.start], path)) continue;
      crossing.outcome = CrossingOutcome::seen;
      crossing.seen_at = std::move(path);
      return;
    }
    // A view wider than a named root's shows that again: it is entered except for this part.
    // (btrfs: "/" is the subvolume /@, and below it the whole file system is mounted for
    // snapshots.)
    for (const Searched& searched : of_file_system) {
      if (!searched.named || reach_.depends_on_root()) continue;
      std::string path = mounts_.shown_at(view, searched.view);
      if (!path.empty()) crossing.covered.push_back(std::move(path));
    }
    if (!crossing.volume->firmlink) leave_to_firmlinks(start, crossing);
    add({view, start, false});
  }

  void add(Searched searched) {
    searched_[file_system_key(*searched.view.volume)].push_back(std::move(searched));
  }

  /// A walk that reaches a firmlink lists it, and its target is searched under that name.
  void leave_to_firmlinks(std::size_t start, Crossing& crossing) const {
    for (const Volume* const link : mounts_.firmlinks_to(*crossing.volume)) {
      if (!lies_within(link->mount_point, starts_[start].root.canonical)) continue;
      crossing.listed_elsewhere.push_back(firmlink_target(*crossing.volume, *link));
    }
  }

  const std::vector<Start>& starts_;
  const Mounts& mounts_;
  const Coverage& reach_;
  /// In the order in which they were found, by file_system_key().
  std::unordered_map<std::uint64_t, std::vector<Searched>> searched_;
};

}  // namespace

Start start_at(const Location& location, const Mounts& mounts, bool as_typed) {
  Start start;
  // Unknown: on a server, not touched yet. The search opens it, and corrects the root if it is a
  // file.
  start.root.is_file = location.type != FileType::directory && location.type != FileType::unknown;
  start.link = location.link;
  start.volume = volume_of(location, mounts);
  // Opened as typed: the canonical path may lead through directories that this process cannot
  // search, and messages show what was typed.
  start.root.open_path = location.typed.empty() ? "." : guarded(location.typed);
  std::string shown = location.shown.empty() ? location.typed : location.shown;
  if (!as_typed) shown = guarded(std::move(shown));
  start.root.printed =
      start.root.is_file ? printed_directory(shown) : printed_prefix(shown, as_typed);
  start.root.canonical = location.canonical;
  start.root.absolute = location.absolute.empty() ? location.canonical : location.absolute;
  return start;
}

Root as_directory(const Root& root) {
  Root directory = root;
  directory.is_file = false;
  // "a/b", planned as a file, is printed below "a/": now below "a/b/".
  directory.printed += root.open_path.substr(root.open_path.rfind('/') + 1);
  directory.printed += '/';
  return directory;
}

Root as_file(const Root& root) {
  Root file = root;
  file.is_file = true;
  // The reverse: "a/b/" to "a/".
  while (file.printed.ends_with('/')) file.printed.pop_back();
  file.printed = printed_directory(file.printed);
  return file;
}

// Start "src" at /home/me/src, volume at /home/me/src/mnt/usb: opens and prints "src/mnt/usb",
// `below` is "mnt/usb" and the depth 2.
Root root_below(const Root& start, std::string_view mount_point) {
  const std::string_view below = text::path_below(mount_point, start.canonical);
  Root root;
  root.open_path = text::join_paths(start.open_path, below);
  root.below = below;
  root.printed =
      (start.printed.empty() ? guarded(std::string(below)) : start.printed + root.below) + '/';
  root.absolute = text::join_paths(start.absolute, below);
  root.canonical = mount_point;
  root.depth = 1 + static_cast<std::uint32_t>(std::count(below.begin(), below.end(), '/'));
  return root;
}

bool Coverage::depends_on_root() const {
  // --min-depth is no reason: entries are deeper below the outer root, so it lists more.
  return scope_.max_depth != unlimited_depth || (needs_ & needs::relative_path) != 0;
}

// One step for each component: the directory must be above the depth limit, not hidden, and not
// excluded or pruned. A root that is listed may be pruned as well. Costs what `enters_` costs,
// which may load attributes of each directory.
bool Coverage::enters(const Start& start, std::string_view path) const {
  if (scope_.list_roots && enters_ && !enters_(start.root, {}, 0)) return false;
  const std::string_view below = text::path_below(path, start.root.canonical);
  std::uint32_t depth = 0;
  for (std::size_t from = 0; from < below.size();) {
    std::size_t to = below.find('/', from);
    if (to == std::string_view::npos) to = below.size();
    // An entry at the greatest depth is listed, but not entered.
    if (++depth >= scope_.max_depth) return false;
    if (scope_.skip_hidden && below[from] == '.') return false;
    const std::string_view relative = below.substr(0, to);
    if (enters_ && !enters_(start.root, relative, depth)) {
      return false;
    }
    from = to + 1;
  }
  return scope_.max_depth > 0;
}

bool Coverage::held_up(const std::vector<const Volume*>& way) const {
  return !scope_.network && std::any_of(way.begin(), way.end(), [](const Volume* volume) {
    return volume->kind == VolumeKind::network;
  });
}

bool Coverage::covers(const Start& outer, const Start& inner) const {
  if (scope_.list_roots) return false;
  const std::string& path = inner.place();
  if (path == outer.place() && inner.volume.id == outer.volume.id) return true;
  // Roots that are links are followed, but the walk of the directory around one may not follow it.
  if (!inner.link.empty()) return false;
  if (outer.root.is_file || depends_on_root() || !lies_within(path, outer.root.canonical))
    return false;
  // Only the directory itself is listed there.
  if (outer.volume.kind == VolumeKind::automount) return false;
  // From "/" on macOS, the Data volume is searched under the names that firmlinks give it, so that
  // is the way to check: /System/Volumes/Data/Users/me is reached as /Users/me.
  if (shows_group(outer.volume, outer.root.canonical) && inner.volume.group == outer.volume.group) {
    return enters(outer, mounts_.usual_path(inner.volume, path));
  }
  if (!enters(outer, path)) return false;
  // Both on one mount: no boundary is between them, or the inner root would be on another mount.
  if (inner.volume.id == outer.volume.id) return true;

  // On another mount: covered if the search crosses to it, by the same rules as Crosser's.
  const std::vector<const Volume*> way = mounts_.way(outer.root.canonical, path);
  if (way.empty() || way.front()->id != inner.volume.id || held_up(way)) return false;
  if (inner.volume.firmlink) return true;
  if (!scope_.cross_volumes || inner.volume.snapshot) return false;
  return inner.volume.kind == VolumeKind::local || inner.volume.kind == VolumeKind::network;
}

std::vector<Start> without_covered(std::vector<Start> starts, const Coverage& reach,
                                   std::vector<DroppedRoot>& dropped) {
  // In path order a root comes after all that contain it, so it is compared only with the roots on
  // the way down to it: a list of roots from a file may be as long as a tree has directories.
  std::vector<std::size_t> order(starts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return path_less(starts[a].place(), starts[b].place());
  });
  constexpr std::size_t nobody = static_cast<std::size_t>(-1);
  std::vector<std::size_t> covered_by(starts.size(), nobody);
  std::vector<std::size_t> around;  // kept roots that the present one lies within
  for (const std::size_t i : order) {
    const std::string& path = starts[i].place();
    while (!around.empty() && !lies_within(path, starts[around.back()].place())) {
      around.pop_back();
    }
    const auto by = std::find_if(around.begin(), around.end(), [&](std::size_t outer) {
      return reach.covers(starts[outer], starts[i]);
    });
    if (by != around.end()) {
      covered_by[i] = *by;
    } else {
      around.push_back(i);
    }
  }

  std::vector<Start> kept;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    if (covered_by[i] == nobody) {
      kept.push_back(starts[i]);
      continue;
    }
    const Start& by = starts[covered_by[i]];
    const bool same = starts[i].place() == by.place();
    dropped.push_back({starts[i].root.open_path,
                       text::format("{} {}, which is searched", same ? "the same as" : "is within",
                                    by.root.open_path)});
  }
  return kept;
}

std::vector<std::vector<Crossing>> cross_volumes(const std::vector<Start>& starts,
                                                 const Mounts& mounts, const Coverage& reach) {
  Crosser crosser(starts, mounts, reach);
  std::vector<std::vector<Crossing>> all;
  for (std::size_t i = 0; i < starts.size(); ++i) all.push_back(crosser.cross(i));
  return all;
}

}  // namespace ffind::plan
