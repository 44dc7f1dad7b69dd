// SPDX-License-Identifier: MIT
// The Trash, from which entries can be restored. Each volume has its own, so that moving an entry
// is a rename and never a copy. linux/trash.cpp follows the specification of freedesktop.org,
// version 1.0; darwin/trash.cpp calls the system's own function. Part of the seam to the operating
// system.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "ffind/entry.h"

namespace ffind::os {

/// Moves entries to the Trash. Belongs to one thread.
class Trash {
 public:
  virtual ~Trash() = default;

  /// True if the canonical `path` is, or is below, a Trash: its entries are where they belong.
  virtual bool holds(const std::string& path) = 0;
  /// Returns why `path` must not be moved: it contains the Trash, a volume is mounted in it, or a
  /// cloud service stores it; empty if it may be.
  virtual std::string_view refuses(const std::string& path) = 0;

  struct Moved {
    int error = 0;         ///< 0 or an errno; then the entry is where it was
    std::string detail{};  ///< takes the place of the errno's text when not empty
    bool gone = false;     ///< despite the error, since it was moved to no Trash
  };
  /// Moves the entry `name` of the open directory, links not followed, a directory with all that it
  /// contains. `path` is its absolute path without links in its directory, which the Trash
  /// remembers. An interruption leaves the entry at one of the two places. If the Trash is what
  /// fails, `detail` names the directory and the reason.
  virtual Moved move(int directory, const std::string& name, const std::string& path) = 0;
};

/// Reads the mount table once, so that a search needs one object. Throws std::system_error if that
/// fails.
std::unique_ptr<Trash> open_trash();

/// True for the name of a Trash at the top of a volume: ".Trash", ".Trash-1000".
bool is_trash_name(std::string_view name);
/// True if a directory on the way of `path` has the name of a Trash: ".Trash-1000", "Trash/files".
bool leads_into_trash(std::string_view path);

/// The text of a .trashinfo file (formats/trash_info.cpp): `path` percent-encoded, and the local
/// time `when`.
std::string trash_info(std::string_view path, Instant when);

/// The `number`th name to try in the Trash, from 1: "a.tar.gz", "a.2.tar.gz". Cut at a character so
/// that ".trashinfo" fits after it into the 255 bytes of a name.
std::string trash_name(std::string_view name, unsigned number);

}  // namespace ffind::os
