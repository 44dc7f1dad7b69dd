// SPDX-License-Identifier: MIT
// Directories below a root, opened step by step so that nothing that took the place of a directory
// leads elsewhere, and what is removed from them. Part of the seam to the operating system; used by
// output.
#pragma once

#include <cstddef>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "os/files.h"

namespace ffind::os {

/// Identifies an entry, so that another one in its place is noticed.
struct Identity {
  FileId id{};
  Nanoseconds changed = 0;  ///< anything of it but its reading
  std::uint32_t links = 0;
  FileType type = FileType::unknown;
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

/// Opens one directory after another below roots, keeping the ancestors that it opened: the next
/// path costs only the steps in which it differs from the last. Holds a few descriptors, however
/// deep it goes. Belongs to one thread.
class OpenAncestors {
 public:
  /// `follow`: follow symbolic links below the root. `most`: descriptors to hold at a time.
  OpenAncestors(bool follow, std::size_t most) : follow_(follow), most_(most) {}
  ~OpenAncestors();
  OpenAncestors(const OpenAncestors&) = delete;
  OpenAncestors& operator=(const OpenAncestors&) = delete;

  /// Opens the directory `below` (empty: the root itself); `fd` is valid until the next call, and
  /// good for what these functions do and for fchdir. 0 or an errno: ELOOP or ENOTDIR where a link
  /// is in the way, ESTALE where the root is gone, or another directory than the one that was
  /// known.
  int open(const KnownDirectory& root, std::string_view below, int& fd);
  /// The same by the names on the way, the first `same` of which were those of the last call, of
  /// whatever root.
  int open(const KnownDirectory& root, std::span<const std::string_view> names, std::size_t same,
           int& fd);

 private:
  std::size_t depth() const { return ids_.empty() ? 0 : ids_.size() - 1; }
  void forget();
  void back_to(std::size_t depth);
  bool step_up();
  int open_root(const KnownDirectory& root);
  int enter(std::string_view name);

  const bool follow_;
  const std::size_t most_;
  KnownDirectory root_;
  std::vector<FileId> ids_;      ///< of the root, and of each directory below it down to the last
  std::deque<int> descriptors_;  ///< of the deepest of them
};

/// Removes `name`, which is of `type`: a directory when it is empty, a link itself. 0 or an errno.
int remove(int directory, const std::string& name, FileType type);

}  // namespace ffind::os
