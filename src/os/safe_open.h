// SPDX-License-Identifier: MIT
// Opening directories below a root, one component at a time and relative to descriptors, so that a
// link or another directory that replaced one of them cannot redirect the way. For deleting entries
// and running commands in their directories. Part of the seam to the operating system.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "os/files.h"

namespace ffind::os {

/// Identity of an entry, for noticing that another one replaced it.
struct Identity {
  FileId id{};
  Instant changed{};  ///< time of its last change other than by reading
  std::uint32_t links = 0;
  FileType type = FileType::unknown;
  std::uint64_t size = 0;  ///< of a regular file
};

/// Identity of `path`, or with `follow` of its target. 0 or an errno.
int identify(const std::string& path, bool follow, Identity& identity);
/// Identity of `name` in the open directory.
int identify(int directory, const std::string& name, bool follow, Identity& identity);

/// A directory that must still be the same one when it is opened.
struct KnownDirectory {
  std::string path;
  FileId id;
};

/// Opens directories below roots, one after another, and keeps the ancestors open: the next path
/// costs only the components that differ from the last one. Belongs to one thread.
class OpenAncestors {
 public:
  /// `follow`: follow symbolic links below the root. `most`: most descriptors to keep open.
  OpenAncestors(bool follow, std::size_t most) : follow_(follow), most_(most) {}

  /// Opens the directory `below` (empty: the root itself). `fd` is valid until the next call, for
  /// the functions declared here and for fchdir. 0 or an errno: ELOOP or ENOTDIR if a link is in
  /// the way, ESTALE if the root is gone or has been replaced.
  int open(const KnownDirectory& root, std::string_view below, int& fd);
  /// The same by components, the first `same` of which are those of the last call for any root.
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
  std::vector<FileId> ids_;             ///< of the root and of each directory on the way
  std::deque<Descriptor> descriptors_;  ///< of the deepest of `ids_`
};

/// Two regular files whose contents were compared.
struct ComparedFiles {
  Metadata one{};
  Metadata other{};
  bool equal = false;  ///< in each byte, and neither has changed meanwhile
};

/// Compares the file `name` in the open directory with `other_name` in another one. Links are only
/// followed if `follow`. 0 or an errno: ENXIO if one of them is not a regular file.
int compare_files(int directory, const std::string& name, int other_directory,
                  const std::string& other_name, bool follow, ComparedFiles& compared);

/// True if `name` in the open directory is a directory without entries; false if it cannot be read.
bool is_empty(int directory, const std::string& name);

/// Opens the directory `path`, relative to the open one or, if that is -1, to the current one, for
/// reading. Links are followed. 0 or an errno.
int open_directory(int directory, const std::string& path, Descriptor& opened);

/// Calls `visit` for everything below the directory `name` of the open directory, on its volume,
/// until it returns false. Links are not followed, and what cannot be read is left out.
void visit_contents(int directory, const std::string& name,
                    const std::function<bool(const Identity&)>& visit);

/// Removes `name` in the open directory, a directory with all that it contains, links not followed.
/// Entries on another volume than `device` stay, with the directories around them. 0 or the first
/// errno; the rest is removed all the same.
int remove_whole(int directory, const std::string& name, std::uint64_t device);

/// Removes `name` in the open directory or, if that is -1, a path; it is of `type`. A directory
/// must be empty, links are not followed. 0 or an errno.
int remove(int directory, const std::string& name, FileType type);

}  // namespace ffind::os
