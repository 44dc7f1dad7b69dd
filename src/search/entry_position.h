// SPDX-License-Identifier: MIT
// Where the entry lies that is looked at: all that the access to an entry has to know of who found
// it. Implemented by the positions of the walk and of the catalog search.
#pragma once

#include <optional>
#include <string>

#include "ffind/entry.h"
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

}  // namespace ffind::search
