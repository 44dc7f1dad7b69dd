// SPDX-License-Identifier: MIT
// Directories below a root, opened step by step so that nothing that took the place of a directory
// leads elsewhere, and what is removed from them. Part of the seam to the operating system; used by
// output.
#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "os/os.h"

namespace ffind::os {

/// What an entry is, so that another one in its place is told from it.
struct Identity {
  FileType type = FileType::unknown;
  FileId id{};
  Nanoseconds changed = 0;  ///< anything of it but its reading
  std::uint32_t links = 0;
};

/// Of `path`; `follow`: of what it leads to. 0 or an errno.
int identify(const std::string& path, bool follow, Identity& identity);
/// Of `name` in the open directory.
int identify(int directory, const std::string& name, bool follow, Identity& identity);

/// A directory that was known before, and is to be the same one when it is opened.
struct KnownDirectory {
  std::string path;
  FileId id;
};

/// The way down to one directory; the next way shares what it has in common with the last. However
/// deep it goes, it holds a few descriptors only. Belongs to one thread.
class Trail {
 public:
  /// `follow`: links below the root are gone through all the same. `most` descriptors are held.
  Trail(bool follow, std::size_t most) : follow_(follow), most_(most) {}
  ~Trail();
  Trail(const Trail&) = delete;
  Trail& operator=(const Trail&) = delete;

  /// Opens the directory `below` (empty: the root itself); `fd` is valid until the next call, and
  /// good for what these functions do and for fchdir. 0 or an errno: ELOOP or ENOTDIR where a link
  /// is in the way, ESTALE where the root is another directory than the one that was known.
  int open(const KnownDirectory& root, std::string_view below, int& fd);

 private:
  void close_above(std::size_t level);
  int open_root(const KnownDirectory& root);

  const bool follow_;
  const std::size_t most_;
  KnownDirectory root_;
  bool has_root_ = false;
  std::vector<std::string> names_;  ///< of the directories below the root, down to the last
  std::deque<int> descriptors_;     ///< of the deepest of them; the root is level 0
};

/// Removes `name`, which is of `type`: a directory when it is empty, a link itself. 0 or an errno.
int remove(int directory, const std::string& name, FileType type);

}  // namespace ffind::os
