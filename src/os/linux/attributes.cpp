// SPDX-License-Identifier: MIT
// Linux: extended attributes relative to an open directory, by the calls of Linux 6.13 and, where
// those are missing, by the directory's path in /proc. See attributes.h.
#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>

#include "os/linux/attributes.h"
#include "os/posix/file_system.h"
#include "os/posix/retry.h"

namespace ffind::os {
namespace {

// Newer than the C libraries we build with; the same on every processor but Alpha.
#ifdef SYS_getxattrat
constexpr long getxattrat_number = SYS_getxattrat;
constexpr long listxattrat_number = SYS_listxattrat;
#elif defined(__alpha__)
constexpr long getxattrat_number = 574;
constexpr long listxattrat_number = 575;
#else
constexpr long getxattrat_number = 464;
constexpr long listxattrat_number = 465;
#endif

/// struct xattr_args of <linux/xattr.h>.
struct XattrArguments {
  std::uint64_t value;
  std::uint32_t size;
  std::uint32_t flags;
};
static_assert(sizeof(XattrArguments) == 16);

int at_flags(bool follow) {
  return follow ? 0 : AT_SYMLINK_NOFOLLOW;
}

std::string path_through(const Directory* at, const char* path) {
  return at != nullptr ? path_of_descriptor(at->fd) + "/" + path : std::string(path);
}

}  // namespace

/// Before Linux 6.13, or where a container forbids what it does not know. EPERM says nothing of the
/// file here: to read attributes is never refused by it.
bool LinuxAttributes::calls_are_missing(long result) {
  if (result >= 0 || (errno != ENOSYS && errno != EPERM)) return false;
  has_at_calls_.store(false, std::memory_order_relaxed);
  return true;
}

long LinuxAttributes::names(const Directory* at, const char* path, bool follow, char* buffer,
                            std::size_t size) {
  if (has_at_calls_.load(std::memory_order_relaxed)) {
    const long length = uninterrupted([&] {
      return ::syscall(listxattrat_number, descriptor_of(at), path, at_flags(follow), buffer, size);
    });
    if (!calls_are_missing(length)) return length;
  }
  const std::string full = path_through(at, path);
  return uninterrupted([&] {
    return follow ? ::listxattr(full.c_str(), buffer, size)
                  : ::llistxattr(full.c_str(), buffer, size);
  });
}

long LinuxAttributes::value(const Directory* at, const char* path, bool follow, const char* name,
                            char* buffer, std::size_t size) {
  if (has_at_calls_.load(std::memory_order_relaxed)) {
    XattrArguments arguments{reinterpret_cast<std::uintptr_t>(buffer),
                             static_cast<std::uint32_t>(size), 0};
    const long length = uninterrupted([&] {
      return ::syscall(getxattrat_number, descriptor_of(at), path, at_flags(follow), name,
                       &arguments, sizeof arguments);
    });
    if (!calls_are_missing(length)) return length;
  }
  const std::string full = path_through(at, path);
  return uninterrupted([&] {
    return follow ? ::getxattr(full.c_str(), name, buffer, size)
                  : ::lgetxattr(full.c_str(), name, buffer, size);
  });
}

}  // namespace ffind::os
