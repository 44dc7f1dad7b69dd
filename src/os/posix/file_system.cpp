// SPDX-License-Identifier: MIT
// Directories and files by POSIX calls alone. See file_system.h.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "os/posix/file_system.h"
#include "os/posix/retry.h"

namespace ffind::os {

int descriptor_of(const Directory* at) {
  return at != nullptr ? at->fd : AT_FDCWD;
}

int open_flags(OpenFlags flags) {
  // O_NONBLOCK: a fifo that took the directory's place must not hold us up.
  return O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK | (flags.follow ? 0 : O_NOFOLLOW);
}

void metadata_of_stat(const struct ::stat& status, Metadata& metadata, Needs& got) {
  metadata.size = static_cast<std::uint64_t>(status.st_size);
  metadata.allocated = static_cast<std::uint64_t>(status.st_blocks) * 512;
  metadata.inode = status.st_ino;
  metadata.device = static_cast<std::uint64_t>(status.st_dev);
  metadata.mode = status.st_mode;
  metadata.uid = status.st_uid;
  metadata.gid = status.st_gid;
  metadata.links = static_cast<std::uint32_t>(status.st_nlink);
  got = needs::type | needs::mode | needs::owner | needs::links | needs::identity | needs::size |
        own_part_of_stat(status, metadata);
}

bool leads_nowhere(int error) {
  return error == ENOENT || error == ENOTDIR || error == ELOOP;
}

namespace {

/// Opens the last of the names in `path`, and no link that took the place of one of the others:
/// O_NOFOLLOW speaks of the last name only. -1 and errno.
int open_step_by_step(int at, const char* path, int flags) {
  int here = at;
  for (const char* slash = nullptr; (slash = std::strchr(path, '/')) != nullptr; path = slash + 1) {
    const std::string name(path, slash);
    if (name.empty()) continue;
    const int next = ::openat(here, name.c_str(), passing_flags() | O_NOFOLLOW);
    const int error = errno;
    if (here != at) ::close(here);
    errno = error;
    if (next < 0) return -1;
    here = next;
  }
  const int fd = ::openat(here, path, flags);
  const int error = errno;
  if (here != at) ::close(here);
  errno = error;
  return fd;
}

}  // namespace

int PosixFileSystem::open(const Directory* at, const char* path, OpenFlags flags,
                          Directory& opened) {
  const int how = open_flags(flags);
  const int fd = uninterrupted([&] {
    return at != nullptr && !flags.follow ? open_step_by_step(at->fd, path, how)
                                          : ::openat(descriptor_of(at), path, how);
  });
  if (fd < 0) return errno;
  opened = Directory{};
  opened.fd = fd;
  return 0;
}

int PosixFileSystem::stat(const Directory* at, const char* path, StatFlags flags, Needs,
                          Metadata& metadata, Needs& got) {
  struct ::stat status {};
  const int follow = flags.follow ? 0 : AT_SYMLINK_NOFOLLOW;
  if (uninterrupted([&] { return ::fstatat(descriptor_of(at), path, &status, follow); }) != 0) {
    return errno;
  }
  metadata_of_stat(status, metadata, got);
  return 0;
}

int PosixFileSystem::read_link(const Directory* at, const char* path, std::string& target) {
  target.resize(256);
  while (true) {
    const ssize_t length = uninterrupted(
        [&] { return ::readlinkat(descriptor_of(at), path, target.data(), target.size()); });
    if (length < 0) return errno;
    if (static_cast<std::size_t>(length) < target.size()) {
      target.resize(static_cast<std::size_t>(length));
      return 0;
    }
    target.resize(target.size() * 2);
  }
}

int PosixFileSystem::access(const Directory* at, const char* path, Access access) {
  constexpr int modes[] = {R_OK, W_OK, X_OK};
  const int mode = modes[static_cast<std::size_t>(access)];
  const auto ask = [&] { return ::faccessat(descriptor_of(at), path, mode, 0); };
  return uninterrupted(ask) != 0 ? errno : 0;
}

// POSIX knows no extended attributes.
int PosixFileSystem::attribute_names(const Directory*, const char*, bool, std::string&) {
  return ENOTSUP;
}
int PosixFileSystem::attribute(const Directory*, const char*, bool, const char*, std::string&) {
  return ENOTSUP;
}

int PosixFileSystem::has_capabilities(const Directory*, const char*, bool& answer) {
  answer = false;
  return 0;
}

int PosixFileSystem::has_bundle_mark(const Directory*, const char*, bool& answer) {
  answer = false;
  return 0;
}

int PosixFileSystem::identify(const Directory& directory, FileId& id) {
  struct ::stat status {};
  if (uninterrupted([&] { return ::fstat(directory.fd, &status); }) != 0) return errno;
  id.device = static_cast<std::uint64_t>(status.st_dev);
  id.inode = status.st_ino;
  return 0;
}

int file_flags_for(OpenFlags flags) {
  // Names race: what was a file may be a fifo by now, or a terminal, and must not hold us up or
  // become ours.
  return O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | (flags.follow ? 0 : O_NOFOLLOW);
}

int PosixFileSystem::open_file(const Directory* at, const char* path, OpenFlags flags,
                               File& opened) {
  const int fd =
      uninterrupted([&] { return ::openat(descriptor_of(at), path, file_flags_for(flags)); });
  return fd < 0 ? errno : adopt_file(fd, opened);
}

int PosixFileSystem::adopt_file(int fd, File& opened) {
  struct ::stat status {};
  int error = uninterrupted([&] { return ::fstat(fd, &status); }) != 0 ? errno : 0;
  if (error == 0 && !S_ISREG(status.st_mode)) error = ENXIO;
  if (error != 0) {
    ::close(fd);
    return error;
  }
  opened = File{};
  opened.fd = fd;
  opened.size = static_cast<std::uint64_t>(status.st_size);
  opened.has_holes = static_cast<std::uint64_t>(status.st_blocks) * 512 < opened.size;
  return 0;
}

namespace {
bool has_grown(int fd) {
  struct ::stat status {};
  return uninterrupted([&] { return ::fstat(fd, &status); }) == 0 && status.st_size > 0;
}
}  // namespace

int PosixFileSystem::read_file(File& file, char* bytes, std::size_t capacity, std::size_t& count) {
  count = 0;
  // What is appended meanwhile was not there when it was opened, and may never end.
  if (file.size != 0) {
    if (file.position >= file.size) return 0;
    capacity = std::min<std::uint64_t>(capacity, file.size - file.position);
  }
  const ssize_t got = uninterrupted([&] { return ::read(file.fd, bytes, capacity); });
  if (got < 0) return errno;
  // The kernel's own files say 0 to the end. One that was empty, and is not any more, grows.
  if (file.size == 0 && got > 0 && has_grown(file.fd)) return 0;
  count = static_cast<std::size_t>(got);
  file.position += count;
  return 0;
}

void PosixFileSystem::close_file(File& file) {
  if (file.fd >= 0) ::close(file.fd);
  file = File{};
}

}  // namespace ffind::os
