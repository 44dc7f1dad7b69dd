// SPDX-License-Identifier: MIT
// Reading and replacing of the program's own files by POSIX calls.
//
// A file is trusted if no other user can change its contents or make the name lead elsewhere.
// Another user than this one and root is a foreign one:
//
//     reading    the file is opened first, and the open one is checked: its type, owner and
//                permissions. Then each link on the way to it is checked.
//     replacing  the check of the links opens the directory. Its owner and that of the old file are
//                checked, and all else happens relative to that descriptor.
//
// check_way() looks at each part of a path before it is opened. So a user who may rename a
// directory on the way can put a link there in between; it has to lead to a directory of this user
// or root. A file is replaced by writing a new one in the same directory and renaming it.
//
// State is read and changed below an open directory, which is locked meanwhile: the file itself is
// another one after each change.
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <utility>

#include "os/files.h"
#include "os/machine.h"
#include "os/posix/calls.h"
#include "os/posix/file_system.h"
#include "os/terminal.h"
#include "os/trusted_files.h"
#include "text/ascii.h"
#include "text/paths.h"

namespace ffind::os {
namespace {

TrustedFileResult failed(int error) {
  return {.trouble = TrustedFileTrouble::system, .error = error};
}

/// Whether another user than this one and root owns it.
bool is_foreign(const struct ::stat& status) {
  return status.st_uid != 0 && status.st_uid != ::geteuid();
}

/// Files of the user who runs the program as root by sudo may be read: sudo(8) sets SUDO_UID, and
/// on macOS keeps that user's HOME.
bool is_foreign_to_reader(const struct ::stat& status) {
  if (!is_foreign(status)) return false;
  const char* const caller = ::geteuid() == 0 ? std::getenv("SUDO_UID") : nullptr;
  return caller == nullptr || std::to_string(status.st_uid) != caller;
}

/// A group with the user's number is a private one, as Debian and Fedora create for each user; with
/// them editors often write files that the group may write (umask 002).
bool may_others_write(const struct ::stat& status) {
  const bool own_group = status.st_gid == status.st_uid && status.st_uid != 0;
  return (status.st_mode & (own_group ? S_IWOTH : S_IWGRP | S_IWOTH)) != 0;
}

TrustedFileResult foreign(TrustedFileTrouble trouble, const struct ::stat& status,
                          std::string place = {}) {
  return {.trouble = trouble,
          .place = std::move(place),
          .owner = static_cast<std::uint32_t>(status.st_uid)};
}

/// Checks the links on the way to `path` and `path` itself. `writes`: none may be another user's.
/// `makes`: create the directories that are missing (0700, as the XDG specification requires), but
/// nothing in another user's directory.
TrustedFileResult check_way(const std::string& path, bool writes, bool makes) {
  std::string parent;
  for (std::size_t end = 0; end < path.size();) {
    end = std::min(path.find('/', end + 1), path.size());
    std::string place = path.substr(0, end);
    struct ::stat status {};
    if (::lstat(place.c_str(), &status) != 0) {
      if (errno != ENOENT || !makes) return failed(errno);
      const char* const around = path.starts_with('/') ? "/" : ".";
      if (::stat(parent.empty() ? around : parent.c_str(), &status) != 0) return failed(errno);
      if (is_foreign(status)) return foreign(TrustedFileTrouble::foreign, status, parent);
      if (::mkdirat(AT_FDCWD, place.c_str(), S_IRWXU) != 0 && errno != EEXIST) return failed(errno);
    } else if (S_ISLNK(status.st_mode) &&
               (writes ? is_foreign(status) : is_foreign_to_reader(status))) {
      return foreign(TrustedFileTrouble::foreign_link, status, place);
    }
    parent = std::move(place);
  }
  return {};
}

struct OpenDirectory {
  std::string place{};  ///< its path
  TrustedFileResult result{};
  Descriptor fd{};
};

/// Opens the directory `place` to write there.
OpenDirectory open_directory(const std::string& place, bool makes) {
  OpenDirectory at{place, check_way(place, true, makes)};
  if (at.result.trouble != TrustedFileTrouble::none) return at;
  at.fd = Descriptor(::open(place.c_str(), access_mode() | O_DIRECTORY | O_CLOEXEC));
  if (at.fd.get() < 0) at.result = failed(errno);
  return at;
}

/// Checks whether the contents of a file, opened by `path`, can be trusted. Those of a device
/// cannot, but read_open_to_end refuses a device that returns a byte, so /dev/null may be read.
TrustedFileResult trust(const std::string& path, const struct ::stat& status) {
  if (S_ISCHR(status.st_mode)) return {};
  if (S_ISDIR(status.st_mode)) return failed(EISDIR);
  if (!S_ISREG(status.st_mode) && !S_ISFIFO(status.st_mode)) {
    return {.trouble = TrustedFileTrouble::no_file};
  }
  if (is_foreign_to_reader(status)) return foreign(TrustedFileTrouble::foreign, status);
  if (may_others_write(status)) {
    return {.trouble = TrustedFileTrouble::writable,
            .mode = static_cast<std::uint32_t>(status.st_mode) & 07777U};
  }
  TrustedFileResult way = check_way(path, false, false);
  if (way.place == path) way.place.clear();
  return way;
}

/// Reads up to the end, at most `most` bytes. `fd` may be a pipe that was opened without waiting
/// for a writer (O_NONBLOCK).
TrustedFileResult read_all(int fd, std::size_t most, std::string& text) {
  const int error = read_open_to_end(fd, most, text);
  if (error == ENOTSUP) return {.trouble = TrustedFileTrouble::no_file};
  if (error == EAGAIN) return {.trouble = TrustedFileTrouble::nobody_writes};
  return error == 0 ? TrustedFileResult{} : failed(error);
}

/// True for a named pipe, not for one that a shell passes as /dev/fd/N. Without any writer, reading
/// a named pipe returns 0 bytes at once, as an empty file does.
bool is_named_pipe(const std::string& path) {
  struct ::stat status {};
  return ::lstat(path.c_str(), &status) == 0 && S_ISFIFO(status.st_mode);
}

/// Creates a file for this user alone under an unused name, ".ffind.4711.1700000000000000000"; -1
/// and an errno on failure. O_EXCL follows no link.
int create_beside(int directory, std::string& name) {
  constexpr int tries = 100;
  for (int attempt = 0; attempt < tries; ++attempt) {
    name = ".ffind." + std::to_string(::getpid()) + "." +
           std::to_string(wall_now().nanoseconds + attempt);
    const int fd =
        ::openat(directory, name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                 S_IRUSR | S_IWUSR);
    if (fd >= 0 || errno != EEXIST) return fd;
  }
  return -1;
}

/// Replaces the file `name` by a new one with `text`. 0 or an errno. `lasting`: it survives a loss
/// of power.
int replace_in(int directory, const std::string& name, std::string_view text, bool lasting) {
  std::string temporary;
  const int fd = create_beside(directory, temporary);
  if (fd < 0) return errno;
  int error = write_all(fd, text);
  // Some file systems do not support it.
  if (error == 0 && lasting && ::fsync(fd) != 0 && errno != EINVAL && errno != ENOTSUP) {
    error = errno;
  }
  // A server may report a full disk only here.
  if (::close(fd) != 0 && error == 0 && errno != EINTR) error = errno;
  if (error == 0 && ::renameat(directory, temporary.c_str(), directory, name.c_str()) != 0) {
    error = errno;
  }
  if (error != 0) ::unlinkat(directory, temporary.c_str(), 0);
  if (error == 0 && lasting) {
    const Descriptor readable(::openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (readable.get() >= 0) ::fsync(readable.get());
  }
  return error;
}

/// Opens the directory of `path`, and checks that it and the file belong to this user or root.
OpenDirectory open_to_replace(const std::string& path, bool makes) {
  const std::size_t slash = path.rfind('/');
  OpenDirectory at = open_directory(
      slash == std::string::npos ? "." : path.substr(0, std::max<std::size_t>(slash, 1)), makes);
  if (at.result.trouble != TrustedFileTrouble::none) return at;
  struct ::stat status {};
  if (::fstat(at.fd.get(), &status) != 0) {
    at.result = failed(errno);
  } else if (is_foreign(status)) {
    at.result = foreign(TrustedFileTrouble::foreign, status, at.place);
  } else if (::fstatat(at.fd.get(), std::string(text::name_of(path)).c_str(), &status,
                       AT_SYMLINK_NOFOLLOW) == 0) {
    if (S_ISDIR(status.st_mode)) at.result = failed(EISDIR);
    if (is_foreign(status)) at.result = foreign(TrustedFileTrouble::foreign, status);
  }
  return at;
}

/// True if `status` is of this user alone. Not root's: what root writes by sudo must not be in the
/// way of the user.
bool is_own(const struct ::stat& status) {
  return status.st_uid == ::geteuid() && !may_others_write(status);
}

}  // namespace

TrustedFileResult read_trusted_file(const std::string& path, std::size_t most, std::string& text) {
  text.clear();
  const Descriptor file(uninterrupted(
      [&] { return ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC); }));
  if (file.get() < 0) return failed(errno);
  struct ::stat status {};
  if (::fstat(file.get(), &status) != 0) return failed(errno);
  TrustedFileResult result = trust(path, status);
  if (result.trouble != TrustedFileTrouble::none) return result;
  result = read_all(file.get(), most, text);
  if (result.trouble == TrustedFileTrouble::none && text.empty() && is_named_pipe(path)) {
    result.trouble = TrustedFileTrouble::nobody_writes;
  }
  return result;
}

TrustedFileResult remove_trusted_file(const std::string& path) {
  const OpenDirectory at = open_to_replace(path, false);
  if (at.result.trouble != TrustedFileTrouble::none) return at.result;
  const std::string name(text::name_of(path));
  return ::unlinkat(at.fd.get(), name.c_str(), 0) == 0 ? TrustedFileResult{} : failed(errno);
}

TrustedFileResult replace_trusted_file(const std::string& path, std::string_view text) {
  const OpenDirectory at = open_to_replace(path, true);
  if (at.result.trouble != TrustedFileTrouble::none) return at.result;
  const int error = replace_in(at.fd.get(), std::string(text::name_of(path)), text, true);
  return error == 0 ? TrustedFileResult{} : failed(error);
}

namespace {

/// Opens the directory `place`/ffind, readable, which a lock requires. -1 if it cannot be used. In
/// a directory that others may write to, names are safe only with the sticky bit.
Descriptor open_state(const std::string& place, bool makes) {
  constexpr const char* name = "ffind";
  const OpenDirectory at = open_directory(place, makes);
  if (at.result.trouble != TrustedFileTrouble::none) return Descriptor();
  struct ::stat status {};
  if (::fstat(at.fd.get(), &status) != 0 || is_foreign(status) ||
      (may_others_write(status) && (status.st_mode & S_ISVTX) == 0)) {
    return Descriptor();
  }
  // Root does not create anything in a user's directory, nor a user in root's by accident.
  if (makes && (status.st_uid == ::geteuid() || (status.st_mode & S_ISVTX) != 0)) {
    ::mkdirat(at.fd.get(), name, S_IRWXU);
  }
  Descriptor directory(
      ::openat(at.fd.get(), name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (directory.get() < 0 || ::fstat(directory.get(), &status) != 0 || !is_own(status)) {
    return Descriptor();
  }
  return directory;
}

/// True also if there is no file.
bool read_state(int directory, const char* name, std::size_t most, std::string& text) {
  const Descriptor file(uninterrupted([&] {
    return ::openat(directory, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  }));
  if (file.get() < 0) return errno == ENOENT;
  struct ::stat status {};
  if (::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode) || !is_own(status)) {
    return false;
  }
  return read_all(file.get(), most, text).trouble == TrustedFileTrouble::none;
}

/// Waits for the lock of an open directory. flock(2) and not fcntl(2), which locks no directory. A
/// process that is stopped may have it, so the wait has an end: on a busy machine four threads that
/// compete for it waited more than half a second.
bool lock_state(int directory) {
  constexpr int tries = 1000;
  constexpr int milliseconds = 5;
  for (int attempt = 0; attempt < tries; ++attempt) {
    if (::flock(directory, LOCK_EX | LOCK_NB) == 0) return true;
    if (errno != EWOULDBLOCK && errno != EINTR) return false;
    ::poll(nullptr, 0, milliseconds);
  }
  return false;
}

}  // namespace

bool read_state_file(const std::string& place, const char* name, std::size_t most,
                     std::string& text) {
  text.clear();
  const Descriptor directory = open_state(place, false);
  return directory.get() >= 0 && read_state(directory.get(), name, most, text);
}

/// A file that its owner has made read-only is to stay, although a rename could replace it. Without
/// fsync: a loss of power may lose the file, which is no reason to wait for a disk.
bool change_state_file(const std::string& place, const char* name, std::size_t most,
                       const std::function<std::string(const std::string& text)>& change) {
  const Descriptor directory = open_state(place, true);
  std::string text;
  if (directory.get() < 0 || !lock_state(directory.get()) ||
      !read_state(directory.get(), name, most, text)) {
    return false;
  }
  struct ::stat status {};
  if (::fstatat(directory.get(), name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
      (status.st_mode & S_IWUSR) == 0) {
    return false;
  }
  return replace_in(directory.get(), name, change(text), false) == 0;
}

}  // namespace ffind::os
