// SPDX-License-Identifier: MIT
// A mounted ext2, ext3 or ext4 volume as its device shows it.
//
//     Device       descriptor of the block device; reads through its page cache
//     Volume       shared by all readers of a search: finds inodes, knows the blocks that no
//                  file may claim, and counts readings, so that "read after" can be compared
//     TrustLimits  the inodes of the volume that may be newer in memory than on the device
//     ReadCache    windows of the device that one thread has read; knows no layout
//
// probe.cpp makes the Volume; each Reader has two ReadCaches of its own, for inodes and for blocks.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "os/ext/layout.h"

namespace ffind::os::ext {

/// An open device, or an image of one. Owns the descriptor; thread-safe.
class Device {
 public:
  explicit Device(int fd) : fd_(fd) {}
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  /// Reads `size` bytes from `offset` on. False if there are fewer, or they cannot be read.
  bool read(std::uint64_t offset, std::size_t size, unsigned char* into) const;
  /// The same, but also false if the system would have to read from the disk.
  bool read_if_cached(std::uint64_t offset, std::size_t size, unsigned char* into) const;
  /// A hint to read that into the page cache soon.
  void fetch(std::uint64_t offset, std::size_t size) const;

 private:
  int fd_;
  mutable std::atomic<bool> can_refuse_{true};
};

/// Follows a map of `limit` blocks, and replaces `runs` by its runs. `part` is scratch space for
/// one node. False if the map is empty or damaged, or a node cannot be read.
bool follow_map(const Device& device, const Geometry& geometry, const Inode& inode,
                std::uint32_t seed, std::uint64_t limit, MapPart& part, std::vector<Run>& runs,
                bool& has_nodes);

/// Limits of what an inode on the device proves. Times are wall clock.
struct TrustLimits {
  /// Inodes that changed at this time or later are left to the kernel: they may still change, or
  /// their numbers may belong to new files.
  Nanoseconds changed_before = 0;
  /// Files that changed earlier have their sizes and blocks on the device.
  Nanoseconds written_before = 0;
  bool lazy_times = false;     ///< the mount keeps newer times in memory
  bool owners_differ = false;  ///< the mount maps the owners in inodes to others
};

/// A volume and its geometry. Thread-safe.
class Volume {
 public:
  Volume(std::unique_ptr<Device> device, const Geometry& geometry, const TrustLimits& limits,
         std::uint64_t device_number);

  const Device& device() const { return *device_; }
  const Geometry& geometry() const { return geometry_; }
  const TrustLimits& trust_limits() const { return trust_limits_; }
  std::uint64_t device_number() const { return device_number_; }  ///< as st_dev

  /// Byte on the device where an inode begins; 0 if there is no such inode.
  std::uint64_t position_of_inode(std::uint64_t number);

  /// True if all of these are on the volume, and none is its own: superblocks, descriptors,
  /// bitmaps, inode tables, the journal. (The kernel's ext4_inode_block_valid.)
  bool are_for_files(const std::vector<Run>& runs);

  /// Number of the `size` bytes from `begin` on that the volume has.
  std::size_t readable(std::uint64_t begin, std::size_t size) const;

  /// A clock that ticks at each reading: now() before a reading is less than its begin_reading(),
  /// which is at most now() after it.
  std::uint64_t begin_reading() { return clock_.fetch_add(1) + 1; }
  std::uint64_t now() const { return clock_.load(); }

 private:
  std::uint64_t load_table(std::uint32_t group);
  void load_system_runs();
  bool add_journal();

  const std::unique_ptr<Device> device_;
  const Geometry geometry_;
  const TrustLimits trust_limits_;
  const std::uint64_t device_number_;
  /// First block of each group's inode table; 0 until it is needed: on a volume of 16 TiB all of
  /// them would take 8 MiB to read.
  std::vector<std::atomic<std::uint64_t>> tables_;
  std::atomic<std::uint64_t> clock_{0};
  std::once_flag system_runs_loaded_;
  std::vector<Run> system_runs_;  ///< sorted, neither overlapping nor adjacent
};

/// Cache of windows of the device. Successive requests are mostly for neighbours, and a call costs
/// as much as copying some 8 KiB. While windows are of no use, as when directories are scattered
/// over an aged volume, only the requested unit is read. Used by one thread.
class ReadCache {
 public:
  /// `unit`: the least that is read. `count`: number of windows. Sizes are powers of two, in bytes.
  ReadCache(Volume& volume, std::size_t unit, std::size_t window_size, std::size_t count);

  struct Found {
    Bytes bytes{};              ///< empty if they cannot be read; valid until the next call
    std::uint64_t read_at = 0;  ///< the volume's clock when the reading began
  };
  /// Returns `size` bytes, which cross no multiple of the unit, as they were after the volume's
  /// clock was `since`: an older window is read again.
  Found find(std::uint64_t position, std::size_t size, std::uint64_t since);
  /// Number of readings that had to wait for the disk.
  std::uint64_t waits() const { return waits_; }

 private:
  struct Window {
    std::uint64_t begin = 0;  ///< byte on the device
    std::size_t size = 0;     ///< 0 if empty
    std::uint64_t read_at = 0;
    std::uint64_t last_use = 0;
    std::size_t uses = 0;
    std::unique_ptr<unsigned char[]> bytes{};

    bool holds(std::uint64_t position, std::size_t count) const {
      return begin <= position && position + count <= begin + size;
    }
  };

  Window& choose_window(std::uint64_t position, std::size_t size);
  std::size_t size_of_next(const Window& last);
  bool load(Window& window, std::uint64_t begin, std::size_t wanted);
  bool agrees_with_another_reading(Window& window, std::size_t size);

  Volume& volume_;
  const std::size_t unit_;
  const std::size_t window_size_;
  // Recent use of whole windows
  unsigned judged_ = 0;
  std::size_t uses_of_judged_ = 0;
  unsigned by_unit_ = 0;  ///< readings left that do without windows
  std::vector<Window> windows_;
  std::size_t latest_ = 0;  ///< index of the window chosen last, mostly also the next
  std::vector<unsigned char> again_;
  std::uint64_t count_of_uses_ = 0;
  std::uint64_t waits_ = 0;
};

}  // namespace ffind::os::ext
