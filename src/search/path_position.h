// SPDX-License-Identifier: MIT
// Locations by path. EntryPath builds the paths of entries; PathPosition reaches the entries of a
// directory that is known by its path below a root, for the catalog search and for entries that are
// read again after a search.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "search/boundaries.h"
#include "search/entry_position.h"
#include "search/opener.h"
#include "text/paths.h"

namespace ffind::search {

/// Name of the root for messages: as typed, or as printed for a volume mounted below it.
std::string root_name(const Root& root);

/// Path of one directory, and of its entry that was requested last, in one buffer that is cut and
/// extended in place. Used by one thread.
class EntryPath {
 public:
  /// Starts the path of a directory below `root`: the caller appends its relative path, without
  /// slashes at its ends, to the returned string, and calls `end`.
  std::string& begin(const Root& root);
  void end();
  /// Moves to the child `name` of the current directory, which must not be a root.
  void enter(std::string_view name);

  /// Sets the `wanted` paths of the entry to views of this object; `entry.directory` in any case.
  void fill(Entry& entry, Needs wanted);

 private:
  const Root* root_ = nullptr;
  std::string text_;             ///< as printed, with a slash, and the last entry's name
  std::size_t length_ = 0;       ///< of the directory in it
  std::size_t below_root_ = 0;   ///< offset of the path below the root
  std::size_t below_start_ = 0;  ///< offset of the path below the root as typed
  std::string absolute_;
};

/// Location of an entry whose directory is a path below a root, opened when first needed; or of a
/// root that is a file. Used by one thread.
class PathPosition final : public EntryPosition {
 public:
  /// `flags` are used to open directories. With `follow`, an entry that is no link may have been
  /// found through one.
  PathPosition(const Boundaries& boundaries, Reach& reach, os::OpenFlags flags, bool follow)
      : boundaries_(boundaries), reach_(reach), flags_(flags), follow_(follow) {}

  /// Moves to the directory `below` `root`. Returns false if it is the current one.
  bool turn_to(const Root& root, std::string_view below);
  /// Closes the directory, and forgets it.
  void leave();
  std::string_view below() const { return below_; }

  EntryPlace place_of(const Entry& entry) override;
  void load_paths(Entry& entry, Needs wanted) override;
  const Boundary* boundary_at(const Entry& entry) override;
  const Trashed* trashed(const Entry& entry) override;
  const Root& root() const override { return *root_; }

 private:
  std::string canonical() const { return text::join_paths(root_->canonical, below_); }

  const Boundaries& boundaries_;
  Reach& reach_;
  const os::OpenFlags flags_;
  const bool follow_;
  const Root* root_ = nullptr;
  std::string below_;  ///< path of the directory below the root
  EntryPath path_;
  bool has_boundaries_ = false;  ///< in the directory
  bool spelled_ = false;         ///< path_ is that of the directory
  os::Directory opened_;         ///< the directory, once a call needed it
  int error_ = 0;                ///< errno from opening it, reported
  std::string name_;             ///< of the entry, with a NUL
};

}  // namespace ffind::search
