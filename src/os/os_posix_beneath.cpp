// SPDX-License-Identifier: MIT
// Relative opens that refuse links. See beneath.h.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "os/beneath.h"
#include "os/posix_file_system.h"

namespace ffind::os {
namespace {

// What is only gone through need not be readable.
#if defined(O_PATH)
constexpr int access_mode = O_PATH;
#elif defined(O_SEARCH)
constexpr int access_mode = O_SEARCH;
#else
constexpr int access_mode = O_RDONLY;
#endif
constexpr int directory_flags = access_mode | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK;

std::vector<std::string> components_of(std::string_view path) {
  std::vector<std::string> names;
  for (std::size_t from = 0; from < path.size();) {
    const std::size_t to = std::min(path.find('/', from), path.size());
    const std::string_view name = path.substr(from, to - from);
    if (!name.empty() && name != ".") names.emplace_back(name);
    from = to + 1;
  }
  return names;
}

Identity identity_of(const struct ::stat& status) {
  Metadata metadata{};
  Needs got = needs::none;
  metadata_of_stat(status, metadata, got);
  return {type_of_mode(metadata.mode),
          {metadata.device, metadata.inode},
          metadata.changed,
          metadata.links};
}

}  // namespace

int identify(const std::string& path, bool follow, Identity& identity) {
  return identify(AT_FDCWD, path, follow, identity);
}

int identify(int directory, const std::string& name, bool follow, Identity& identity) {
  struct ::stat status {};
  const int flags = follow ? 0 : AT_SYMLINK_NOFOLLOW;
  if (::fstatat(directory, name.c_str(), &status, flags) != 0) return errno;
  identity = identity_of(status);
  return 0;
}

Trail::~Trail() {
  for (const int fd : descriptors_) ::close(fd);
}

/// Closes what lies below `level`; nothing is left open when that level is not.
void Trail::close_above(std::size_t level) {
  while (names_.size() > level && !descriptors_.empty()) {
    ::close(descriptors_.back());
    descriptors_.pop_back();
    names_.pop_back();
  }
  if (descriptors_.empty()) has_root_ = false;
}

int Trail::open_root(const KnownDirectory& root) {
  names_.clear();
  const int fd = ::open(root.path.c_str(), directory_flags);
  if (fd < 0) return errno;
  struct ::stat status {};
  int error = ::fstat(fd, &status) != 0 ? errno : 0;
  if (error == 0 && identity_of(status).id != root.id) error = ESTALE;
  if (error != 0) {
    ::close(fd);
    return error;
  }
  root_ = root;
  has_root_ = true;
  descriptors_.push_back(fd);
  return 0;
}

int Trail::open(const KnownDirectory& root, std::string_view below, int& fd) {
  const std::vector<std::string> wanted = components_of(below);
  const bool same_root = has_root_ && root.path == root_.path && root.id == root_.id;
  const auto differ = std::mismatch(names_.begin(), names_.end(), wanted.begin(), wanted.end());
  close_above(same_root ? static_cast<std::size_t>(differ.first - names_.begin()) : 0);
  if (!same_root || !has_root_) {
    for (const int open : descriptors_) ::close(open);
    descriptors_.clear();
    const int error = open_root(root);
    if (error != 0) return error;
  }
  const int flags = directory_flags | (follow_ ? 0 : O_NOFOLLOW);
  while (names_.size() < wanted.size()) {
    const std::string& name = wanted[names_.size()];
    // Names of directories that were found are none of these.
    const int next = name == ".." ? -1 : ::openat(descriptors_.back(), name.c_str(), flags);
    if (next < 0) return name == ".." ? EINVAL : errno;
    names_.push_back(name);
    descriptors_.push_back(next);
    if (descriptors_.size() <= most_) continue;
    ::close(descriptors_.front());
    descriptors_.pop_front();
  }
  fd = descriptors_.back();
  return 0;
}

int remove(int directory, const std::string& name, FileType type) {
  const int flags = type == FileType::directory ? AT_REMOVEDIR : 0;
  return ::unlinkat(directory, name.c_str(), flags) == 0 ? 0 : errno;
}

}  // namespace ffind::os
