// SPDX-License-Identifier: MIT
// Where the entry lies that is looked at: all that the access to an entry has to know of who found
// it. Implemented by the positions of the walk and of the catalog search.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "ffind/entry.h"
#include "ffind/plan.h"
#include "os/files.h"

namespace ffind::search {

/// Where an entry is to be found by a call.
struct EntryPlace {
  const os::Directory* at = nullptr;
  const char* name = nullptr;
  bool is_root = false;   ///< a root that is a file, or a link that leads nowhere
  bool followed = false;  ///< a link that counts as what it leads to
  int error = 0;          ///< why it cannot be reached
  bool reported = false;  ///< and that has been reported
};

/// Belongs to its thread.
class EntryPosition {
 public:
  virtual ~EntryPosition() = default;
  /// Getting at it may take opening a directory.
  virtual EntryPlace place_of(const Entry& entry) = 0;
  /// As EntryLoader::load, of directory, relative_path and absolute_path.
  virtual void load_paths(Entry& entry, Needs wanted) = 0;
  /// The boundary that the entry itself is; null when it is none.
  virtual const Boundary* boundary_at(const Entry& entry) = 0;
  /// Canonical path of the directory that holds the entry.
  virtual std::string canonical_directory() = 0;
  virtual const Root& root() const = 0;
  /// What of `wanted` is known of the entry without the kernel: bits of needs::metadata.
  virtual Needs metadata_at_hand(const Entry&, Needs, Metadata&) { return needs::none; }
  /// Whether a directory has no entries, if that is known without the kernel.
  virtual std::optional<bool> empty_at_hand() { return {}; }
};

/// The path of one directory, and of the entry in it that was requested last. One thread's.
class EntryPath {
 public:
  /// Begins a directory below `root`: the caller appends its path from there, without slashes at
  /// its ends, to what is returned, and calls `end`.
  std::string& begin(const Root& root);
  void end();
  /// Goes on to the directory `name` in the present one, which must not be a root.
  void enter(std::string_view name);

  /// Points what is `wanted` of the entry's paths into this object; `entry.directory` in any case.
  void fill(Entry& entry, Needs wanted);

 private:
  const Root* root_ = nullptr;
  std::string text_;             ///< as printed, with a slash; behind it room for a name
  std::size_t length_ = 0;       ///< of the directory
  std::size_t below_root_ = 0;   ///< where in the text the path below the root begins
  std::size_t below_start_ = 0;  ///< the same below the root that was named
  std::string absolute_;
};

}  // namespace ffind::search
