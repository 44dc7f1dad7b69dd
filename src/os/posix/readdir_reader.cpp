// SPDX-License-Identifier: MIT
// The portable reader: readdir(3), packed into blocks so that another thread can go on with the
// directory while the names are looked at. Used by PosixFileSystem.
#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "os/posix/dirent_reader.h"
#include "os/posix/file_system.h"
#include "os/posix/retry.h"

namespace ffind::os {
namespace {

/// Longest name anyone hands out: macOS's dirent holds 1023 bytes.
constexpr std::size_t longest_record = 1056;

class ReaddirReader final : public DirentReader {
 public:
  int read(Directory& directory, DirentBlock& block) override {
    block.clear();
    if (directory.stream == nullptr) {
      const int error = open_stream(directory, block.room() < DirentBlock::capacity);
      if (error != 0) return error;
    }
    auto* const stream = static_cast<DIR*>(directory.stream);
    const std::size_t enough = std::min(block.room(), DirentBlock::capacity - longest_record);
    while (block.size() < enough) {
      const dirent* found = nullptr;
      uninterrupted([&] {
        errno = 0;
        found = ::readdir(stream);
        return found == nullptr && errno != 0 ? -1 : 0;
      });
      if (found == nullptr) {
        // What was read before the error is not lost, nor is the error: reading on may well
        // succeed, behind entries that macOS has lost (XNU moves the offset on whatever came of the
        // call).
        if (errno != 0 && !block.empty()) directory.error = errno;
        directory.at_end = errno == 0 && directory.error == 0;
        if (!block.empty()) return 0;
        return errno != 0 ? errno : directory.error;
      }
      block.append(found->d_name, found->d_ino, type_of_dirent(found->d_type));
    }
    return 0;
  }

  /// A stream of glibc's holds 32 KiB.
  void pause(Directory& directory) override {
    auto* const stream = static_cast<DIR*>(directory.stream);
    if (stream == nullptr || ::dirfd(stream) == directory.fd || directory.error != 0) return;
    ::lseek(directory.fd, ::telldir(stream), SEEK_SET);
    ::closedir(stream);
    directory.stream = nullptr;
  }

  void close(Directory& directory) override {
    auto* const stream = static_cast<DIR*>(directory.stream);
    const bool closes_both = stream != nullptr && ::dirfd(stream) == directory.fd;
    if (stream != nullptr) ::closedir(stream);
    if (directory.fd >= 0 && !closes_both) ::close(directory.fd);
    directory = Directory{};
  }

 private:
  /// With `to_be_paused` on a descriptor of its own, if the next stream can go on where it ended:
  /// other threads may use that of the directory meanwhile.
  static int open_stream(Directory& directory, bool to_be_paused) {
    int fd = directory.fd;
    if (to_be_paused && streams_tell_positions()) fd = ::fcntl(fd, F_DUPFD_CLOEXEC, 0);
    if (fd < 0) return errno;
    uninterrupted([&] {
      directory.stream = ::fdopendir(fd);
      return directory.stream == nullptr ? -1 : 0;
    });
    if (directory.stream != nullptr) return 0;
    const int error = errno;
    if (fd != directory.fd) ::close(fd);
    return error;
  }
};

}  // namespace

std::unique_ptr<DirentReader> make_readdir_reader() {
  return std::make_unique<ReaddirReader>();
}

}  // namespace ffind::os
