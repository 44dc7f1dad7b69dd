// SPDX-License-Identifier: MIT
// Look-ups in a mount table: the volume that holds a path, what is mounted below it, other views of
// the same part of a file system, and the volumes that `--all-volumes` and `--volume NAME` mean.
// Used by all of plan, and by cli to make roots of volumes. Pure: the table is a value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ffind/plan.h"

namespace ffind::plan {

/// A part of a file system as it is seen from a path on.
struct View {
  const Volume* volume = nullptr;
  std::string path;     ///< canonical; where the view begins
  std::string subtree;  ///< where that is within the file system
};

View view_of(const Volume& volume, std::string_view canonical_path);

/// An index over a table, which must outlive it. Immutable. Paths are canonical. Hidden mounts are
/// found by their id only: no path leads to them.
class Mounts {
 public:
  explicit Mounts(const MountTable& table);

  /// The volume itself, not a firmlink's view of it; null when there is none.
  const Volume* by_id(std::uint64_t id) const;
  /// False where the table and the location were read while something moved: the location's volume
  /// is not mounted where its path says. Both are to be read again then.
  bool agrees_with(const Location& location) const;
  /// The volume, or the view of it, that a location lies on; null when it is in no table.
  const Volume* of(const Location& location) const;
  /// The volume with the longest mount point that `path` lies within; null when there is none.
  const Volume* holding(std::string_view path) const;
  /// What is mounted strictly below `path`, in the order of paths, nested mounts included.
  std::vector<const Volume*> below(std::string_view path) const;
  /// Those of them that a walk from `path` meets: nothing else is mounted on the way to them.
  std::vector<const Volume*> edges(std::string_view path) const;
  /// The volumes that the way from `from` to `path` leads onto, the last first.
  std::vector<const Volume*> way(std::string_view from, std::string_view path) const;

  /// The firmlinks that show directories of `volume`, in the order of paths.
  std::vector<const Volume*> firmlinks_to(const Volume& volume) const;
  /// What people take for the path of `path`, which lies on `volume`: the firmlink's where there is
  /// one.
  std::string usual_path(const Volume& volume, std::string_view path) const;
  /// Whether `volume` is one of several that are shown as one from another one's mount point on,
  /// which there is.
  bool is_shown_by_another(const Volume& volume) const;

  /// Where `view` shows what `part` begins with: empty when that is another file system, a part
  /// that the view does not have, or one that it has where something else is mounted on top.
  std::string shown_at(const View& view, const View& part) const;

  /// `volumes` without those that show nothing but parts of what another of them shows.
  std::vector<const Volume*> each_file_system_once(std::vector<const Volume*> volumes) const;

  /// All visible volumes, in the order of paths.
  const std::vector<const Volume*>& visible() const { return visible_; }

 private:
  const Volume* mounted_at(std::string_view path) const;

  std::vector<const Volume*> visible_;    ///< by path_less of their mount points, one for each
  std::vector<const Volume*> by_id_;      ///< views by firmlinks behind the volume itself
  std::vector<const Volume*> firmlinks_;  ///< in the order of paths
};

/// Where the directory that a firmlink shows lies on the volume itself.
std::string firmlink_target(const Volume& volume, const Volume& firmlink);

/// Whether `path` is where several volumes are shown as one, and `volume` the one mounted there.
bool shows_group(const Volume& volume, std::string_view path);

/// Whether both are mounts of the same file system, of the same part or not.
bool same_file_system(const Volume& a, const Volume& b);

/// Every local file system once, without snapshots and what is shown as one with another, through
/// its widest views, and with `network` those of other machines and processes too; none made up by
/// the kernel, none that mount themselves. In the order of paths. A container's single mounted
/// files are among them: what is no directory is no root.
std::vector<Volume> select_volumes(const MountTable& table, bool network);

/// Places in `table` of the volumes to be asked what they can do: those that located roots lie on,
/// and what may be entered below, but no server that nobody named: it may be dead.
std::vector<std::size_t> volumes_to_ask(const MountTable& table,
                                        const std::vector<Location>& locations, bool cross_volumes);

/// The same for a listing of all volumes.
std::vector<std::size_t> volumes_to_ask(const MountTable& table);

/// The volume that `name` means: a mount point, a source (`/dev/sda1`, `server:/export`), a label,
/// or the last part of a source or mount point; whichever of these fits first. `labelled` has the
/// sources or mount points of the volumes that carry the label `name`. Of several views of one file
/// system the widest is meant. Throws UsageError when none or several are left.
const Volume* volume_named(const MountTable& table, std::string_view name,
                           const std::vector<std::string>& labelled);

}  // namespace ffind::plan
