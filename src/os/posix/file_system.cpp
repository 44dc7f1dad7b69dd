// SPDX-License-Identifier: MIT
// PosixFileSystem, and functions on paths as they were typed: their location, type and contents.
//
// A directory below an open one is opened name by name unless links are followed, since O_NOFOLLOW
// applies to the last name only and another process may replace any of the others by a link. A root
// is opened by one call. Files are opened with O_NONBLOCK, since a name may have become a fifo.
//
// locate() turns a typed path into a Location. In /home/me, where lib is a link to /usr/lib:
//
//     typed       "lib/../bin"
//     absolute    "/usr/bin"     with a slash in front, ".." resolved through links
//     canonical   "/usr/bin"     the same without any link
//     link        ""             its own path, if the root is a link to a file
//
// A broken link is a root, too: its canonical path is its own.
#include "os/posix/file_system.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "os/files.h"
#include "os/posix/calls.h"
#include "text/ascii.h"
#include "text/sizes.h"

namespace ffind::os {

int descriptor_of(const Directory* at) {
  return at != nullptr ? at->fd : AT_FDCWD;
}

// O_DIRECTORY makes anything but a directory ENOTDIR, before a device or fifo is opened.
int open_flags(OpenFlags flags) {
  // O_NONBLOCK: a fifo that replaced the directory must not block.
  return O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK | (flags.follow ? 0 : O_NOFOLLOW);
}

static_assert(sizeof(off_t) == 8, "_FILE_OFFSET_BITS=64 is not set");

void metadata_of_stat(const struct ::stat& status, Metadata& metadata, Needs& got) {
  metadata.size = static_cast<std::uint64_t>(status.st_size);
  // st_blocks counts 512 bytes whatever st_blksize is.
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

/// Whether a file that was empty at opening has a size by now.
bool has_grown(int fd) {
  struct ::stat status {};
  return uninterrupted([&] { return ::fstat(fd, &status); }) == 0 && status.st_size > 0;
}

/// Opens `path`, relative to `at`, without following a link that replaced one of its directories.
/// O_NOFOLLOW applies to the last name only, so each name is opened relative to the one before it:
/// for "a/b/c" two directories are opened only to pass through them, then c with `flags`. Returns
/// -1 and errno on failure, ELOOP or ENOTDIR for a link. Never closes `at`.
int open_step_by_step(int at, const char* path, int flags) {
  Descriptor here;  // none at the start
  const auto open_in = [&](const char* name, int how) {
    return ::openat(here.get() >= 0 ? here.get() : at, name, how);
  };
  for (const char* slash = nullptr; (slash = std::strchr(path, '/')) != nullptr; path = slash + 1) {
    const std::string name(path, slash);
    if (name.empty()) continue;
    Descriptor next(open_in(name.c_str(), passing_flags() | O_NOFOLLOW));
    if (next.get() < 0) return -1;
    here = std::move(next);
  }
  return open_in(path, flags);
}

}  // namespace

// `flags.stay_on_volume` has no effect here: POSIX alone cannot tell. Platforms refine that.
int PosixFileSystem::open(const Directory* at, const char* path, OpenFlags flags,
                          Directory& opened) {
  const int how = open_flags(flags);
  const int fd = uninterrupted([&] {
    return at != nullptr && !flags.follow ? open_step_by_step(at->fd, path, how)
                                          : ::openat(descriptor_of(at), path, how);
  });
  if (fd < 0) return errno;
  opened = Directory{};
  opened.file_system = this;
  opened.fd = fd;
  return 0;
}

// fstatat returns everything at once, so `wanted` does not matter; the platform names its own part.
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

// readlink cuts a longer text off without an error, and adds no NUL.
int read_link_text(int at, const char* path, std::string& target) {
  // Longer than nearly all targets; st_size is 0 for links in /proc, so it is of no use.
  target.resize(256);
  while (true) {
    const ssize_t length =
        uninterrupted([&] { return ::readlinkat(at, path, target.data(), target.size()); });
    if (length < 0) return errno;
    // A text that fills the buffer may be cut off.
    if (static_cast<std::size_t>(length) < target.size()) {
      target.resize(static_cast<std::size_t>(length));
      return 0;
    }
    target.resize(target.size() * 2);
  }
}

std::string take_component(std::string& path) {
  const std::size_t begin = std::min(path.find_first_not_of('/'), path.size());
  const std::size_t end = std::min(path.find('/', begin), path.size());
  std::string component = path.substr(begin, end - begin);
  const std::size_t next = path.find_first_not_of('/', end);
  if (next != std::string::npos) {
    path.erase(0, next);
  } else {
    path = end < path.size() ? "." : "";
  }
  return component;
}

int PosixFileSystem::read_link(const Directory* at, const char* path, std::string& target) {
  return read_link_text(descriptor_of(at), path, target);
}

// By the real user and group ids, as access(2), and not by the effective ones.
int PosixFileSystem::access(const Directory* at, const char* path, Access access) {
  constexpr int modes[] = {R_OK, W_OK, X_OK};
  const int mode = modes[static_cast<std::size_t>(access)];
  const auto ask = [&] { return ::faccessat(descriptor_of(at), path, mode, 0); };
  return uninterrupted(ask) != 0 ? errno : 0;
}

int PosixFileSystem::identify(const Directory& directory, FileId& id) {
  struct ::stat status {};
  if (uninterrupted([&] { return ::fstat(directory.fd, &status); }) != 0) return errno;
  id.device = static_cast<std::uint64_t>(status.st_dev);
  id.inode = status.st_ino;
  return 0;
}

int file_flags_for(OpenFlags flags) {
  // The name may have become a fifo or a terminal by now, which must neither block nor become the
  // controlling terminal.
  return O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | (flags.follow ? 0 : O_NOFOLLOW);
}

int PosixFileSystem::open_file(const Directory* at, const char* path, OpenFlags flags,
                               File& opened) {
  const int fd =
      uninterrupted([&] { return ::openat(descriptor_of(at), path, file_flags_for(flags)); });
  return fd < 0 ? errno : adopt_file(fd, opened);
}

// The type is known only now: the listing may be old, and without O_NONBLOCK opening a fifo would
// have waited for a writer.
int PosixFileSystem::adopt_file(int fd, File& opened) {
  struct ::stat status {};
  int error = uninterrupted([&] { return ::fstat(fd, &status); }) != 0 ? errno : 0;
  if (error == 0 && !S_ISREG(status.st_mode)) error = ENXIO;
  if (error != 0) {
    ::close(fd);
    return error;
  }
  opened = File{};
  opened.file_system = this;
  opened.fd = fd;
  opened.size = static_cast<std::uint64_t>(status.st_size);
  opened.has_holes = static_cast<std::uint64_t>(status.st_blocks) * 512 < opened.size;
  return 0;
}

// `file.size` is the size at opening. 0 means one of two kinds of files: really empty ones, and
// those of /proc and /sys, whose contents are generated by reading and come without a size.
int PosixFileSystem::read_file(File& file, char* bytes, std::size_t capacity, std::size_t& count) {
  count = 0;
  // Do not read beyond the size at opening: a file that grows may never end.
  if (file.size != 0) {
    if (file.position >= file.size) return 0;
    capacity = text::at_most(capacity, file.size - file.position);
  }
  // Some files of /proc have no positions.
  const auto call = [&] {
    return file.size == 0 ? ::read(file.fd, bytes, capacity)
                          : ::pread(file.fd, bytes, capacity, static_cast<off_t>(file.position));
  };
  const ssize_t got = uninterrupted(call);
  if (got < 0) return errno;
  // Files of /proc and /sys keep the size 0. A file that was empty and now has a size is growing.
  if (file.size == 0 && got > 0 && has_grown(file.fd)) return 0;
  count = static_cast<std::size_t>(got);
  file.position += count;
  return 0;
}

void PosixFileSystem::close_file(File& file) {
  if (file.fd >= 0) ::close(file.fd);
  file.forget();
}

void Descriptor::close() {
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
}

namespace {

bool is_same(const struct ::stat& one, const struct ::stat& other) {
  return one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

/// Reads the path of the working directory name by name from the directories above it. 0 or an
/// errno.
int climb_to_root(std::string& path) {
  struct ::stat here {};
  if (::stat(".", &here) != 0) return errno;
  std::string name;
  for (Descriptor above(::open("..", open_flags({})));; path.insert(0, "/" + name)) {
    struct ::stat parent {};
    if (::fstat(above.get(), &parent) != 0) return errno;
    if (is_same(here, parent)) return 0;
    bool found = false;
    const int error = for_each_name(above.get(), ".", {}, [&](std::string_view candidate) {
      struct ::stat status {};
      name = candidate;
      found = ::fstatat(above.get(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0 &&
              is_same(here, status);
      return !found;
    });
    if (!found) return error != 0 ? error : ENOENT;
    here = parent;
    above = Descriptor(::openat(above.get(), "..", open_flags({})));
  }
}

}  // namespace

// getcwd of glibc and macOS has no limit; that of musl fails beyond PATH_MAX.
std::string current_directory() {
  std::error_code error;
  std::string path = std::filesystem::current_path(error).string();
  if (error == std::errc::filename_too_long)
    error.assign(climb_to_root(path), std::generic_category());
  if (error) throw std::system_error(error, "current directory");
  return path;
}

namespace {

/// The current directory, or the kernel's word for one that was removed or unmounted: relative
/// paths still lead there.
std::string current_directory_or_nowhere() {
  try {
    return current_directory();
  } catch (const std::system_error&) {
    return "/(unreachable)";
  }
}

}  // namespace

// "src//./x" in /home/me becomes "/home/me/src/x", and "../x" "/home/me/../x". `path` is not empty.
std::string absolute_path(const std::string& path) {
  std::string absolute = path.front() == '/' ? "" : current_directory_or_nowhere();
  if (absolute == "/") absolute.clear();
  for (std::string_view rest = path; !rest.empty();) {
    const std::string_view component = text::take_part(rest, '/');
    if (!component.empty() && component != ".") absolute.append("/").append(component);
  }
  return absolute.empty() ? "/" : absolute;
}

// realpath(3) fails with EINTR if one of its calls is interrupted.
std::string resolved(const std::string& path) {
  char* real = nullptr;
  uninterrupted([&] { return (real = ::realpath(path.c_str(), nullptr)) != nullptr ? 0 : -1; });
  const std::unique_ptr<char, decltype(&std::free)> owner(real, &std::free);
  return real != nullptr ? real : std::string();
}

namespace {

/// Absolute path without symbolic links. By the text alone if the system cannot resolve it (a path
/// beyond PATH_MAX).
std::string real_path(const std::string& path) {
  std::string real = resolved(path);
  if (!real.empty()) return real;
  return std::filesystem::path(absolute_path(path)).lexically_normal().string();
}

/// The path of an entry that is not a directory: canonical directory and unchanged name, so that a
/// link stays itself. The name is not "..", which is always a directory.
std::string with_real_directory(const std::string& absolute) {
  const std::size_t name = absolute.rfind('/') + 1;
  std::string path = real_path(absolute.substr(0, name));
  if (path.back() != '/') path += '/';
  return path.append(absolute, name);
}

/// Resolves symbolic links in `absolute` up to its last "..", if possible: "/a/link/../b/c" becomes
/// "/x/b/c" if /a/link leads to /x/y. Names like "..b" are no parents. The part after it keeps its
/// links.
std::string without_parents(std::string absolute) {
  std::size_t end = 0;
  for (std::size_t at = 0; (at = absolute.find("/..", at)) != std::string::npos; at += 3) {
    if (at + 3 == absolute.size() || absolute[at + 3] == '/') end = at + 3;
  }
  if (end == 0) return absolute;
  const std::string parent = resolved(absolute.substr(0, end));
  if (parent.empty()) return absolute;
  absolute.replace(0, end, parent == "/" ? "" : parent);
  return absolute.empty() ? "/" : absolute;
}

}  // namespace

Location locate(const std::string& typed, bool follow) {
  Location location;
  location.typed = typed;
  const std::string path = typed.empty() ? "." : typed;
  location.absolute = without_parents(absolute_path(path));
  location.probed = true;
  // Three cases: the path leads somewhere; it is a link that leads nowhere, which is a result under
  // its own name; it does not exist or cannot be reached, and only `error` is set.
  PathFacts facts = look_at(path, follow);
  if (!follow && facts.error == 0) {
    location.canonical =
        facts.type == FileType::symlink ? with_real_directory(location.absolute) : real_path(path);
  }
  // A link to anything but a directory is found under its own name, so `link` has that path, too.
  if (follow && facts.error == 0) {
    location.canonical = real_path(path);
    if (facts.type != FileType::directory && look_at(path, false).type == FileType::symlink) {
      location.link = with_real_directory(location.absolute);
    }
  } else if (follow && leads_nowhere(facts.error)) {
    const PathFacts itself = look_at(path, false);
    if (itself.error == 0 && itself.type == FileType::symlink) {
      facts = itself;
      // A broken link: its directory exists.
      location.canonical = with_real_directory(location.absolute);
    }
  }
  location.error = facts.error;
  location.type = facts.type;
  location.volume = facts.volume;
  if (facts.error != 0) location.canonical.clear();
  return location;
}

bool is_directory(const std::string& path) {
  struct ::stat status {};
  return uninterrupted([&] { return ::stat(path.c_str(), &status); }) == 0 &&
         S_ISDIR(status.st_mode);
}

int change_directory(const std::string& path) {
  return ::chdir(path.c_str()) == 0 ? 0 : errno;
}

std::string normal_path(const std::string& path) {
  return std::filesystem::path(path).lexically_normal().string();
}

FileType type_at(const std::string& path) {
  struct ::stat status {};
  if (uninterrupted([&] { return ::lstat(path.c_str(), &status); }) != 0) return FileType::unknown;
  return type_of_mode(status.st_mode);
}

std::string link_text(const std::string& path) {
  std::string text;
  return read_link_text(AT_FDCWD, path.c_str(), text) == 0 ? text : std::string();
}

int for_each_name(int at, const char* path, OpenFlags flags,
                  const std::function<bool(std::string_view)>& take) {
  const int fd = uninterrupted([&] { return ::openat(at, path, open_flags(flags)); });
  DIR* const stream = fd >= 0 ? ::fdopendir(fd) : nullptr;
  int error = stream == nullptr ? errno : 0;
  if (stream == nullptr && fd >= 0) ::close(fd);
  bool more = stream != nullptr;
  while (more) {
    errno = 0;
    const dirent* const entry = ::readdir(stream);
    if (entry == nullptr) error = errno;
    const std::string_view name = entry != nullptr ? entry->d_name : "";
    more = entry != nullptr && (name == "." || name == ".." || take(name));
  }
  if (stream != nullptr) ::closedir(stream);
  return error;
}

int names_in(const std::string& directory, std::vector<std::string>& names) {
  return for_each_name(AT_FDCWD, directory.c_str(), {.follow = true}, [&](std::string_view name) {
    names.emplace_back(name);
    return true;
  });
}

int metadata_of(const std::string& path, Metadata& found) {
  Needs got = needs::none;
  return PosixFileSystem().stat(nullptr, path.c_str(), {.follow = true}, needs::none, found, got);
}

int metadata_of_link(const std::string& path, Metadata& found) {
  Needs got = needs::none;
  return PosixFileSystem().stat(nullptr, path.c_str(), {}, needs::none, found, got);
}

std::string read_file(const std::string& path) {
  std::string text;
  if (const int error = read_to_end(path, std::string::npos, text); error != 0) {
    throw std::system_error(error, std::generic_category(), path == "-" ? "standard input" : path);
  }
  return text;
}

// A terminal is refused before it is read, since the user would have to type its end. O_NOCTTY:
// opening one must not make it the controlling one.
int InputFile::open(const std::string& path) {
  if (path == "-") return use(STDIN_FILENO);
  file_ = Descriptor(
      uninterrupted([&] { return ::open(path.c_str(), O_RDONLY | O_NOCTTY | O_CLOEXEC); }));
  return file_.get() < 0 ? errno : use(file_.get());
}

int InputFile::use(int fd) {
  fd_ = fd;
  struct ::stat status {};
  if (::fstat(fd_, &status) != 0) return errno;
  device_ = S_ISCHR(status.st_mode) || S_ISBLK(status.st_mode);
  return device_ && ::isatty(fd_) == 1 ? ENOTSUP : 0;
}

// Other devices are read once: /dev/null is empty, /dev/zero has no end.
int InputFile::read(char* bytes, std::size_t capacity, int patience, std::size_t& count) const {
  while (true) {
    const ssize_t got = uninterrupted([&] { return ::read(fd_, bytes, capacity); });
    if (device_ && (got > 0 || (got < 0 && errno == EAGAIN))) return ENOTSUP;
    if (got < 0 && errno != EAGAIN) return errno;
    if (got >= 0) {
      count = static_cast<std::size_t>(got);
      return 0;
    }
    Wait readable{.fd = fd_};
    if (wait_for({&readable, 1}, patience) == 0) return EAGAIN;
  }
}

namespace {

/// Appends all of a file that was opened with `error`.
int read_all(const InputFile& file, int error, std::size_t most, std::string& text) {
  constexpr int longest_silence = 10'000;  // milliseconds
  std::array<char, 16384> buffer{};
  for (std::size_t count = 1; error == 0 && count > 0;) {
    error = file.read(buffer.data(), buffer.size(), longest_silence, count);
    if (error != 0) break;
    text.append(buffer.data(), count);
    if (text.size() > most) error = EFBIG;
  }
  return error;
}

}  // namespace

int read_open_to_end(int fd, std::size_t most, std::string& text) {
  InputFile file;
  return read_all(file, file.use(fd), most, text);
}

int read_to_end(const std::string& path, std::size_t most, std::string& text) {
  text.clear();
  InputFile file;
  return read_all(file, file.open(path), most, text);
}

}  // namespace ffind::os
