// SPDX-License-Identifier: MIT
// Where the entries of a catalog search lie: in a directory below a root, which is opened only when
// something is asked of its entries. A part of the catalog's worker, and of the access to entries
// that were found earlier.
#pragma once

#include <string>
#include <string_view>

#include "search/boundaries.h"
#include "search/entry_path.h"
#include "search/entry_position.h"
#include "search/opener.h"

namespace ffind::search {

/// Belongs to its thread.
class CatalogPosition final : public EntryPosition {
 public:
  /// `flags`: how directories are opened.
  CatalogPosition(const Boundaries& boundaries, Opener& opener, os::OpenFlags flags = {})
      : boundaries_(boundaries), opener_(opener), flags_(flags) {}
  ~CatalogPosition() { close(); }
  CatalogPosition(const CatalogPosition&) = delete;
  CatalogPosition& operator=(const CatalogPosition&) = delete;

  /// The directory `below` `root`, a text that stays as it is until the next call, or `leave`.
  /// False where it is there already.
  bool turn_to(const Root& root, std::string_view below);
  void leave() { root_ = nullptr; }
  /// Another entry of that directory.
  void turn_to_entry() { placed_ = false; }
  /// Closes the directory, which is opened again when it is needed.
  void close();

  std::string_view below() const { return below_; }

  EntryPlace place_of(const Entry& entry) override;
  void load_paths(Entry& entry, Needs wanted) override;
  const Boundary* boundary_at(const Entry& entry) override;
  std::string canonical_directory() override;
  const Root& root() const override { return *root_; }

 private:
  EntryPlace find_place(const Entry& entry);

  const Boundaries& boundaries_;
  Opener& opener_;
  const os::OpenFlags flags_;
  const Root* root_ = nullptr;
  std::string_view below_;  ///< the directory, below the root
  EntryPath path_;
  bool spelled_ = false;  ///< path_ holds that directory
  os::Directory opened_;  ///< that directory, once something is read of its entries
  EntryPlace place_;
  bool placed_ = false;  ///< place_ holds the entry
  std::string name_;     ///< of the entry, with a NUL
};

}  // namespace ffind::search
