// SPDX-License-Identifier: MIT
// A mounted ext2, ext3 or ext4 volume seen through its device: where inodes lie, and what was read
// when. Shared by the readers of a search; made by probe.cpp. Knows layouts only
// through layout.h, and nothing of searching. What one thread read of the device lately: ReadCache,
// which knows no layout.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "os/ext/layout.h"

namespace ffind::os::ext {

/// An open device, or the image of one. Owns the descriptor.
class Device {
 public:
  explicit Device(int fd) : fd_(fd) {}
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  /// All of `size` bytes from `offset` on. False where there are fewer, or they cannot be read.
  bool read(std::uint64_t offset, std::size_t size, unsigned char* into) const;
  /// The same, but false as well when that would take the disk, as far as the system knows.
  bool read_if_cached(std::uint64_t offset, std::size_t size, unsigned char* into) const;
  /// Has the system read that soon, in one go. A hint.
  void fetch(std::uint64_t offset, std::size_t size) const;

 private:
  int fd_;
  mutable std::atomic<bool> can_refuse_{true};
};

/// Follows a map of `limit` blocks to its runs, which are replaced. `part` is room for one node.
/// False if it is damaged, or a node cannot be read.
bool follow_map(const Device& device, const Geometry& geometry, const Inode& inode,
                std::uint32_t seed, std::uint64_t limit, MapPart& part, std::vector<Run>& runs,
                bool& has_nodes);

/// When entries may be believed. All of it wall clock.
struct TrustLimits {
  /// Inodes that changed at or after that moment are left to the kernel: they may change
  /// still, or their numbers belong to something new.
  Nanoseconds changed_before = 0;
  /// A file changed before that moment has all its sizes and blocks on the device.
  Nanoseconds written_before = 0;
  bool lazy_times = false;     ///< times may be newer in memory than on the device
  bool owners_differ = false;  ///< the mount shows other owners than the inodes hold
};

/// Thread-safe.
class Volume {
 public:
  Volume(std::unique_ptr<Device> device, const Geometry& geometry, const TrustLimits& limits,
         std::uint64_t device_number);

  const Device& device() const { return *device_; }
  const Geometry& geometry() const { return geometry_; }
  const TrustLimits& trust_limits() const { return trust_limits_; }
  std::uint64_t device_number() const { return device_number_; }  ///< as st_dev

  /// Byte on the device where an inode begins; 0 where there is no such inode.
  std::uint64_t position_of_inode(std::uint64_t number);

  /// Whether all of these lie on the volume, and hold nothing that it keeps for itself:
  /// superblocks, descriptors, bitmaps, inode tables, the journal. (The kernel's
  /// ext4_inode_block_valid.)
  bool are_for_files(const std::vector<Run>& runs);

  /// How many of the `size` bytes from `begin` on the volume has.
  std::size_t readable(std::uint64_t begin, std::size_t size) const;

  /// A count that rises with each reading of inodes: `now` before a reading is less than what the
  /// reading gets, and what it gets is at most `now` after it.
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
  /// First block of each group's inode table, 0 while nobody asked: on a volume of 16 TiB all of
  /// them would take 8 MiB to read.
  std::vector<std::atomic<std::uint64_t>> tables_;
  std::atomic<std::uint64_t> clock_{0};
  std::once_flag system_runs_loaded_;
  std::vector<Run> system_runs_;  ///< in order, apart from each other
};

/// In windows of the device: what is asked for in turn lies mostly side by side, and a call costs
/// as much as copying some 8 KiB. While windows are of no use, as where directories lie scattered
/// over an aged volume, what is asked for is read by itself.
class ReadCache {
 public:
  /// `unit` is the least that is read. Sizes are powers of two, in bytes.
  ReadCache(Volume& volume, std::size_t unit, std::size_t window_size, std::size_t count);

  struct Found {
    Bytes bytes{};              ///< empty where they cannot be read; valid until the next call
    std::uint64_t read_at = 0;  ///< the volume's count when the reading began
  };
  /// `size` bytes, which cross no multiple of the unit, as they were at some time after the
  /// volume's count was `since`.
  Found find(std::uint64_t position, std::size_t size, std::uint64_t since);
  /// Readings that had to wait for the disk.
  std::uint64_t waits() const { return waits_; }

 private:
  struct Window {
    std::uint64_t begin = 0;  ///< byte on the device
    std::size_t size = 0;     ///< 0 while nothing is in it
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
  // How much use whole windows were lately
  unsigned judged_ = 0;
  std::size_t uses_of_judged_ = 0;
  unsigned by_unit_ = 0;  ///< so many readings do without
  std::vector<Window> windows_;
  std::size_t latest_ = 0;  ///< the window chosen last: mostly also the next
  std::vector<unsigned char> again_;
  std::uint64_t count_of_uses_ = 0;
  std::uint64_t waits_ = 0;
};

}  // namespace ffind::os::ext
