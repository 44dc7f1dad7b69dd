// SPDX-License-Identifier: MIT
// Resolution of symbolic links one component at a time, without touching volumes that could block:
// RESOLVE_NO_XDEV gives EXDEV for all absolute links and for those that pass through another mount,
// and a plain open would trigger automounts or wait for dead servers.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "ffind/plan.h"

namespace ffind::os {

/// Id of the mount of an open file, as in the mount table, also where statx does not report it; 0
/// if it is unknown without /proc.
std::uint64_t mount_of(int fd);

/// True if two open files are on the same mount, or, if that is unknown, on the same device. With
/// `by_device`, an equal device is enough if statx does not report mounts: reading them in /proc
/// takes as long as listing a small directory.
bool share_mount(int one, int other, bool by_device);

/// Thread-safe.
class LinuxLinks {
 public:
  enum class Scope : std::uint8_t {
    volume,  ///< EXDEV for targets on another mount than the directory `at`
    local,   ///< EXDEV for targets on, or beyond, an automount or a network volume
  };

  /// Opens `path` relative to the open directory `at` with `flags`, following links in every
  /// component. Touches no volume that could block, other than that of `at`. 0 or an errno; ENOTSUP
  /// if the mount table is needed and missing.
  int open(int at, const char* path, int flags, Scope scope, int& fd);

  /// True if there is a volume that could block, other than the one numbered `home`.
  bool some_may_wait(std::uint64_t home);

  /// openat2(2) with those RESOLVE_ flags. False if the call does not exist.
  bool open_resolved(int at, const char* path, int flags, std::uint64_t resolve, int& fd,
                     int& error);

 private:
  class LinkWalk;
  class Mounts;
  using Table = std::shared_ptr<const Mounts>;

  Table table();
  Table fresh_table();

  std::atomic<bool> has_openat2_{true};
  std::mutex mutex_;  ///< guards what follows
  Table table_;
};

}  // namespace ffind::os
