// SPDX-License-Identifier: MIT
// AppleDouble files that belong to an entry: `._name` beside it, and in the __MACOSX folders that
// zip archives of macOS unpack to. One for each worker that reads attributes; knows the
// layout of such folders, and not what the files say.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ffind/entry.h"
#include "os/formats/finder_attributes.h"
#include "search/entry_position.h"
#include "search/file_beginning.h"
#include "search/opener.h"

namespace ffind::search {

struct Sidecar {
  FileBeginning beginning{};  ///< on the heap, as all that is long enough to be one
  os::AppleDouble decoded{};  ///< views of them
};

/// Belongs to its worker's thread.
class Sidecars {
 public:
  /// `top`: the volume's mount point, canonical; empty where that is not known.
  Sidecars(Opener& opener, EntryPosition& position, std::string top)
      : opener_(opener), position_(position), top_(std::move(top)) {}

  /// Those of the entry at `place`, nearest first; valid until the next call. `refused` becomes the
  /// errno of one that is there and cannot be read.
  const std::vector<Sidecar>& read(Entry& entry, const EntryPlace& place, int& refused);

 private:
  /// A directory on the way from the top to the one of the entry.
  struct Level {
    std::size_t length;  ///< of its path
    /// Directories that hold what macOS kept of its entries: A/__MACOSX/b for A/b.
    std::vector<std::string> sources{};
    int error = 0;  ///< why there may be more of them
  };

  void turn_to(const Entry& entry, const EntryPlace& place);
  void descend_to(std::size_t length, const os::Directory* at);
  bool is_directory(const os::Directory* at, const std::string& path, int& error);
  int open_by_path(const std::string& path, os::Directory& opened);
  int read_in(const std::string& directory, const std::string& name, Sidecar& sidecar);
  int read_one(const os::Directory* at, const std::string& path, Sidecar& sidecar);
  void take(int error, Sidecar&& sidecar, int& refused);
  static void take_error(int error, int& refused);

  Opener& opener_;
  EntryPosition& position_;
  std::string top_;
  bool known_ = false;
  std::string printed_;         ///< the directory that was turned to, as entries spell it
  std::string path_;            ///< the same, canonical
  bool inside_folder_ = false;  ///< it lies in a __MACOSX folder itself
  std::vector<Level> way_;      ///< to it, itself last: what was asked of a directory is asked once
  std::vector<Sidecar> found_;
};

}  // namespace ffind::search
