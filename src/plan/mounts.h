// SPDX-License-Identifier: MIT
// Look-ups in a mount table: the volume that holds a path, what is mounted below it, other views of
// the same part of a file system, and the volumes that `--all-volumes` and `--volume NAME` mean.
// Used by all of plan, and by cli to make roots of volumes. Pure: the table is a value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ffind/plan.h"

namespace ffind::plan {

/// A part of a file system, seen through the mount at a path.
struct View {
  const Volume* volume = nullptr;
  std::string path;     ///< canonical path of its beginning
  std::string subtree;  ///< the same directory's path within the file system
};

View view_of(const Volume& volume, std::string_view canonical_path);

/// Index over a mount table, which must outlive it: mount points in path order, ids, and firmlinks.
/// Immutable. Paths are canonical. Hidden mounts, which no path leads to, are found by id only.
class Mounts {
 public:
  Mounts(const MountTable& table);  // NOLINT: a table is passed where its index is needed once

  const MountTable& table() const { return table_; }
  /// The volume itself, not a firmlink's view of it; null if there is none.
  const Volume* by_id(std::uint64_t id) const;
  /// False if the location's volume is not mounted at its path: something was mounted or renamed
  /// between reading the table and the location. The caller then reads both again.
  bool agrees_with(const Location& location) const;
  /// The volume of a location, or the view of it; null if the table has neither.
  const Volume* of(const Location& location) const;
  /// The volume with the longest mount point at or above `path`; null if there is none.
  const Volume* holding(std::string_view path) const;
  /// Volumes mounted strictly below `path`, nested mounts included, in path order.
  std::vector<const Volume*> below(std::string_view path) const;
  /// The subset of `below` that a walk from `path` meets: no other mount is on the way to them.
  std::vector<const Volume*> edges(std::string_view path) const;
  /// The volumes entered on the way from `from` down to `path`, the last one first.
  std::vector<const Volume*> way(std::string_view from, std::string_view path) const;

  /// The firmlinks that show directories of `volume`, in the order of paths.
  std::vector<const Volume*> firmlinks_to(const Volume& volume) const;
  /// The path that users know for `path` on `volume`: through the firmlink if there is one.
  std::string usual_path(const Volume& volume, std::string_view path) const;
  /// True if `volume` belongs to a group that is shown as one volume, and a different, mounted
  /// volume shows the group.
  bool is_shown_by_another(const Volume& volume) const;

  /// The path at which `view` shows the first directory of `part`: empty if it is a different file
  /// system, a part outside the view, or hidden there by another mount.
  std::string shown_at(const View& view, const View& part) const;

  /// Returns `volumes` without those that only show parts of another one's view.
  std::vector<const Volume*> each_file_system_once(std::vector<const Volume*> volumes) const;

  /// All visible volumes, in the order of paths.
  const std::vector<const Volume*>& visible() const { return visible_; }

 private:
  const MountTable& table_;
  std::vector<const Volume*> visible_;  ///< by path_less of their mount points, one for each
  std::unordered_map<std::string_view, const Volume*> by_path_;  ///< the same
  std::vector<const Volume*> by_id_;      ///< a volume comes before firmlinks' views of it
  std::vector<const Volume*> firmlinks_;  ///< in the order of paths
};

/// The path on the volume itself of the directory that a firmlink shows.
std::string firmlink_target(const Volume& volume, const Volume& firmlink);

/// True if `volume` is mounted at `path` and shows a group of volumes there as one.
bool shows_group(const Volume& volume, std::string_view path);

/// True if both are mounts of one file system, be it of different parts.
bool same_file_system(const Volume& a, const Volume& b);

/// Equal for two volumes if same_file_system() is true: hosts of containers have thousands, of
/// which few are to be compared.
std::uint64_t file_system_key(const Volume& volume);

/// Selects the volumes of --all-volumes, in path order: each local file system once, through its
/// widest views, and with `network` those of servers and other processes. Left out are snapshots,
/// members of a group that another volume shows, file systems that the kernel makes up, and
/// automounts. Includes the single files that containers mount; the caller drops non-directories.
std::vector<Volume> select_volumes(const Mounts& mounts, bool network);

/// Indices in the table of the volumes whose capabilities are to be queried: those of the located
/// roots, and those that may be entered below them, except for servers that were not named, which
/// may be down.
std::vector<std::size_t> volumes_to_ask(const Mounts& mounts,
                                        const std::vector<Location>& locations, bool cross_volumes);

/// The subset of `listed` that a listing of volumes may query: local ones that cannot block.
std::vector<std::size_t> volumes_to_ask(const Mounts& mounts,
                                        const std::vector<std::size_t>& listed);

/// Indices of the volumes that --list-volumes shows, in its order: the volume mounted at `/`, that
/// of the directory `home`, local disks, network volumes, then those in memory and read-only images
/// (tmpfs, squashfs), and those of the kernel; alike by mount point. Without `all`, each file
/// system once, and only those with files of users: no file systems of the kernel or mounted in
/// /proc and /sys, and none that the system hides from users.
std::vector<std::size_t> volumes_to_list(const Mounts& mounts, bool all, std::string_view home);

/// True if a call to the volume's mount point may wait for a server, its own or that of a volume
/// that it is mounted on, or would mount something.
bool may_block(const Mounts& mounts, const Volume& volume);

/// Finds a volume by `name`: a mount point, a source (`/dev/sda1`, `server:/export`), a label,
/// or the last part of a source or mount point, tried in this order. `labelled` has the
/// sources or mount points of the volumes that carry the label `name`. The widest of several
/// views of one file system counts. Throws UsageError if no volume or more than one is left.
const Volume* volume_named(const Mounts& mounts, std::string_view name,
                           const std::vector<std::string>& labelled);

}  // namespace ffind::plan
