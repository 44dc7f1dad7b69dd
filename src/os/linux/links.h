// SPDX-License-Identifier: MIT
// Where a symbolic link leads, found out step by step: RESOLVE_NO_XDEV answers EXDEV for absolute
// links and for those that pass through another mount, and opening plainly would fire automounts or
// wait for servers that are dead. Used by file_system.cpp only.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "ffind/volume.h"

namespace ffind::os {

/// The mount that an open file lies on; 0 if the kernel does not report it (before Linux 5.8).
std::uint64_t mount_of(int fd);

/// Thread-safe.
class LinuxLinks {
 public:
  enum class Scope : std::uint8_t {
    volume,  ///< EXDEV for what lies on another mount than the directory that the path is relative
             ///< to
    local,   ///< EXDEV for what lies on, or behind, an automount or a network volume
  };

  /// Opens `path`, relative to the open directory `at`, with `flags`; links are followed in every
  /// component. However the path leads, no volume is touched that could keep us waiting, but the
  /// one that `at` lies on. 0 or an errno; ENOTSUP where the mount table is missing and needed.
  int open(int at, const char* path, int flags, Scope scope, int& fd);

  /// Whether there is a volume, other than the one numbered `home`, that is not to be touched.
  bool some_may_wait(std::uint64_t home);

  /// As openat2(2), which refuses what `resolve` says. False when there is no such call.
  bool open_resolved(int at, const char* path, int flags, std::uint64_t resolve, int& fd,
                     int& error);

 private:
  class Way;
  using Table = std::shared_ptr<const MountTable>;

  Table table();
  Table fresh_table();

  std::atomic<bool> has_openat2_{true};
  std::mutex mutex_;  ///< guards what follows
  Table table_;
};

}  // namespace ffind::os
