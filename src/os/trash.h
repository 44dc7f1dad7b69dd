// SPDX-License-Identifier: MIT
// The Trash, from which entries can be restored. Each volume has its own, so that moving an entry
// is a rename and never a copy. linux/trash.cpp follows the specification of freedesktop.org,
// version 1.0; darwin/trash.cpp calls the system's own function. Part of the seam to the operating
// system.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ffind/entry.h"
#include "ffind/plan.h"
#include "os/safe_open.h"

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

/// Adds what is directly in the Trashes of this user to `contents`, in no order: the home Trash,
/// those of the local volumes of the table, and those of the volumes of `directories`, canonical
/// paths.
void read_trashes(const MountTable& table, const std::vector<std::string>& directories,
                  TrashContents& contents);

/// True if this system records where entries of its Trash were.
extern const bool can_restore;
/// The reason why it may be unknown where an entry of a Trash was.
std::string_view reason_of_unknown_place();

/// Moves an entry of a Trash back to the path that it had, makes missing directories on the way,
/// and removes its .trashinfo last. Never replaces anything: EEXIST. ESTALE if the entry is not
/// `known` any more.
Trash::Moved restore(const Trashed& trashed, const Identity& known);

/// Removes an entry of a Trash, a directory with all that it contains, and then its .trashinfo. 0
/// or an errno, ESTALE as above.
int remove_trashed(const Trashed& trashed, const Identity& known);

/// Removes the .trashinfo of `name`, which was removed from the open directory with the canonical
/// `path`, if that directory is the "files" of a Trash.
void remove_trash_info(int directory, const std::string& name, std::string_view path);

/// True for the name of a Trash at the top of a volume: ".Trash", ".Trash-1000".
bool is_trash_name(std::string_view name);
/// True if a directory on the way of `path` has the name of a Trash: ".Trash-1000", "Trash/files".
bool leads_into_trash(std::string_view path);

// Files named .trashinfo: formats/trash_info.cpp

inline constexpr std::string_view info_extension = ".trashinfo";

/// The text of a .trashinfo file: `path` percent-encoded, and the local time `when`.
std::string trash_info(std::string_view path, Instant when);

/// The text of a .trashinfo file, read.
struct TrashInfo {
  std::string path{};  ///< absolute and normal; empty if there is none that is safe
  std::optional<Instant> deleted{};
};
/// Reads the text, which is not trusted. `base` is the directory that relative paths are from,
/// empty if there is none; no path with ".." is safe.
TrashInfo read_trash_info(std::string_view text, std::string_view base);

/// The `number`th name to try in the Trash, from 1: "a.tar.gz", "a.2.tar.gz". Cut at a character so
/// that ".trashinfo" fits after it into the 255 bytes of a name.
std::string trash_name(std::string_view name, unsigned number);

}  // namespace ffind::os
