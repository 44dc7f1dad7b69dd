// SPDX-License-Identifier: MIT
// A mounted ext2, ext3 or ext4 volume seen through its device: where inodes lie, and what was read
// when. Shared by the readers of a search; made by probe.cpp. Knows layouts only
// through layout.h, and nothing of searching.
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
struct Trust {
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
  Volume(std::unique_ptr<Device> device, const Geometry& geometry, const Trust& trust,
         std::uint64_t device_number);

  const Device& device() const { return *device_; }
  const Geometry& geometry() const { return geometry_; }
  const Trust& trust() const { return trust_; }
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
  const Trust trust_;
  const std::uint64_t device_number_;
  /// First block of each group's inode table, 0 while nobody asked: on a volume of 16 TiB all of
  /// them would take 8 MiB to read.
  std::vector<std::atomic<std::uint64_t>> tables_;
  std::atomic<std::uint64_t> clock_{0};
  std::once_flag system_runs_loaded_;
  std::vector<Run> system_runs_;  ///< in order, apart from each other
};

}  // namespace ffind::os::ext
