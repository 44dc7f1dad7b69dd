// SPDX-License-Identifier: MIT
// Mount table look-ups by hash of the mount point, and by mount points in path order, in which
// everything below a directory is one range: hosts of containers have thousands of mounts, nearly
// all of one file system.
//
// The index has pointers into the caller's table, filled by the constructor in O(n log n):
//
//     by_path_    by hash of the mount point
//     visible_    by path_less of the mount point: / /home /home/me/usb /home-2
//                                                     └─ below("/") is all but the first,
//                                                        below("/home") is /home/me/usb
//     by_id_      by id; a volume comes before the firmlinks' views of it, which have its id
//     firmlinks_  the firmlinks among visible_
//
// holding() looks for a mount at the path, then at each of its parents. way() climbs the same way
// from mount point to mount point. below() and edges() find the first mount after the directory and
// read on until one is outside.
//
// Volume::subtree makes views comparable: it says which directory of the file system a mount shows,
// so two paths lead to one directory if their file systems and their paths within it are equal.
//
//     mount of /dev/sda1  at /data         subtree /            /data/a/b  is /a/b of sda1
//     bind mount          at /srv/share    subtree /a           /srv/share/b is /a/b of sda1, too
#include "plan/mounts.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "ffind/issue.h"
#include "text/format.h"
#include "text/paths.h"
#include "text/quoting.h"

namespace ffind {

// Words of --explain and --list-volumes. In JSON they are values that scripts read.
std::string_view to_text(VolumeKind kind) {
  constexpr std::string_view words[] = {"local", "network", "kernel", "automount"};
  return words[static_cast<std::size_t>(kind)];
}

std::string_view to_text(CatalogSupport support) {
  constexpr std::string_view words[] = {"none", "claimed", "proven", "disproved"};
  return words[static_cast<std::size_t>(support)];
}

}  // namespace ffind

namespace ffind::plan {

// By device number, since mount ids differ between the mounts of one file system. 0:0 is an unknown
// device, which equals no other.
bool same_file_system(const Volume& a, const Volume& b) {
  if (a.id == b.id && a.id != 0) return true;
  // Volumes of one group may share a device number.
  if (a.group != 0 && a.group == b.group) return false;
  // btrfs shows one device for all its subvolumes here, where stat has one for each.
  return a.major == b.major && a.minor == b.minor && (a.major != 0 || a.minor != 0);
}

std::uint64_t file_system_key(const Volume& volume) {
  const std::uint64_t device = std::uint64_t{volume.major} << 32U | volume.minor;
  return device != 0 ? device : ~volume.id;
}

// `canonical_path` must be within the volume. "/srv/share/b", on the mount of "/a" at "/srv/share",
// is "/a/b".
View view_of(const Volume& volume, std::string_view canonical_path) {
  return {&volume, std::string(canonical_path),
          text::join_paths(volume.subtree, text::path_below(canonical_path, volume.mount_point))};
}

// The Data volume at /System/Volumes/Data and the firmlink /Users, a view of its subtree /Users:
// /System/Volumes/Data/Users.
std::string firmlink_target(const Volume& volume, const Volume& firmlink) {
  return text::join_paths(volume.mount_point, text::path_below(firmlink.subtree, volume.subtree));
}

// A group is macOS's system volume at "/" and its Data volume; its number is the former's id.
bool shows_group(const Volume& volume, std::string_view path) {
  return volume.group != 0 && volume.id == volume.group && volume.mount_point == path;
}

Mounts::Mounts(const MountTable& table) : table_(table) {
  by_id_.reserve(table.size());
  for (const Volume& volume : table) {
    by_id_.push_back(&volume);
  }
  std::stable_sort(by_id_.begin(), by_id_.end(), [](const Volume* a, const Volume* b) {
    return a->id != b->id ? a->id < b->id : a->firmlink < b->firmlink;
  });
  // In reverse, so that the last of several on one mount point is kept (tables without parents).
  for (auto volume = table.rbegin(); volume != table.rend(); ++volume) {
    if (volume->hidden || !by_path_.emplace(volume->mount_point, &*volume).second) continue;
    visible_.push_back(&*volume);
  }
  std::sort(visible_.begin(), visible_.end(), [](const Volume* a, const Volume* b) {
    return path_less(a->mount_point, b->mount_point);
  });
  std::copy_if(visible_.begin(), visible_.end(), std::back_inserter(firmlinks_),
               [](const Volume* volume) { return volume->firmlink; });
}

const Volume* Mounts::by_id(std::uint64_t id) const {
  const auto found = std::lower_bound(
      by_id_.begin(), by_id_.end(), id,
      [](const Volume* volume, std::uint64_t wanted) { return volume->id < wanted; });
  return found != by_id_.end() && (*found)->id == id ? *found : nullptr;
}

bool Mounts::agrees_with(const Location& location) const {
  const Volume* const known = location.volume != 0 ? by_id(location.volume) : nullptr;
  // A firmlink's view of a volume has paths that differ from the volume's own.
  if (known == nullptr || known->group != 0 || location.canonical.empty()) return true;
  return lies_within(location.canonical, known->mount_point);
}

const Volume* Mounts::of(const Location& location) const {
  const Volume* const by_path = holding(location.canonical);
  const Volume* const known = location.volume != 0 ? by_id(location.volume) : nullptr;
  // A mount of another namespace, as below /proc/PID/root.
  if (known == nullptr && location.volume != 0) return nullptr;
  // Without a usable id the path decides: location.volume is 0 if the kernel reports no mount id,
  // and agrees_with() is false if the table is older than the location.
  if (known == nullptr || !agrees_with(location)) return by_path;
  // The id goes before the path: a process may be in a directory that a later mount hides. Only in
  // a group does the path say more: a firmlink's view has its volume's id.
  const bool shown_as_one =
      known->group != 0 && by_path != nullptr && by_path->group == known->group;
  return shown_as_one ? by_path : known;
}

const Volume* Mounts::holding(std::string_view path) const {
  for (; !path.empty(); path = text::parent_of(path)) {
    const auto found = by_path_.find(path);
    if (found != by_path_.end()) return found->second;
  }
  return nullptr;
}

std::vector<const Volume*> Mounts::below(std::string_view path) const {
  auto next = std::upper_bound(
      visible_.begin(), visible_.end(), path,
      [](std::string_view a, const Volume* b) { return path_less(a, b->mount_point); });
  std::vector<const Volume*> found;
  for (; next != visible_.end() && lies_within((*next)->mount_point, path); ++next) {
    found.push_back(*next);
  }
  return found;
}

std::vector<const Volume*> Mounts::edges(std::string_view path) const {
  std::vector<const Volume*> found;
  for (const Volume* const volume : below(path)) {
    if (found.empty() || !lies_within(volume->mount_point, found.back()->mount_point)) {
      found.push_back(volume);
    }
  }
  return found;
}

std::vector<const Volume*> Mounts::way(std::string_view from, std::string_view path) const {
  std::vector<const Volume*> found;
  for (const Volume* volume = holding(path); volume != nullptr && volume->mount_point != from &&
                                             lies_within(volume->mount_point, from);) {
    found.push_back(volume);
    if (volume->mount_point == "/") break;
    volume = holding(text::parent_of(volume->mount_point));
  }
  return found;
}

std::vector<const Volume*> Mounts::firmlinks_to(const Volume& volume) const {
  std::vector<const Volume*> found;
  std::copy_if(firmlinks_.begin(), firmlinks_.end(), std::back_inserter(found),
               [&](const Volume* link) { return link->id == volume.id; });
  return found;
}

std::string Mounts::usual_path(const Volume& volume, std::string_view path) const {
  if (volume.firmlink) return std::string(path);
  for (const Volume* const link : firmlinks_to(volume)) {
    const std::string target = firmlink_target(volume, *link);
    if (lies_within(path, target))
      return text::join_paths(link->mount_point, text::path_below(path, target));
  }
  return std::string(path);
}

bool Mounts::is_shown_by_another(const Volume& volume) const {
  if (volume.group == 0 || volume.id == volume.group) return false;
  const Volume* const first = by_id(volume.group);
  return first != nullptr && !first->hidden;
}

std::string Mounts::shown_at(const View& view, const View& part) const {
  if (!same_file_system(*view.volume, *part.volume)) return {};
  if (!lies_within(part.subtree, view.subtree)) return {};
  // The directory is in the view's tree. Its path there follows from both subtrees: `view` shows /a
  // at /srv/share, `part` is /a/b/c, so it is at /srv/share/b/c.
  std::string path = text::join_paths(view.path, text::path_below(part.subtree, view.subtree));
  // A directory mounted on itself is the common case of "something else on top": the walk of the
  // volume around it stops there, so only the mount itself shows its contents.
  const Volume* const holder = holding(path);
  if (holder == nullptr || holder->id != view.volume->id) return {};
  return path;
}

std::vector<const Volume*> Mounts::each_file_system_once(std::vector<const Volume*> volumes) const {
  // Widest first, so that a view precedes all that show parts of it. Equal ones keep their order,
  // and the first is kept.
  std::vector<const Volume*> order = volumes;
  std::stable_sort(order.begin(), order.end(), [](const Volume* a, const Volume* b) {
    return path_less(a->subtree, b->subtree);
  });
  // Each is compared with the kept views of its file system only, which are few if the root of that
  // is mounted too.
  std::unordered_map<std::uint64_t, std::vector<View>> kept;
  std::unordered_set<const Volume*> chosen;
  for (const Volume* const volume : order) {
    View view = view_of(*volume, volume->mount_point);
    std::vector<View>& others = kept[file_system_key(*volume)];
    const bool seen = std::any_of(others.begin(), others.end(), [&](const View& other) {
      return !shown_at(other, view).empty();
    });
    if (seen) continue;
    chosen.insert(volume);
    others.push_back(std::move(view));
  }
  const auto dropped = [&](const Volume* volume) { return chosen.count(volume) == 0; };
  volumes.erase(std::remove_if(volumes.begin(), volumes.end(), dropped), volumes.end());
  return volumes;
}

namespace {

/// Last component of a mount point or of a source: "usb" of "/media/usb", "export" of
/// "server:/export", "tank" of "tank".
std::string_view last_part(std::string_view path) {
  while (path.ends_with('/')) path.remove_suffix(1);
  const std::size_t begin = path.find_last_of("/:");
  return begin == std::string_view::npos ? path : path.substr(begin + 1);
}

/// Limits the list in a message; a host of containers has thousands.
constexpr std::size_t most_listed = 20;

/// Lines for the end of a message, each "MOUNT POINT (FILE SYSTEM on SOURCE)".
std::vector<std::string> list_of(const std::vector<const Volume*>& volumes) {
  std::vector<std::string> list;
  for (std::size_t i = 0; i < volumes.size() && i < most_listed; ++i) {
    list.push_back(text::format("{} ({} on {})", volumes[i]->mount_point, volumes[i]->file_system,
                                volumes[i]->source.empty() ? "nothing" : volumes[i]->source));
  }
  if (volumes.size() > most_listed) list.emplace_back("and more: see ffind --list-volumes");
  return list;
}

/// False for members of a group that another volume shows, and for snapshots.
bool holds_files(const Mounts& mounts, const Volume& volume, bool network) {
  if (volume.snapshot || mounts.is_shown_by_another(volume)) return false;
  return volume.kind == VolumeKind::local || (network && volume.kind == VolumeKind::network);
}

/// The volumes of --all-volumes, and those that a message suggests for --volume.
std::vector<const Volume*> files_once(const Mounts& mounts, bool network) {
  std::vector<const Volume*> volumes;
  for (const Volume* const volume : mounts.visible()) {
    if (holds_files(mounts, *volume, network)) volumes.push_back(volume);
  }
  return mounts.each_file_system_once(std::move(volumes));
}

/// True for volumes that os::probe may query; kernel file systems and automounters have no files.
bool can_be_asked(const Volume& volume) {
  return volume.kind == VolumeKind::local || volume.kind == VolumeKind::network;
}

/// Volumes of one group may share a name, which then means the one that shows the group.
std::vector<const Volume*> one_for_each_group(std::vector<const Volume*> volumes) {
  const std::vector<const Volume*> all = volumes;
  const auto is_shown = [&](const Volume* volume) {
    return volume->group != volume->id &&
           std::any_of(all.begin(), all.end(), [&](const Volume* other) {
             return other->id == volume->group && volume->group != 0;
           });
  };
  volumes.erase(std::remove_if(volumes.begin(), volumes.end(), is_shown), volumes.end());
  return volumes;
}

/// Place in a list of volumes: what people look for comes first.
enum class Rank : std::uint8_t { root, home, disk, network, memory, kernel };

Rank rank_of(const Volume& volume, const Volume* home) {
  constexpr std::array<std::string_view, 3> without_disk = {"tmpfs", "ramfs", "squashfs"};
  if (volume.mount_point == "/") return Rank::root;
  if (&volume == home) return Rank::home;
  if (volume.kind == VolumeKind::network) return Rank::network;
  if (volume.kind != VolumeKind::local) return Rank::kernel;
  const auto found = std::find(without_disk.begin(), without_disk.end(), volume.file_system);
  return found != without_disk.end() ? Rank::memory : Rank::disk;
}

/// True for a tmpfs at /sys/fs/cgroup and the like. /dev, whose /dev/shm has files of programs, is
/// not meant.
bool is_mounted_in_kernel_files(const Mounts& mounts, const Volume& volume) {
  const std::string_view above = text::parent_of(volume.mount_point);
  const Volume* const around = above.empty() ? nullptr : mounts.holding(above);
  return around != nullptr && around->kind == VolumeKind::kernel &&
         around->file_system != "devtmpfs";
}

}  // namespace

std::vector<Volume> select_volumes(const Mounts& mounts, bool network) {
  std::vector<Volume> selected;
  for (const Volume* const volume : files_once(mounts, network)) selected.push_back(*volume);
  return selected;
}

std::vector<std::size_t> volumes_to_ask(const Mounts& mounts,
                                        const std::vector<Location>& locations,
                                        bool cross_volumes) {
  std::set<std::size_t> asked;
  // A firmlink's view has no capabilities of its own: cli copies its volume's to it.
  const auto ask = [&](const Volume* volume) {
    if (volume->firmlink) volume = mounts.by_id(volume->id);
    asked.insert(static_cast<std::size_t>(volume - mounts.table().data()));
  };
  for (const Location& location : locations) {
    const Volume* const around = location.error == 0 ? mounts.of(location) : nullptr;
    if (around == nullptr) continue;
    // A root that no system call has touched yet is on a server, and probing it could block.
    if (location.probed && can_be_asked(*around)) ask(around);
    for (const Volume* const volume : mounts.below(location.canonical)) {
      if (volume->kind != VolumeKind::local || volume->snapshot) continue;
      const bool shown_as_one = around->group != 0 && volume->group == around->group;
      if (cross_volumes || shown_as_one) ask(volume);
    }
  }
  return {asked.begin(), asked.end()};
}

std::vector<std::size_t> volumes_to_ask(const Mounts& mounts,
                                        const std::vector<std::size_t>& listed) {
  std::set<std::size_t> asked;
  for (const std::size_t i : listed) {
    const Volume* volume = &mounts.table()[i];
    if (volume->firmlink) volume = mounts.by_id(volume->id);
    if (volume->hidden || volume->kind != VolumeKind::local) continue;
    if (may_block(mounts, *volume)) continue;
    asked.insert(static_cast<std::size_t>(volume - mounts.table().data()));
  }
  return {asked.begin(), asked.end()};
}

std::vector<std::size_t> volumes_to_list(const Mounts& mounts, bool all, std::string_view home) {
  std::vector<const Volume*> listed = all ? mounts.visible() : files_once(mounts, true);
  if (!all) {
    std::erase_if(listed, [&](const Volume* volume) {
      return volume->firmlink || !volume->browsable || is_mounted_in_kernel_files(mounts, *volume);
    });
  }
  const Volume* of_home = home.empty() ? nullptr : mounts.holding(home);
  if (of_home != nullptr && of_home->firmlink) of_home = mounts.by_id(of_home->id);
  std::stable_sort(listed.begin(), listed.end(), [&](const Volume* a, const Volume* b) {
    return rank_of(*a, of_home) < rank_of(*b, of_home);
  });
  std::vector<std::size_t> indices;
  indices.reserve(listed.size());
  for (const Volume* const volume : listed) {
    indices.push_back(static_cast<std::size_t>(volume - mounts.table().data()));
  }
  return indices;
}

bool may_block(const Mounts& mounts, const Volume& volume) {
  const auto is_remote = [](const Volume* one) {
    return one->kind == VolumeKind::network || one->kind == VolumeKind::automount;
  };
  if (is_remote(&volume)) return true;
  const std::vector<const Volume*> way = mounts.way("/", volume.mount_point);
  return std::any_of(way.begin(), way.end(), is_remote);
}

const Volume* volume_named(const Mounts& mounts, std::string_view name,
                           const std::vector<std::string>& labelled) {
  const auto has_label = [&](const std::string& text) {
    return std::find(labelled.begin(), labelled.end(), text) != labelled.end();
  };
  // The most specific match first. `mount_point` and `source` are compared whole, labels as os has
  // resolved them, to devices on Linux and to mount points on macOS.
  const std::vector<std::function<bool(const Volume&)>> meanings = {
      [&](const Volume& volume) { return volume.mount_point == name; },
      [&](const Volume& volume) { return volume.source == name; },
      [&](const Volume& v) { return has_label(v.source) || has_label(v.mount_point); },
      [&](const Volume& volume) {
        return last_part(volume.source) == name || last_part(volume.mount_point) == name;
      },
  };
  for (const auto& meant : meanings) {
    if (name.empty()) break;
    std::vector<const Volume*> found;
    for (const Volume* const volume : mounts.visible()) {
      if (!volume->firmlink && meant(*volume)) found.push_back(volume);
    }
    // Bind mounts of one device have the same source: the widest view is meant.
    found = one_for_each_group(mounts.each_file_system_once(std::move(found)));
    if (found.size() == 1) return found.front();
    if (!found.empty()) {
      throw UsageError({.what = text::format("--volume '{}' matches several volumes", name),
                        .example = "--volume " + text::shell_word(found.front()->mount_point),
                        .advice = "it matches:",
                        .list = list_of(found)});
    }
  }
  const std::vector<const Volume*> known = files_once(mounts, true);
  throw UsageError(
      {.what = text::format("--volume '{}': no volume has that mount point, source or name", name),
       .example = "--volume " + text::shell_word(known.empty() ? "/" : known.front()->mount_point),
       .advice = "there are:",
       .list = list_of(known)});
}

}  // namespace ffind::plan
