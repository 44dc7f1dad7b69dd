// SPDX-License-Identifier: MIT
// The portable reader: readdir(3), packed into blocks so that another thread can go on with the
// directory while the names are looked at. Used by PosixFileSystem.
#include <dirent.h>
#include <unistd.h>

#include <cerrno>

#include "os/posix/dirent_reader.h"
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
      uninterrupted([&] {
        directory.stream = ::fdopendir(directory.fd);
        return directory.stream == nullptr ? -1 : 0;
      });
      if (directory.stream == nullptr) return errno;
    }
    auto* const stream = static_cast<DIR*>(directory.stream);
    while (block.size() + longest_record < DirentBlock::capacity) {
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

  void close(Directory& directory) override {
    if (directory.stream != nullptr) {
      ::closedir(static_cast<DIR*>(directory.stream));
    } else if (directory.fd >= 0) {
      ::close(directory.fd);
    }
    directory = Directory{};
  }
};

}  // namespace

std::unique_ptr<DirentReader> make_readdir_reader() {
  return std::make_unique<ReaddirReader>();
}

}  // namespace ffind::os
