// SPDX-License-Identifier: MIT
// The simulated kernel's files: opening, status, paths of descriptors, extended attributes, and the
// policies that keep looking from having effects. See kernel.h.
#include <fcntl.h>
#include <sys/disk.h>
#include <sys/ioctl.h>
#include <sys/param.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysctl.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cstdarg>
#include <cstring>

#include "kernel.h"

namespace simulated {
namespace {

constexpr int policy_types = 6;

/// A process that a person started may download; nothing else is set.
struct Policies {
  std::atomic<int> now[policy_types] = {};
  Policies() {
    now[IOPOL_TYPE_VFS_MATERIALIZE_DATALESS_FILES] = IOPOL_MATERIALIZE_DATALESS_FILES_ON;
    for (const auto& [type, policy] : orders().policies) {
      if (type >= 0 && type < policy_types) now[type] = policy;
    }
  }
};
std::atomic<int>& policy_of(int type) {
  static Policies policies;
  return policies.now[type];
}

/// Those of this thread, which a new one does not inherit; 0 is that of the process.
thread_local int policies_of_thread[IOPOL_TYPE_VFS_TRIGGER_RESOLVE + 1] = {};

std::string name_of(const char* path) {
  const std::string_view text = path;
  return std::string(text.substr(text.rfind('/') + 1));
}

/// What opening the file behind `fd` does, and whether it may be done: 0 or an errno.
int effects_of_opening(int fd, int flags) {
  host::Status status;
  if (host::status(fd, "", true, status) != 0) return 0;
  const bool directory = S_ISDIR(status.mode);
  const Marks marks = marks_of(status);
  if ((marks & marks::secret) != 0) return EPERM;
  if (marks != marks::none || (directory && logging())) {
    const std::string path = host::path_of(fd);
    if ((marks & marks::trigger) != 0 && !is_off(IOPOL_TYPE_VFS_TRIGGER_RESOLVE)) {
      log("mounted " + path);
    }
    if ((marks & marks::dataless) != 0 && (flags & O_EVTONLY) == 0) {
      if (is_off(IOPOL_TYPE_VFS_MATERIALIZE_DATALESS_FILES)) return EDEADLK;
      log("downloaded " + path);
    }
    if (directory && !is_off(IOPOL_TYPE_VFS_ATIME_UPDATES)) log("atime " + path);
    if (directory) log("open " + path);
  }
  return 0;
}

/// Files that Darwin has and Linux has not; -2 when it is none of them.
int open_special(const char* path) {
  if (std::strcmp(path, "/usr/share/firmlinks") == 0) {
    if (orders().firmlinks.empty()) return fail(ENOENT);
    std::string text;
    for (const FirmlinkOrder& link : orders().firmlinks) {
      text += link.path + "\t" + link.target + "\n";
    }
    return host::memory_file("firmlinks", text);
  }
  if (std::strncmp(path, "/dev/disk", 9) == 0) {
    for (const VolumeRow& row : *volumes()) {
      if (row.source == path) return host::memory_file(row.image ? "disk-image" : "disk", "");
    }
    return fail(ENOENT);
  }
  return -2;
}

int open_file(int at, const char* path, int flags, unsigned mode) {
  if (std::strlen(path) >= MAXPATHLEN) return fail(ENAMETOOLONG);
  const int special = open_special(path);
  if (special != -2) return special;
  const auto& errors = orders().open_errors;
  if (!errors.empty()) {
    const auto error = errors.find(name_of(path));
    if (error != errors.end()) return fail(error->second);
  }
  if ((flags & O_NOFOLLOW_ANY) != 0 && (flags & (O_NOFOLLOW | O_SYMLINK)) != 0) return fail(EINVAL);
  int linux_flags = flags & ~(O_SYMLINK | O_NOFOLLOW_ANY | O_EVTONLY);
  if ((flags & O_SYMLINK) != 0) linux_flags |= O_PATH | O_NOFOLLOW;
  const int fd = (flags & O_NOFOLLOW_ANY) != 0
                     ? host::open_without_links(at, path, linux_flags, mode)
                     : host::open(at, path, linux_flags, mode);
  if (fd < 0) {
    // Linux looks at O_DIRECTORY first, Darwin at O_NOFOLLOW.
    host::Status status;
    const int error = errno;
    const bool is_link = error == ENOTDIR && (flags & O_NOFOLLOW) != 0 &&
                         host::status(at, path, false, status) == 0 && S_ISLNK(status.mode);
    return fail(is_link ? ELOOP : error);
  }
  const int error = effects_of_opening(fd, flags);
  if (error == 0) return fd;
  host::close(fd);
  return fail(error);
}

timespec time_of(const host::Time& time) {
  return {static_cast<time_t>(time.seconds), static_cast<long>(time.nanoseconds)};
}

void fill(const host::Status& from, std::int32_t device, struct ::stat& to) {
  to = {};
  to.st_dev = device;
  to.st_mode = static_cast<std::uint16_t>(from.mode);
  to.st_nlink = static_cast<std::uint16_t>(from.links);
  to.st_ino = from.inode;
  to.st_uid = from.uid;
  to.st_gid = from.gid;
  to.st_rdev = short_device(from.special);
  to.st_atimespec = time_of(from.accessed);
  to.st_mtimespec = time_of(from.modified);
  to.st_ctimespec = time_of(from.changed);
  to.st_birthtimespec = time_of(from.has_created ? from.created : from.changed);
  to.st_size = static_cast<std::int64_t>(from.size);
  to.st_blocks = static_cast<std::int64_t>(from.blocks);
  to.st_blksize = static_cast<std::int32_t>(from.block_size);
  const Marks marks = marks_of(from);
  if ((marks & marks::dataless) != 0) to.st_flags |= SF_DATALESS;
  if ((marks & marks::hidden) != 0) to.st_flags |= UF_HIDDEN;
  if ((marks & marks::locked) != 0) to.st_flags |= UF_IMMUTABLE;
  to.st_flags |= static_cast<std::uint32_t>(marks >> marks::flags_at);
}

int stat_file(int at, const char* path, struct ::stat* status, bool follow) {
  if (std::strlen(path) >= MAXPATHLEN) return fail(ENAMETOOLONG);
  host::Status found;
  const int error = host::status(at, path, follow, found);
  if (error != 0) return fail(error);
  if ((marks_of(found) & marks::trigger) != 0 && !is_off(IOPOL_TYPE_VFS_TRIGGER_RESOLVE)) {
    log(std::string("mounted ") + path);
  }
  fill(found, device_of(found, at, path, follow), *status);
  return 0;
}

/// 0, or the errno that was ordered for the attributes of that file.
int ordered_attribute_error(const char* path, int fd) {
  const auto& errors = orders().attributes.errors;
  if (errors.empty()) return 0;
  const auto error = errors.find(name_of(path != nullptr ? path : host::path_of(fd).c_str()));
  return error == errors.end() ? 0 : error->second;
}

/// Devices have no attributes: EPERM (XATTR_VNODE_SUPPORTED).
bool is_device(const char* path, int fd, bool follow) {
  host::Status status;
  const int error = path != nullptr ? host::status(host::current_directory, path, follow, status)
                                    : host::status(fd, "", true, status);
  return error == 0 && (S_ISBLK(status.mode) || S_ISCHR(status.mode));
}

/// What a call that only asks for the size is told, where that is ordered to change: the first time
/// less than there is.
ssize_t size_told(ssize_t size, const void* buffer) {
  static std::atomic<bool> grown{false};
  if (buffer != nullptr || size <= 0 || !orders().attributes.grow) return size;
  return grown.exchange(true) ? size : 1;
}

ssize_t get_attribute(const char* path, int fd, const char* name, void* value, size_t size,
                      bool follow) {
  if (const int ordered = ordered_attribute_error(path, fd)) return fail(ordered);
  host::Status status;
  const int error = path != nullptr ? host::status(host::current_directory, path, follow, status)
                                    : host::status(fd, "", true, status);
  if (error != 0) return fail(error);
  if (is_device(path, fd, follow)) return fail(EPERM);
  if (std::strcmp(name, XATTR_FINDERINFO_NAME) == 0 && (marks_of(status) & marks::bundle) != 0) {
    unsigned char information[32] = {};
    information[8] = 0x20;
    if (value == nullptr || size == 0) return sizeof information;
    if (size < sizeof information) return fail(ERANGE);
    std::memcpy(value, information, sizeof information);
    return sizeof information;
  }
  log("getxattr " + (path != nullptr ? std::string(path) : host::path_of(fd)) + " " + name);
  return size_told(host::get_attribute(path, fd, name, value, size, follow), value);
}

ssize_t list_attributes(const char* path, int fd, char* names, size_t size, bool follow) {
  if (path != nullptr && std::strlen(path) >= MAXPATHLEN) return fail(ENAMETOOLONG);
  if (const int ordered = ordered_attribute_error(path, fd)) return fail(ordered);
  if (is_device(path, fd, follow)) return fail(EPERM);
  log("listxattr " + (path != nullptr ? std::string(path) : host::path_of(fd)));
  return size_told(host::list_attributes(path, fd, names, size, follow), names);
}

}  // namespace

bool is_off(int policy_type) {
  const int of_thread = policies_of_thread[policy_type];
  if (of_thread != 0) return of_thread == 1;
  return policy_of(policy_type).load(std::memory_order_relaxed) == 1;
}

}  // namespace simulated

using namespace simulated;

static_assert(sizeof(struct stat) == 144);

int open(const char* path, int flags, ...) {
  std::va_list arguments;
  va_start(arguments, flags);
  const unsigned mode = (flags & O_CREAT) != 0 ? va_arg(arguments, unsigned) : 0;
  va_end(arguments);
  return open_file(host::current_directory, path, flags, mode);
}

int openat(int at, const char* path, int flags, ...) {
  std::va_list arguments;
  va_start(arguments, flags);
  const unsigned mode = (flags & O_CREAT) != 0 ? va_arg(arguments, unsigned) : 0;
  va_end(arguments);
  return open_file(at, path, flags, mode);
}

int access(const char* path, int mode) {
  if (std::strcmp(path, "/usr/share/firmlinks") == 0) {
    return orders().firmlinks.empty() ? fail(ENOENT) : 0;
  }
  return host::may_access(path, mode);
}

// A folder that is only in a cloud would have to be listed first, to learn whether it is empty.
int unlinkat(int at, const char* path, int flags) {
  host::Status status;
  const bool directory = (flags & AT_REMOVEDIR) != 0;
  if (directory && host::status(at, path, false, status) == 0 &&
      (marks_of(status) & marks::dataless) != 0) {
    if (is_off(IOPOL_TYPE_VFS_MATERIALIZE_DATALESS_FILES)) return fail(EDEADLK);
    log(std::string("downloaded ") + path);
  }
  return host::remove(at, path, directory);
}

int stat(const char* path, struct stat* status) {
  return stat_file(host::current_directory, path, status, true);
}
int lstat(const char* path, struct stat* status) {
  return stat_file(host::current_directory, path, status, false);
}
int fstat(int fd, struct stat* status) {
  return stat_file(fd, "", status, true);
}
int fstatat(int at, const char* path, struct stat* status, int flags) {
  if (*path == '\0') return fail(ENOENT);  // Linux's AT_EMPTY_PATH is not Darwin's
  return stat_file(at, path, status, (flags & AT_SYMLINK_NOFOLLOW) == 0);
}

int fcntl(int fd, int command, ...) {
  std::va_list arguments;
  va_start(arguments, command);
  const long argument = va_arg(arguments, long);
  va_end(arguments);
  if (command == F_SETNOSIGPIPE) return set_quiet(fd, argument != 0);
  if (command != F_GETPATH && command != F_GETPATH_NOFIRMLINK) {
    return static_cast<int>(host::control_file(fd, command, argument));
  }
  std::string path = host::path_of(fd);
  if (path.empty()) return -1;
  if (command == F_GETPATH) path = through_firmlinks(path);
  if (path.size() >= MAXPATHLEN) return fail(ENOSPC);
  std::memcpy(reinterpret_cast<char*>(argument), path.c_str(), path.size() + 1);
  return 0;
}

int ioctl(int fd, unsigned long request, ...) {
  std::va_list arguments;
  va_start(arguments, request);
  void* const argument = va_arg(arguments, void*);
  va_end(arguments);
  constexpr unsigned long is_virtual = 0x40046448;  // DKIOCISVIRTUAL, of the kernel's own header
  if (request != is_virtual) {
    return static_cast<int>(host::control_device(fd, request, argument));
  }
  const std::string path = host::path_of(fd);
  if (path.find("disk") == std::string::npos) return fail(ENOTTY);
  const std::uint32_t answer = path.find("disk-image") != std::string::npos ? 1 : 0;
  std::memcpy(argument, &answer, sizeof answer);
  return 0;
}

ssize_t getxattr(const char* path, const char* name, void* value, size_t size, uint32_t position,
                 int options) {
  if (position != 0) return fail(EINVAL);
  return get_attribute(path, -1, name, value, size, (options & XATTR_NOFOLLOW) == 0);
}
ssize_t fgetxattr(int fd, const char* name, void* value, size_t size, uint32_t position, int) {
  if (position != 0) return fail(EINVAL);
  return get_attribute(nullptr, fd, name, value, size, true);
}
ssize_t listxattr(const char* path, char* names, size_t size, int options) {
  return list_attributes(path, -1, names, size, (options & XATTR_NOFOLLOW) == 0);
}
ssize_t flistxattr(int fd, char* names, size_t size, int) {
  return list_attributes(nullptr, fd, names, size, true);
}

int setiopolicy_np(int type, int scope, int policy) {
  if (type < 0 || type > IOPOL_TYPE_VFS_TRIGGER_RESOLVE || type == 1) return fail(EINVAL);
  if (scope != IOPOL_SCOPE_PROCESS && scope != IOPOL_SCOPE_THREAD) return fail(EINVAL);
  if (policy < 0 || policy > 2) return fail(EINVAL);
  // Triggers are resolved by a process, or not (XNU, kern_resource.c).
  const bool of_thread = scope == IOPOL_SCOPE_THREAD;
  if (of_thread && type == IOPOL_TYPE_VFS_TRIGGER_RESOLVE) return fail(EINVAL);
  log("setiopolicy " + std::to_string(type) + " " + std::to_string(policy) +
      (of_thread ? " thread" : ""));
  if (of_thread) {
    policies_of_thread[type] = policy;
    return 0;
  }
  // Of a process the default of this one is "off".
  if (type == IOPOL_TYPE_VFS_MATERIALIZE_DATALESS_FILES && policy == 0) {
    policy = IOPOL_MATERIALIZE_DATALESS_FILES_OFF;
  }
  policy_of(type).store(policy);
  return 0;
}

int getiopolicy_np(int type, int scope) {
  if (type < 0 || type > IOPOL_TYPE_VFS_TRIGGER_RESOLVE) return fail(EINVAL);
  if (scope == IOPOL_SCOPE_THREAD) return policies_of_thread[type];
  return policy_of(type).load();
}

int getrusage(int who, struct rusage* usage) {
  const int result = host::resource_usage(who, usage);
  usage->ru_maxrss *= 1024;  // KiB on Linux, bytes on Darwin
  return result;
}

int sysctlbyname(const char* name, void* value, size_t* size, void*, size_t) {
  static const char* const counts[] = {"hw.ncpu", "hw.logicalcpu", "hw.activecpu",
                                       "hw.physicalcpu"};
  for (const char* const known : counts) {
    if (std::strcmp(name, known) != 0) continue;
    const auto count = static_cast<std::int32_t>(host::processors());
    if (value != nullptr && *size < sizeof count) return fail(ENOMEM);
    if (value != nullptr) std::memcpy(value, &count, sizeof count);
    *size = sizeof count;
    return 0;
  }
  // Intel's processors have one level, of all that there are (XNU, i386/machine_routines.c).
  if (std::strcmp(name, "hw.perflevel0.logicalcpu") == 0) {
    const unsigned fast = orders().fast_processors;
    const auto count = static_cast<std::int32_t>(fast != 0 ? fast : host::processors());
    if (value != nullptr && *size < sizeof count) return fail(ENOMEM);
    if (value != nullptr) std::memcpy(value, &count, sizeof count);
    *size = sizeof count;
    return 0;
  }
  return fail(ENOENT);
}

// CLOCK_MONOTONIC is the time of day without that of the start, in microseconds. The raw clocks
// count for themselves: they are apart by as much as the time of day was corrected since (Libc,
// clock_gettime.c). Linux's nearest for the exact one is its CLOCK_MONOTONIC.
int clock_gettime(clockid_t clock, struct timespec* now) {
  constexpr std::uint64_t second = 1'000'000'000;
  constexpr std::uint64_t corrected = 20 * second;
  const bool raw = clock == CLOCK_MONOTONIC_RAW;
  std::uint64_t time = host::nanoseconds_now(raw ? CLOCK_MONOTONIC : clock);
  if (clock == CLOCK_MONOTONIC) time = (time - corrected) / 1000 * 1000;
  *now = {static_cast<time_t>(time / second), static_cast<long>(time % second)};
  return 0;
}

unsigned long long clock_gettime_nsec_np(clockid_t clock) {
  return host::nanoseconds_now(clock);
}
