// SPDX-License-Identifier: MIT
// macOS: extended attributes by path, since no call takes them relative to a directory.
// See attributes.h.
#include <fcntl.h>
#include <sys/param.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>

#include "os/darwin/attributes.h"
#include "os/posix/file_system.h"

#if __has_include(<sys/xattr.h>)
#include <sys/xattr.h>
#else
// Public since macOS 10.4, but not in every set of headers: declared as Apple does.
#define XATTR_NOFOLLOW 0x0001
extern "C" {
ssize_t getxattr(const char*, const char*, void*, size_t, std::uint32_t, int);
ssize_t fgetxattr(int, const char*, void*, size_t, std::uint32_t, int);
ssize_t listxattr(const char*, char*, size_t, int);
ssize_t flistxattr(int, char*, size_t, int);
}
#endif

namespace ffind::os::darwin {
namespace {

/// The file, by its path, or by a descriptor where that is too long for a call.
class AttributeFile {
 public:
  AttributeFile(const Directory* at, const char* path, bool follow)
      : options_(follow ? 0 : XATTR_NOFOLLOW) {
    if (at == nullptr) {
      path_ = path;
      return;
    }
    path_ = path_of_descriptor(at->fd);
    if (!path_.empty() && path_.size() + 1 + std::strlen(path) < MAXPATHLEN) {
      path_.append("/").append(path);
      return;
    }
    // O_SYMLINK opens a link itself; O_EVTONLY fetches nothing from a cloud.
    fd_ = ::openat(at->fd, path, O_EVTONLY | O_CLOEXEC | O_NONBLOCK | (follow ? 0 : O_SYMLINK));
    if (fd_ < 0) error_ = errno;
  }
  ~AttributeFile() {
    if (fd_ >= 0) ::close(fd_);
  }
  AttributeFile(const AttributeFile&) = delete;
  AttributeFile& operator=(const AttributeFile&) = delete;

  int error() const { return error_; }
  long names(char* buffer, std::size_t size) const {
    return fd_ >= 0 ? ::flistxattr(fd_, buffer, size, 0)
                    : ::listxattr(path_.c_str(), buffer, size, options_);
  }
  long value(const char* name, char* buffer, std::size_t size) const {
    return fd_ >= 0 ? ::fgetxattr(fd_, name, buffer, size, 0, 0)
                    : ::getxattr(path_.c_str(), name, buffer, size, 0, options_);
  }

 private:
  std::string path_;
  int options_;
  int fd_ = -1;
  int error_ = 0;
};

}  // namespace

int attribute_names(const Directory* at, const char* path, bool follow, std::string& names) {
  const AttributeFile file(at, path, follow);
  if (file.error() != 0) return file.error();
  return read_growing(names,
                      [&](char* buffer, std::size_t size) { return file.names(buffer, size); });
}

int attribute_value(const Directory* at, const char* path, bool follow, const char* name,
                    std::string& value) {
  const AttributeFile file(at, path, follow);
  if (file.error() != 0) return file.error();
  const int error = read_growing(
      value, [&](char* buffer, std::size_t size) { return file.value(name, buffer, size); });
  return error == ENOATTR ? ENODATA : error;
}

}  // namespace ffind::os::darwin
