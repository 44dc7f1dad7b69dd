// SPDX-License-Identifier: MIT
// Plan: one task for each volume, with its roots, method, reader, number of threads, and the reason
// for each choice. Made from values (query, mount table, locations) without a system call, so plans
// can be tested for any machine.
//
//     Location (a root as typed) ─┐
//     Volume (mount table) ───────┼─▶ make_plan() ─▶ Plan ─┬─ Task: volume, roots, boundaries
//     Query, Wants, Machine ──────┘                        ├─ Task ...
//                                                          └─ missing and dropped roots
//
// A walk never crosses a boundary. A volume mounted below a root is searched if the plan has a task
// with a root of its own for it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ffind/issue.h"
#include "ffind/query.h"
#include "ffind/volume.h"

namespace ffind {

/// Directory or file at which a search starts: one that was named, or a volume mounted below it.
struct Root {
  std::string open_path;  ///< path to open; "." for the current directory if none was named
  std::string printed;    ///< prefix of printed paths, with a slash at its end or empty
  std::string absolute;   ///< absolute path, no slash at its end unless it is "/"
  std::string canonical;  ///< absolute, without symbolic links: the mount table's view of it
  /// For a volume mounted below the named root: its path from there, without slashes at its ends;
  /// `printed` ends with it and a slash. Such a root may turn out to be a file, since containers
  /// mount single files; then the walk above has listed it, and nothing is left to do.
  std::string below;
  bool is_file = false;     ///< expected not to be a directory; the search checks again
  std::uint32_t depth = 0;  ///< depth of the root itself
  /// Canonical paths of directories below this root, on the same file system, that another root of
  /// the plan searches: listed here, not entered. Nearly always empty.
  std::vector<std::string> covered{};
  /// Canonical paths of directories that another walk lists in the place where macOS's firmlinks
  /// show them: neither listed here nor entered.
  std::vector<std::string> listed_elsewhere{};
};

/// A mount point below a root, which the walker does not cross. May be a file: the mount table does
/// not tell.
struct Boundary {
  std::string path;  ///< canonical
  VolumeKind kind = VolumeKind::local;
  bool left_out = false;      ///< not searched without --cross-volumes or --network
  bool entered = false;       ///< another root of the plan begins there
  bool listed = true;         ///< false: another walk lists it
  bool mount_point = true;    ///< false: a directory of the same volume
  std::uint64_t volume = 0;   ///< mount id
  std::string file_system{};  ///< type of that volume
  std::string reason{};       ///< for searching it, or for not doing so
};

/// Shapes of a catalog.
enum class CatalogShape : std::uint8_t {
  flat,         ///< lists the whole volume, in no order (os/catalog.h)
  directories,  ///< lists a directory by its number (os/directory_reader.h)
};

struct Task {
  Volume volume;  ///< itself, not a firmlink's view of it
  std::vector<Root> roots;
  std::vector<Boundary> boundaries;
  bool whole_volume = false;  ///< one of the roots is the volume's own
  /// A directory that firmlinks show is searched under the volume's own path, which macOS never
  /// prints.
  bool unusual_names = false;
  Method method = Method::walk;
  bool requested = false;  ///< the method was requested, and is used whether it pays or not
  CatalogShape catalog_shape = CatalogShape::flat;
  Reader reader = Reader::readdir;  ///< with a catalog: reader of the walk if that fails
  unsigned threads = 1;
  /// Threads while the volume keeps them waiting. The number is fixed if this is not above
  /// `threads`.
  unsigned most_threads = 0;
  /// Enough threads to saturate the CPUs on a fast volume.
  unsigned busy_threads = 1;
  /// Attributes that tests and lanes require: a reader may fetch these on the way, and no others.
  Needs wanted = needs::none;
  /// False for a volume whose entries are mounted when they are touched: no directory is entered.
  bool enter = true;
  /// d_off of the last entry of a directory, if the file system has a fixed one, else 0. Saves the
  /// last call, which would return nothing.
  std::int64_t end_mark = 0;
  std::string method_reason;
  std::string reader_reason;
  std::string threads_reason;
};

/// A root that is not searched because another one has all its results.
struct DroppedRoot {
  std::string typed;
  std::string reason;
};

struct Plan {
  std::vector<Task> tasks;
  /// Roots that cannot be searched, with their errno.
  std::vector<Location> missing;
  std::vector<DroppedRoot> dropped{};
};

/// Requirements of matcher and output that a plan depends on.
struct Wants {
  /// Includes exclude and prune patterns. If it has the path below the root, a root inside another
  /// one has other results.
  Needs matcher = needs::none;
  Needs output = needs::none;
  /// No entry can match: roots are checked, and nothing is searched.
  bool nothing = false;
  /// Every match contains a certain text in its name, so most entries are decided by name.
  bool few_names = false;
};

/// Processors and readers; a value so that plans can be tested for any machine.
struct Machine {
  unsigned processors = 1;
  /// Readers in this build, best first for a local volume of an unknown file system.
  std::vector<Reader> readers;
};

/// Returns false for a directory that an exclude or prune pattern keeps the walk out of. Depth
/// limits and hidden names are checked by the plan. `relative` is the path below the root,
/// `absolute` the path from "/"; `depth` is 1 for directories in the root.
using Enters =
    std::function<bool(std::string_view relative, std::string_view absolute, std::uint32_t depth)>;

/// A catalog was requested for a volume that has none, or whose catalog would give wrong results.
class CatalogUnavailable : public UsageError {
 public:
  CatalogUnavailable(const std::string& message, std::string reason)
      : UsageError(message), reason_(std::move(reason)) {}
  /// Why, without the option and the volume.
  const std::string& reason() const { return reason_; }

 private:
  std::string reason_;
};

/// Every directory counts as entered if `enters` is null. Throws UsageError if the query requests a
/// method or reader that a volume does not have.
Plan make_plan(const Query& query, Wants wants, const MountTable& table,
               const std::vector<Location>& locations, const Machine& machine,
               const Enters& enters = {});

}  // namespace ffind
