// SPDX-License-Identifier: MIT
// Location of the current entry: all that EntryAccess knows about the search that found it.
// EntryPosition is implemented by the walk (WalkPosition), the ordered walk, the lists, and for
// entries of a directory that is known by its path (PathPosition: the catalog, and what is read
// again later).
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "ffind/entry.h"
#include "ffind/plan.h"
#include "os/files.h"

namespace ffind::search {

/// Arguments that make a system call reach an entry: an open directory and a name in it, or a path.
struct EntryPlace {
  const os::Directory* at = nullptr;
  const char* name = nullptr;
  bool is_root = false;   ///< a root that is a file or a dangling link
  bool followed = false;  ///< a link that counts as its target
  int error = 0;          ///< errno if it cannot be reached, else 0
  bool reported = false;  ///< the error was reported already
};

/// Interface between a searcher, which moves it from entry to entry, and EntryAccess, which loads
/// from there. Belongs to its thread.
class EntryPosition {
 public:
  virtual ~EntryPosition() = default;
  /// Returns how to reach the entry; may open its directory.
  virtual EntryPlace place_of(const Entry& entry) = 0;
  /// Sets the entry's directory, relative_path and absolute_path as in EntryLoader::load.
  virtual void load_paths(Entry& entry, Needs wanted) = 0;
  /// Returns the boundary at the entry's own path, or null.
  virtual const Boundary* boundary_at(const Entry& entry) = 0;
  /// Mount point of the entry's volume if it may not be the task's, or null.
  virtual const Boundary* volume_at(const Entry&) { return nullptr; }
  /// Returns the entry of a Trash whose path this is; null if it is none.
  virtual const Trashed* trashed(const Entry&) { return nullptr; }
  /// The root below which the entry was found.
  virtual const Root& root() const = 0;
  /// Loads what the searcher knows of `wanted` without the kernel; returns those bits of
  /// needs::metadata.
  virtual Needs metadata_at_hand(const Entry&, Needs, Metadata&) { return needs::none; }
  /// Returns whether a directory is empty; nullopt if only the kernel knows.
  virtual std::optional<bool> empty_at_hand() { return {}; }
  /// Returns whether names in the entry's directory begin with "._"; nullopt if it is worth listing
  /// the directory to find out, and passing that to set_sidecars().
  virtual std::optional<bool> has_sidecars() { return true; }
  virtual void set_sidecars(bool) {}
};

}  // namespace ffind::search
