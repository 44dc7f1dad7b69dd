// SPDX-License-Identifier: MIT
// OpenAncestors: relative opens with O_NOFOLLOW, and the identity of each directory on the way.
//
// `ids_` has the identity of every directory from the root to the last one, `descriptors_` those of
// the deepest `most_` of them. With most_ = 2 and a/b/c open:
//
//     ids_            root   a    b    c
//     descriptors_                b    c      to go up to a: open b/.. and compare it with ids_[1]
//
// The comparison is needed since b may have been moved: its ".." is then another directory. If it
// fails, all is forgotten and opened again from the root.
//
// Between finding an entry and deleting it, other processes may rename and link. So nothing is
// opened by a path that they could redirect but the root, whose identity must be the one that was
// found.
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "os/posix/calls.h"
#include "os/posix/file_system.h"
#include "os/safe_open.h"

namespace ffind::os {

// O_PATH is Linux's, O_SEARCH is POSIX's; a system with neither needs read permission.
int access_mode() {
#if defined(O_PATH)
  return O_PATH;
#elif defined(O_SEARCH)
  return O_SEARCH;
#else
  return O_RDONLY;
#endif
}

namespace {

/// Components of a path without "." and empty ones: "a//./b/" has a and b. Views of `path`.
std::vector<std::string_view> components_of(std::string_view path) {
  std::vector<std::string_view> names;
  for (std::size_t from = 0; from < path.size();) {
    const std::size_t to = std::min(path.find('/', from), path.size());
    const std::string_view name = path.substr(from, to - from);
    if (!name.empty() && name != ".") names.push_back(name);
    from = to + 1;
  }
  return names;
}

/// Through metadata_of_stat, since the times of a stat have other names on macOS.
Identity identity_of(const struct ::stat& status) {
  Metadata metadata{};
  Needs got = needs::none;
  metadata_of_stat(status, metadata, got);
  return {{metadata.device, metadata.inode},
          metadata.changed,
          metadata.links,
          type_of_mode(metadata.mode),
          metadata.size};
}

}  // namespace

int passing_flags() {
  return access_mode() | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK;
}

int identify(const std::string& path, bool follow, Identity& identity) {
  return identify(AT_FDCWD, path, follow, identity);
}

int identify(int directory, const std::string& name, bool follow, Identity& identity) {
  struct ::stat status {};
  const int flags = follow ? 0 : AT_SYMLINK_NOFOLLOW;
  if (uninterrupted([&] { return ::fstatat(directory, name.c_str(), &status, flags); }) != 0) {
    return errno;
  }
  identity = identity_of(status);
  return 0;
}

OpenAncestors::~OpenAncestors() {
  for (const int fd : descriptors_) ::close(fd);
}

void OpenAncestors::forget() {
  for (const int fd : descriptors_) ::close(fd);
  descriptors_.clear();
  ids_.clear();
}

/// Goes up to `depth` components below the root. Forgets everything if that fails.
void OpenAncestors::back_to(std::size_t depth) {
  while (this->depth() > depth) {
    if (descriptors_.size() == 1) {
      if (!step_up()) return forget();
      continue;
    }
    ::close(descriptors_.back());
    descriptors_.pop_back();
    ids_.pop_back();
  }
}

/// Goes from the only directory with a descriptor to its parent, if that is still the directory
/// that it was reached from. False, and no change, if not.
bool OpenAncestors::step_up() {
  const int above =
      uninterrupted([&] { return ::openat(descriptors_.back(), "..", passing_flags()); });
  if (above < 0) return false;
  struct ::stat status {};
  const FileId& known = ids_[ids_.size() - 2];
  if (uninterrupted([&] { return ::fstat(above, &status); }) != 0 ||
      identity_of(status).id != known) {
    ::close(above);
    return false;
  }
  ::close(descriptors_.back());
  descriptors_.back() = above;
  ids_.pop_back();
  return true;
}

/// Starts at `root`, if it is still the directory that is known: else ESTALE, or another errno.
int OpenAncestors::open_root(const KnownDirectory& root) {
  // The root is opened by its path, links followed, so its identity is compared.
  const int fd = uninterrupted([&] { return ::open(root.path.c_str(), passing_flags()); });
  // The root is gone or replaced: what was found in it no longer exists.
  if (fd < 0) return leads_nowhere(errno) ? ESTALE : errno;
  struct ::stat status {};
  int error = uninterrupted([&] { return ::fstat(fd, &status); }) != 0 ? errno : 0;
  if (error == 0 && identity_of(status).id != root.id) error = ESTALE;
  if (error != 0) {
    ::close(fd);
    return error;
  }
  root_ = root;
  ids_.push_back(root.id);
  descriptors_.push_back(fd);
  return 0;
}

/// Opens the child `name` of the last directory; 0 or an errno. On failure the directories above it
/// stay open for the next path.
int OpenAncestors::enter(std::string_view name) {
  // Found directories are never named so.
  if (name == "..") return EINVAL;
  const int flags = passing_flags() | (follow_ ? 0 : O_NOFOLLOW);
  const int next = uninterrupted(
      [&] { return ::openat(descriptors_.back(), std::string(name).c_str(), flags); });
  if (next < 0) return errno;
  struct ::stat status {};
  if (uninterrupted([&] { return ::fstat(next, &status); }) != 0) {
    const int error = errno;
    ::close(next);
    return error;
  }
  ids_.push_back(identity_of(status).id);
  descriptors_.push_back(next);
  // Keep the deepest ones: the next path mostly differs in its last components.
  if (descriptors_.size() > most_) {
    ::close(descriptors_.front());
    descriptors_.pop_front();
  }
  return 0;
}

int OpenAncestors::open(const KnownDirectory& root, std::string_view below, int& fd) {
  forget();
  return open(root, components_of(below), 0, fd);
}

int OpenAncestors::open(const KnownDirectory& root, std::span<const std::string_view> names,
                        std::size_t same, int& fd) {
  if (root.path != root_.path || root.id != root_.id) forget();
  back_to(same);
  if (descriptors_.empty()) {
    const int error = open_root(root);
    if (error != 0) return error;
  }
  while (depth() < names.size()) {
    const int error = enter(names[depth()]);
    if (error != 0) return error;
  }
  fd = descriptors_.back();
  return 0;
}

bool is_empty(int directory, const std::string& name) {
  const int fd = uninterrupted([&] { return ::openat(directory, name.c_str(), open_flags({})); });
  DIR* const stream = fd >= 0 ? ::fdopendir(fd) : nullptr;
  if (stream == nullptr) {
    if (fd >= 0) ::close(fd);
    return false;
  }
  const dirent* entry = nullptr;
  std::string_view listed = ".";
  while (listed == "." || listed == "..") {
    errno = 0;
    entry = ::readdir(stream);
    listed = entry != nullptr ? entry->d_name : "";
  }
  const bool empty = entry == nullptr && errno == 0;
  ::closedir(stream);
  return empty;
}

// The type decides the call: an entry that has become one of the other kind is an error.
int remove(int directory, const std::string& name, FileType type) {
  const int flags = type == FileType::directory ? AT_REMOVEDIR : 0;
  return uninterrupted([&] { return ::unlinkat(directory, name.c_str(), flags); }) == 0 ? 0 : errno;
}

}  // namespace ffind::os
