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
// A TrustedPath opens a directory component by component with O_NOFOLLOW, and checks the owner of
// each link before it follows it by its text. A file is replaced by writing a new one in the same
// directory, with fsync, and renaming it.
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
#include <array>
#include <cerrno>
#include <cstdlib>

#include "os/files.h"
#include "os/machine.h"
#include "os/posix/calls.h"
#include "os/posix/file_system.h"
#include "os/terminal.h"
#include "os/trusted_files.h"

namespace ffind::os {
namespace {

int directory_flags() {
  return access_mode() | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW;
}

/// Time after which a pipe without data is given up.
constexpr int longest_silence = 10'000;  // milliseconds

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

/// A path split at its last slash: {"/a", "b"}, {"/", "b"}, {".", "b"}.
struct Parts {
  std::string directory;
  std::string name;
};

Parts parts_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return {".", path};
  return {slash == 0 ? "/" : path.substr(0, slash), path.substr(slash + 1)};
}

/// Opens a directory component by component, to check the owners of the links on the way and to
/// create nothing in another user's directory. The components that are left are a stack; those of a
/// link's text are put on top:
///
///     names_ = {c, b}     b is a link to x/y ──▶ names_ = {c, y, x}
class TrustedPath {
 public:
  /// `writes`: follow no link of another user. `makes`: create missing directories.
  TrustedPath(bool writes, bool makes) : writes_(writes), makes_(makes) {}

  /// Leaves fd() and place() at the directory, or at the last one that could be entered.
  TrustedFileResult open(const std::string& directory) {
    push(directory);
    TrustedFileResult result;
    while (!names_.empty() && result.trouble == TrustedFileTrouble::none) {
      const std::string name = std::move(names_.back());
      names_.pop_back();
      result = step(name);
    }
    return result;
  }

  int fd() const { return at_.get(); }
  const std::string& place() const { return place_; }

 private:
  /// Puts the components of `path` before those that are left. An absolute path begins at "/"
  /// again, wherever the link to it was.
  void push(const std::string& path) {
    for (std::size_t end = path.size(); end > 0;) {
      const std::size_t slash = path.rfind('/', end - 1);
      const std::size_t begin = slash == std::string::npos ? 0 : slash + 1;
      if (begin < end) names_.push_back(path.substr(begin, end - begin));
      end = begin == 0 ? 0 : begin - 1;
    }
    const bool absolute = path.starts_with('/');
    if (!absolute && at_.get() >= 0) return;
    place_ = absolute ? "/" : "";
    at_ = Descriptor(::open(absolute ? "/" : ".", directory_flags()));
  }

  /// Enters, follows or creates the component `name`.
  TrustedFileResult step(const std::string& name) {
    if (at_.get() < 0) return failed(errno);
    struct ::stat status {};
    if (::fstatat(at_.get(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) {
      if (errno != ENOENT || !makes_) return failed(errno);
      return make(name);
    }
    if (S_ISLNK(status.st_mode)) return go_through(name, status);
    return enter(name);
  }

  TrustedFileResult enter(const std::string& name) {
    // O_NOFOLLOW: a link that took the place of the directory since the stat is ELOOP or ENOTDIR.
    Descriptor next(::openat(at_.get(), name.c_str(), directory_flags()));
    if (next.get() < 0) return failed(errno);
    at_ = std::move(next);
    place_ += (place_.empty() || place_.back() == '/' ? "" : "/") + name;
    return {};
  }

  /// Puts the text of the link `name` in place of it. 40 links are the most that Linux follows.
  TrustedFileResult go_through(const std::string& name, const struct ::stat& status) {
    constexpr int most_links = 40;
    if (++links_ > most_links) return failed(ELOOP);
    if (writes_ ? is_foreign(status) : is_foreign_to_reader(status)) {
      return foreign(TrustedFileTrouble::foreign_link, status,
                     place_ + (place_.empty() || place_.back() == '/' ? "" : "/") + name);
    }
    std::array<char, 4096> target{};
    const ssize_t length = ::readlinkat(at_.get(), name.c_str(), target.data(), target.size());
    if (length < 0) return failed(errno);
    // A text that fills the buffer may be cut off.
    if (static_cast<std::size_t>(length) == target.size()) return failed(ENAMETOOLONG);
    push({target.data(), static_cast<std::size_t>(length)});
    return {};
  }

  /// Creates a directory with mode 0700, as the XDG specification requires.
  TrustedFileResult make(const std::string& name) {
    struct ::stat status {};
    if (::fstat(at_.get(), &status) != 0) return failed(errno);
    if (is_foreign(status)) return foreign(TrustedFileTrouble::foreign, status, place_);
    if (::mkdirat(at_.get(), name.c_str(), S_IRWXU) != 0 && errno != EEXIST) return failed(errno);
    return enter(name);
  }

  const bool writes_;
  const bool makes_;
  int links_ = 0;
  Descriptor at_;
  std::string place_;               ///< path of `at_`, as it was reached
  std::vector<std::string> names_;  ///< components that are left, the next one last
};

/// Checks `path`, which was opened, for links of other users on the way.
TrustedFileResult foreign_links_to(const std::string& path) {
  const Parts parts = parts_of(path);
  TrustedPath way(false, false);
  TrustedFileResult result = way.open(parts.directory);
  if (result.trouble != TrustedFileTrouble::none) return result;
  struct ::stat status {};
  if (::fstatat(way.fd(), parts.name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) {
    return failed(errno);
  }
  if (S_ISLNK(status.st_mode) && is_foreign_to_reader(status)) {
    return foreign(TrustedFileTrouble::foreign_link, status);
  }
  return {};
}

/// Checks whether the contents of an open file can be trusted. Those of a device cannot, but
/// /dev/null has none: read_all refuses a character device that returns a byte. `path` is the one
/// that it was opened by.
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
  return foreign_links_to(path);
}

/// Reads up to the end, at most `most` bytes. `fd` may be a pipe that was opened without waiting
/// for a writer (O_NONBLOCK); a pipe whose writer is silent for longest_silence is given up.
TrustedFileResult read_all(int fd, const struct ::stat& status, std::size_t most,
                           std::string& text) {
  std::array<char, 4096> buffer{};
  while (true) {
    const ssize_t count = ::read(fd, buffer.data(), buffer.size());
    if (count == 0) return {};
    if (count > 0) {
      if (S_ISCHR(status.st_mode)) return {.trouble = TrustedFileTrouble::no_file};
      text.append(buffer.data(), static_cast<std::size_t>(count));
      if (text.size() > most) return failed(EFBIG);
    } else if (errno == EAGAIN && !S_ISFIFO(status.st_mode)) {
      return {.trouble = TrustedFileTrouble::no_file};
    } else if (errno == EAGAIN) {
      Wait readable{.fd = fd};
      if (wait_for({&readable, 1}, longest_silence) == 0) {
        return {.trouble = TrustedFileTrouble::nobody_writes};
      }
    } else if (errno != EINTR) {
      return failed(errno);
    }
  }
}

/// True for a named pipe, not for one that a shell passes as /dev/fd/N. Without any writer, reading
/// a named pipe returns 0 bytes at once, as an empty file does.
bool is_named_pipe(const std::string& path) {
  struct ::stat status {};
  return ::lstat(path.c_str(), &status) == 0 && S_ISFIFO(status.st_mode);
}

/// fsync(2), which some file systems do not support.
int sync(int fd) {
  return ::fsync(fd) == 0 || errno == EINVAL || errno == ENOTSUP ? 0 : errno;
}

/// Writes and syncs a new file; closes it even after an error.
int write_and_close(int fd, std::string_view text) {
  int error = write_all(fd, text);
  if (error == 0) error = sync(fd);
  // A server may report a full disk only here.
  if (::close(fd) != 0 && error == 0 && errno != EINTR) error = errno;
  return error;
}

/// Makes the new name survive a loss of power; best effort.
void sync_directory(int directory) {
  const Descriptor readable(::openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (readable.get() >= 0) ::fsync(readable.get());
}

/// Creates a file for this user alone under an unused name, such as
/// ".ffind.4711.1700000000000000000"; -1 and an errno on failure. A crash may leave it. O_EXCL
/// follows no link.
int create_beside(int directory, std::string& name) {
  constexpr int tries = 100;
  for (int attempt = 0; attempt < tries; ++attempt) {
    name = ".ffind." + std::to_string(::getpid()) + "." + std::to_string(wall_now() + attempt);
    const int fd =
        ::openat(directory, name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                 S_IRUSR | S_IWUSR);
    if (fd >= 0 || errno != EEXIST) return fd;
  }
  return -1;
}

/// Checks that the directory of `way`, and the entry `name` in it, belong to this user or root.
TrustedFileResult may_replace(const TrustedPath& way, const Parts& parts) {
  struct ::stat status {};
  if (::fstat(way.fd(), &status) != 0) return failed(errno);
  if (is_foreign(status)) return foreign(TrustedFileTrouble::foreign, status, way.place());
  if (::fstatat(way.fd(), parts.name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0) {
    if (S_ISDIR(status.st_mode)) return failed(EISDIR);
    if (is_foreign(status)) return foreign(TrustedFileTrouble::foreign, status);
  }
  return {};
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
  result = read_all(file.get(), status, most, text);
  if (result.trouble == TrustedFileTrouble::none && text.empty() && is_named_pipe(path)) {
    result.trouble = TrustedFileTrouble::nobody_writes;
  }
  return result;
}

TrustedFileResult remove_trusted_file(const std::string& path) {
  const Parts parts = parts_of(path);
  TrustedPath way(true, false);
  TrustedFileResult result = way.open(parts.directory);
  if (result.trouble == TrustedFileTrouble::none) result = may_replace(way, parts);
  if (result.trouble != TrustedFileTrouble::none) return result;
  return ::unlinkat(way.fd(), parts.name.c_str(), 0) == 0 ? TrustedFileResult{} : failed(errno);
}

TrustedFileResult replace_trusted_file(const std::string& path, std::string_view text) {
  const Parts parts = parts_of(path);
  TrustedPath way(true, true);
  TrustedFileResult result = way.open(parts.directory);
  if (result.trouble == TrustedFileTrouble::none) result = may_replace(way, parts);
  if (result.trouble != TrustedFileTrouble::none) return result;
  std::string temporary;
  const int fd = create_beside(way.fd(), temporary);
  if (fd < 0) return failed(errno);
  int error = write_and_close(fd, text);
  if (error == 0 && ::renameat(way.fd(), temporary.c_str(), way.fd(), parts.name.c_str()) != 0) {
    error = errno;
  }
  if (error != 0) {
    ::unlinkat(way.fd(), temporary.c_str(), 0);
    return failed(error);
  }
  sync_directory(way.fd());
  return {};
}

namespace {

/// True if `status` is of this user alone. Not root's: what root writes by sudo must not be in the
/// way of the user.
bool is_own(const struct ::stat& status) {
  return status.st_uid == ::geteuid() && !may_others_write(status);
}

/// Opens the directory `place`/ffind, readable, which a lock requires. -1 if it cannot be used. In
/// a directory that others may write to, names are safe only with the sticky bit.
Descriptor open_state(const std::string& place, bool makes) {
  constexpr const char* name = "ffind";
  TrustedPath way(true, makes);
  if (way.open(place).trouble != TrustedFileTrouble::none) return Descriptor();
  struct ::stat status {};
  if (::fstat(way.fd(), &status) != 0 || is_foreign(status) ||
      (may_others_write(status) && (status.st_mode & S_ISVTX) == 0)) {
    return Descriptor();
  }
  // Root does not create anything in a user's directory, nor a user in root's by accident.
  if (makes && (status.st_uid == ::geteuid() || (status.st_mode & S_ISVTX) != 0)) {
    ::mkdirat(way.fd(), name, S_IRWXU);
  }
  Descriptor directory(::openat(way.fd(), name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
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
  return read_all(file.get(), status, most, text).trouble == TrustedFileTrouble::none;
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
  text = change(text);
  std::string temporary;
  const int fd = create_beside(directory.get(), temporary);
  if (fd < 0) return false;
  bool written = write_all(fd, text) == 0;
  written = ::close(fd) == 0 && written;
  if (written) {
    written = ::renameat(directory.get(), temporary.c_str(), directory.get(), name) == 0;
  }
  if (!written) ::unlinkat(directory.get(), temporary.c_str(), 0);
  return written;
}

}  // namespace ffind::os
