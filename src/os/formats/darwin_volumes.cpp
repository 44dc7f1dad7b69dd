// SPDX-License-Identifier: MIT
// Converts getfsstat's rows, in the order of mounting, to volumes. A row has its mount point but
// not the volume that this is on, which follows from the paths and the order; and since macOS 10.15
// the volume at "/" and the Data volume appear as one tree, joined by firmlinks:
//
//     /            system, read-only       /Users -> /System/Volumes/Data/Users
//     /System/Volumes/Data                 /Applications -> ...
//
// In the table that volumes_of returns, a firmlink is a volume of its own, a view: mounted at
// /Users on the system volume, with the id of Data and the subtree /Users, like a bind mount of
// Linux.
//
//     records        ▶ volume_of    one volume for a row
//     all volumes    ▶ relate       parents, and volumes hidden by later ones
//     system, Data   ▶ add_firmlinks
//
// All volumes are compared in pairs: the table is short.
#include "os/formats/mount_tables.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>
#include <utility>

#include "text/ascii.h"

namespace ffind::os::darwin {
namespace {

constexpr std::size_t none = static_cast<std::size_t>(-1);
constexpr std::string_view data_mount_point = "/System/Volumes/Data";

/// A volume that an automounter mounted is an ordinary one: only autofs itself mounts on access.
VolumeKind kind_of(const MountRecord& record) {
  if (record.file_system == "devfs") return VolumeKind::kernel;
  if (record.file_system == "autofs") return VolumeKind::automount;
  return (record.flags & mnt_local) != 0 ? VolumeKind::local : VolumeKind::network;
}

/// The volume of a row, without its parent, which relate() finds.
Volume volume_of(const MountRecord& record) {
  Volume volume;
  volume.id = record.fsid;
  // val[0] of an fsid is the device number, 8 bits of major and 24 of minor.
  const auto device = static_cast<std::uint32_t>(record.fsid);
  volume.major = device >> 24U;
  volume.minor = device & 0xFFFFFFU;
  volume.mount_point = record.mount_point;
  volume.subtree = "/";
  volume.file_system = record.file_system;
  volume.source = record.source;
  volume.kind = kind_of(record);
  volume.read_only = (record.flags & mnt_rdonly) != 0;
  // The sealed system volume is a snapshot too, but not of another mounted volume.
  volume.snapshot = (record.flags & mnt_snapshot) != 0 && record.mount_point != "/";
  volume.browsable = (record.flags & mnt_dontbrowse) == 0;
  return volume;
}

/// Returns the volumes in the order of mounting. One at "/" counts as the oldest, wherever the
/// table lists it.
std::vector<Volume*> by_age(MountTable& table) {
  std::vector<Volume*> order;
  order.reserve(table.size());
  for (Volume& volume : table) order.push_back(&volume);
  std::stable_partition(order.begin(), order.end(),
                        [](const Volume* volume) { return volume->mount_point == "/"; });
  return order;
}

/// Finds the parent of each volume, and hides the volumes that it covers. The parent is the
/// youngest of the older volumes that contain the mount point: it would have covered any older one
/// inside it.
void relate(MountTable& table) {
  const std::vector<Volume*> order = by_age(table);
  for (auto younger = order.begin(); younger != order.end(); ++younger) {
    Volume& volume = **younger;
    for (auto older = order.begin(); older != younger; ++older) {
      Volume& other = **older;
      if (lies_within(volume.mount_point, other.mount_point)) volume.parent = other.id;
      if (lies_within(other.mount_point, volume.mount_point)) other.hidden = true;
    }
  }
}

/// Makes the view of a directory of `data` at a path of `system`.
Volume view_of(const Volume& data, const Volume& system, const Firmlink& firmlink) {
  Volume view = data;
  view.parent = system.id;
  view.mount_point = firmlink.path;
  view.subtree = "/" + firmlink.target;
  view.hidden = false;
  view.browsable = true;
  view.firmlink = true;
  return view;
}

/// Adds a view for each firmlink. A volume mounted at or above its path hides the view, and one
/// that is mounted below it is on the Data volume.
void add_firmlinks(MountTable& table, const Volume& system, const Volume& data,
                   const std::vector<Firmlink>& firmlinks) {
  const std::size_t mounted = table.size();
  std::vector<Volume> views;
  for (const Firmlink& firmlink : firmlinks) {
    Volume view = view_of(data, system, firmlink);
    for (std::size_t i = 0; i < mounted; ++i) {
      Volume& volume = table[i];
      if (volume.mount_point == "/") continue;
      if (lies_within(view.mount_point, volume.mount_point)) {
        view.hidden = true;
      } else if (volume.parent == system.id && volume.id != data.id &&
                 lies_within(volume.mount_point, view.mount_point)) {
        volume.parent = data.id;
      }
    }
    views.push_back(std::move(view));
  }
  table.insert(table.end(), std::make_move_iterator(views.begin()),
               std::make_move_iterator(views.end()));
}

/// Whether the path is names separated by single slashes.
bool is_plain(std::string_view path) {
  if (path.find('\0') != std::string_view::npos) return false;
  while (true) {
    const std::size_t end = path.find('/');
    const std::string_view name = path.substr(0, end);
    if (name.empty() || name == "." || name == "..") return false;
    if (end == std::string_view::npos) return true;
    path.remove_prefix(end + 1);
  }
}

}  // namespace

// For example "/Users\tUsers". A line is refused if it has another number of tabs or a path with
// empty parts, "." or "..".
std::vector<Firmlink> parse_firmlinks(std::string_view text) {
  std::vector<Firmlink> firmlinks;
  while (!text.empty()) {
    std::string_view target = text::take_part(text, '\n');
    const std::string_view path = text::take_part(target, '\t');
    if (target.find('\t') != std::string_view::npos || !path.starts_with('/')) continue;
    if (!is_plain(path.substr(1)) || !is_plain(target)) continue;
    firmlinks.push_back({.path = std::string(path), .target = std::string(target)});
  }
  return firmlinks;
}

MountTable volumes_of(const std::vector<MountRecord>& records,
                      const std::vector<Firmlink>& firmlinks) {
  MountTable table;
  table.reserve(records.size());
  std::size_t system = none;
  std::size_t data = none;
  bool flagged = false;
  for (const MountRecord& record : records) {
    if (!record.mount_point.starts_with('/')) continue;  // not to be reached by any path
    const std::size_t index = table.size();
    if ((record.flags & mnt_rootfs) != 0) system = index;
    // Older systems have no flag for it.
    const bool has_flag = (record.extended_flags & mnt_ext_root_data_vol) != 0;
    if ((has_flag && !flagged) || (data == none && record.mount_point == data_mount_point)) {
      data = index;
      flagged = has_flag;
    }
    table.push_back(volume_of(record));
  }
  relate(table);
  if (system != none && data != none && system != data) {
    table[system].group = table[data].group = table[system].id;
    add_firmlinks(table, Volume(table[system]), Volume(table[data]), firmlinks);
  }
  return table;
}

// A bit of a capability counts only if the same bit of `valid` is set: otherwise the volume does
// not say.
bool apply_capabilities(const unsigned char* bytes, std::size_t size, Volume& volume) {
  constexpr std::size_t format = 0;
  constexpr std::size_t interfaces = 1;
  struct Answer {
    std::uint32_t length;
    std::array<std::uint32_t, 4> capabilities;
    std::array<std::uint32_t, 4> valid;
  };
  Answer answer{};
  if (size < sizeof answer) return false;
  std::memcpy(&answer, bytes, sizeof answer);
  if (answer.length < sizeof answer) return false;
  const auto can = [&](std::size_t word, std::uint32_t bit) {
    return (answer.capabilities[word] & answer.valid[word] & bit) != 0;
  };
  if ((answer.valid[format] & vol_cap_fmt_case_sensitive) != 0) {
    volume.case_sensitive = can(format, vol_cap_fmt_case_sensitive);
  }
  // A catalog returns the ids of directories, which are of no use without their paths.
  const bool claims =
      can(interfaces, vol_cap_int_searchfs) && can(format, vol_cap_fmt_path_from_id);
  volume.catalog = claims ? CatalogSupport::claimed : CatalogSupport::none;
  volume.bulk_claimed = can(interfaces, vol_cap_int_readdirattr);
  return true;
}

}  // namespace ffind::os::darwin
