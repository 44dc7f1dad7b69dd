// SPDX-License-Identifier: MIT
// Linux's calls for the simulated kernel (see host.h). The one file of it that is compiled with
// Linux's headers.
#include "host.h"

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <thread>

namespace simulated::host {

const int current_directory = AT_FDCWD;

int open(int at, const char* path, int flags, unsigned mode) {
  return ::openat(at, path, flags, mode);
}

int open_without_links(int at, const char* path, int flags, unsigned mode) {
  open_how how{};
  how.flags = static_cast<unsigned>(flags);
  how.mode = (flags & O_CREAT) != 0 ? mode : 0;
  how.resolve = RESOLVE_NO_SYMLINKS;
  return static_cast<int>(::syscall(SYS_openat2, at, path, &how, sizeof how));
}

int open_directory(const std::string& path) {
  constexpr std::size_t longest = 3000;  // below Linux's PATH_MAX
  constexpr int flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW;
  int at = AT_FDCWD;
  for (std::size_t from = 0;;) {
    std::size_t to = path.size();
    if (to - from > longest) to = path.rfind('/', from + longest);
    const std::string piece = path.substr(from, to - from);
    const int fd = ::openat(at, piece.c_str(), flags);
    const int error = errno;
    if (at >= 0) ::close(at);
    errno = error;
    if (fd < 0 || to == path.size()) return fd;
    at = fd;
    from = to + 1;
  }
}

void close(int fd) {
  ::close(fd);
}

namespace {
Time time_of(const struct ::statx_timestamp& time) {
  return {time.tv_sec, time.tv_nsec};
}
}  // namespace

int status(int at, const char* path, bool follow, Status& status) {
  struct ::statx found {};
  const int flags = AT_NO_AUTOMOUNT | AT_EMPTY_PATH | (follow ? 0 : AT_SYMLINK_NOFOLLOW);
  constexpr unsigned wanted = STATX_BASIC_STATS | STATX_BTIME | STATX_MNT_ID;
  if (::statx(at, path, flags, wanted, &found) != 0) return errno;
  status.inode = found.stx_ino;
  status.size = found.stx_size;
  status.blocks = found.stx_blocks;
  status.mount = found.stx_mnt_id;
  status.device = ::gnu_dev_makedev(found.stx_dev_major, found.stx_dev_minor);
  status.special = ::gnu_dev_makedev(found.stx_rdev_major, found.stx_rdev_minor);
  status.mode = found.stx_mode;
  status.links = found.stx_nlink;
  status.uid = found.stx_uid;
  status.gid = found.stx_gid;
  status.block_size = found.stx_blksize;
  status.accessed = time_of(found.stx_atime);
  status.modified = time_of(found.stx_mtime);
  status.changed = time_of(found.stx_ctime);
  status.created = time_of(found.stx_btime);
  status.has_created = (found.stx_mask & STATX_BTIME) != 0;
  return 0;
}

std::uint64_t mount_of(int at, const char* path) {
  struct ::statx found {};
  constexpr int flags = AT_NO_AUTOMOUNT | AT_SYMLINK_NOFOLLOW | AT_STATX_DONT_SYNC;
  return ::statx(at, path, flags, STATX_MNT_ID, &found) == 0 ? found.stx_mnt_id : 0;
}

int entries(int fd, std::vector<char>& buffer, std::vector<Entry>& found) {
  buffer.resize(std::size_t{32} * 1024);
  found.clear();
  while (found.empty()) {
    const long count = ::syscall(SYS_getdents64, fd, buffer.data(), buffer.size());
    if (count < 0) return errno;
    if (count == 0) return 0;
    for (long at = 0; at < count;) {
      const char* const record = buffer.data() + at;
      Entry entry;
      std::uint16_t length = 0;  // the kernel's linux_dirent64: u64, s64, u16, u8, name
      std::memcpy(&entry.inode, record, sizeof entry.inode);
      std::memcpy(&entry.next, record + 8, sizeof entry.next);
      std::memcpy(&length, record + 16, sizeof length);
      entry.type = static_cast<unsigned char>(record[18]);
      entry.name = std::string_view(record + 19);
      if (entry.name != "." && entry.name != "..") found.push_back(entry);
      at += length;
    }
  }
  return 0;
}

int seek(int fd, std::int64_t offset) {
  return ::lseek(fd, offset, SEEK_SET) < 0 ? errno : 0;
}

std::int64_t position(int fd) {
  return ::lseek(fd, 0, SEEK_CUR);
}

std::string path_of(int fd) {
  const std::string link = "/proc/self/fd/" + std::to_string(fd);
  std::string path(8192, '\0');
  const ssize_t length = ::readlink(link.c_str(), path.data(), path.size());
  if (length < 0) return {};
  path.resize(static_cast<std::size_t>(length));
  if (path.starts_with("/memfd:")) return path;  // see memory_file
  constexpr std::string_view gone = " (deleted)";
  struct ::stat status {};
  if (path.ends_with(gone) && ::fstat(fd, &status) == 0 && status.st_nlink == 0) {
    errno = ENOENT;
    return {};
  }
  return path;
}

std::string real_path(const std::string& path) {
  char* const real = ::realpath(path.c_str(), nullptr);
  if (real == nullptr) return {};
  std::string result = real;
  std::free(real);
  return result;
}

bool may_read(const std::string& path) {
  return ::faccessat(AT_FDCWD, path.c_str(), R_OK | X_OK, AT_EACCESS) == 0;
}

int make_directory(const char* path) {
  return ::mkdir(path, 0700);
}
int rename(const char* from, const char* to) {
  return ::rename(from, to);
}
void* load(const char* path, int mode) {
  return ::dlopen(path, mode);
}
void* symbol(void* library, const char* name) {
  return ::dlsym(library, name);
}

int remove(int at, const char* path, bool directory) {
  return ::unlinkat(at, path, directory ? AT_REMOVEDIR : 0);
}

int may_access(const char* path, int mode) {
  return ::access(path, mode);
}

unsigned access_mask(int at, const char* path) {
  unsigned mask = 0;
  for (const int bit : {R_OK, W_OK, X_OK}) {
    if (::faccessat(at, path, bit, AT_EACCESS | AT_SYMLINK_NOFOLLOW) == 0) {
      mask |= static_cast<unsigned>(bit);
    }
  }
  return mask;
}

bool read_file(const char* path, std::string& text) {
  const int fd = ::open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  char buffer[4096];
  ssize_t count = 0;
  while ((count = ::read(fd, buffer, sizeof buffer)) > 0) {
    text.append(buffer, static_cast<std::size_t>(count));
  }
  ::close(fd);
  return count == 0;
}

int memory_file(const char* name, std::string_view text) {
  const int fd = ::memfd_create(name, MFD_CLOEXEC);
  if (fd < 0) return fd;
  [[maybe_unused]] const ssize_t written = ::write(fd, text.data(), text.size());
  ::lseek(fd, 0, SEEK_SET);
  return fd;
}

void exchange(const char* one, const char* other) {
  ::renameat2(AT_FDCWD, one, AT_FDCWD, other, RENAME_EXCHANGE);
}

void append_line(const std::string& path, std::string line) {
  const int error = errno;
  line += '\n';
  const int fd = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  if (fd >= 0) {
    [[maybe_unused]] const ssize_t written = ::write(fd, line.data(), line.size());
    ::close(fd);
  }
  errno = error;
}

std::int64_t get_attribute(const char* path, int fd, const char* name, void* value,
                           std::size_t size, bool follow) {
  const std::string full = std::string("user.") + name;
  // By the descriptor's path: one that was opened as a path itself (O_SYMLINK) takes no other call.
  const std::string open_file = "/proc/self/fd/" + std::to_string(fd);
  if (path == nullptr) return ::getxattr(open_file.c_str(), full.c_str(), value, size);
  return follow ? ::getxattr(path, full.c_str(), value, size)
                : ::lgetxattr(path, full.c_str(), value, size);
}

std::int64_t list_attributes(const char* path, int fd, char* names, std::size_t size, bool follow) {
  std::string all(65536, '\0');
  const std::string open_file = "/proc/self/fd/" + std::to_string(fd);
  const ssize_t length = path == nullptr ? ::listxattr(open_file.c_str(), all.data(), all.size())
                         : follow        ? ::listxattr(path, all.data(), all.size())
                                         : ::llistxattr(path, all.data(), all.size());
  if (length < 0) return length;
  std::string kept;
  for (std::size_t at = 0; at < static_cast<std::size_t>(length);) {
    const std::string_view name(all.data() + at);
    if (name.starts_with("user.")) kept.append(name.substr(5)).push_back('\0');
    at += name.size() + 1;
  }
  if (names != nullptr && size < kept.size()) {
    errno = ERANGE;
    return -1;
  }
  if (names != nullptr) std::memcpy(names, kept.data(), kept.size());
  return static_cast<std::int64_t>(kept.size());
}

int poll(void* descriptors, std::size_t count, int milliseconds) {
  return ::poll(static_cast<pollfd*>(descriptors), static_cast<nfds_t>(count), milliseconds);
}

int select(int count, void* readable, void* writable, void* exceptional, const void* time,
           const void* mask) {
  return ::pselect(count, static_cast<fd_set*>(readable), static_cast<fd_set*>(writable),
                   static_cast<fd_set*>(exceptional), static_cast<const timespec*>(time),
                   static_cast<const sigset_t*>(mask));
}

std::int64_t write(int fd, const void* bytes, std::size_t size) {
  sigset_t pipe;
  sigset_t before;
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  ::pthread_sigmask(SIG_BLOCK, &pipe, &before);
  const ssize_t written = ::write(fd, bytes, size);
  const int error = errno;
  if (written < 0 && error == EPIPE) {
    const timespec at_once{};
    ::sigtimedwait(&pipe, nullptr, &at_once);
  }
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = error;
  return written;
}

void send_broken_pipe() {
  ::kill(::getpid(), SIGPIPE);
}

int limits(int resource, void* limit) {
  return ::getrlimit(static_cast<__rlimit_resource>(resource), static_cast<struct rlimit*>(limit));
}

int set_limits(int resource, const void* limit) {
  return ::setrlimit(static_cast<__rlimit_resource>(resource),
                     static_cast<const struct rlimit*>(limit));
}

long control_file(int fd, int command, long argument) {
  return ::fcntl(fd, command, argument);
}

long control_device(int fd, unsigned long request, void* argument) {
  return ::ioctl(fd, request, argument);
}

int resource_usage(int who, void* usage) {
  return ::getrusage(static_cast<__rusage_who>(who), static_cast<struct rusage*>(usage));
}

unsigned processors() {
  return std::max(1U, std::thread::hardware_concurrency());
}

std::uint64_t nanoseconds_now(int clock) {
  timespec now{};
  ::clock_gettime(clock, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000U +
         static_cast<std::uint64_t>(now.tv_nsec);
}

void sleep_milliseconds(unsigned milliseconds) {
  std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
}

bool is_root() {
  return ::geteuid() == 0;
}

}  // namespace simulated::host
