// SPDX-License-Identifier: MIT
// A volume whose inodes are read in bulk, without a kernel: counts what it is asked for, takes as
// much time as it is told, and fails on order. Used by the tests of this folder.
#pragma once

#include <algorithm>
#include <cerrno>
#include <map>
#include <mutex>
#include <vector>

#include "os/devices/xfs/inodes.h"

namespace ffind::os::xfs {

/// A file that has rested, of `size` bytes, each block of which is stored.
inline BulkStat settled_file(std::uint64_t inode, std::uint64_t size) {
  BulkStat stat{};
  stat.ino = inode;
  stat.mode = 0100644;
  stat.nlink = 1;
  stat.size = size;
  stat.blksize = 4096;
  stat.blocks = (size + 4095) / 4096;
  stat.ctime = stat.mtime = stat.atime = stat.btime = 1000;
  return stat;
}

/// By which what changed before second 2000 has rested, and what changed before 1500 was written.
inline Trust trust() {
  constexpr Nanoseconds second = 1'000'000'000;
  return {.changed_before = 2000 * second, .written_before = 1500 * second};
}

/// Must outlive what asks it.
class FakeVolume {
 public:
  std::map<std::uint64_t, BulkStat> inodes{};
  int error = 0;                      ///< of each reading
  Nanoseconds directory_changed = 0;  ///< of all directories
  Nanoseconds read_takes = 1000;      ///< of the processor's time
  Nanoseconds stat_takes = 400;

  std::vector<std::uint64_t> read_from{};
  std::size_t directories_asked = 0;

  void add(const BulkStat& stat) { inodes[stat.ino] = stat; }

 private:
  friend class FakeCalls;
  std::mutex mutex_;
  Nanoseconds now_ = 0;
};

class FakeCalls final : public Calls {
 public:
  explicit FakeCalls(FakeVolume& volume) : volume_(volume) {}

  int read(BulkCall& call) override {
    const std::lock_guard lock(volume_.mutex_);
    volume_.read_from.push_back(call.head.ino);
    volume_.now_ += volume_.read_takes;
    if (volume_.error != 0) return volume_.error;
    call.head.ocount = 0;
    for (auto inode = volume_.inodes.lower_bound(call.head.ino);
         inode != volume_.inodes.end() && call.head.ocount < call.head.icount; ++inode) {
      call.records[call.head.ocount++] = inode->second;
      call.head.ino = inode->first + 1;
    }
    return 0;
  }
  int changed(const Directory&, Nanoseconds& changed) override {
    const std::lock_guard lock(volume_.mutex_);
    ++volume_.directories_asked;
    changed = volume_.directory_changed;
    return 0;
  }
  Nanoseconds stat_takes() override { return volume_.stat_takes; }
  Nanoseconds running_time() override {
    const std::lock_guard lock(volume_.mutex_);
    return volume_.now_;
  }

 private:
  FakeVolume& volume_;
};

}  // namespace ffind::os::xfs
