// SPDX-License-Identifier: MIT
// Reader of ext4 directories from the block device of their volume, one for each worker: lists a
// directory by the number of its inode, without opening it, and reads the inodes of its entries.
// The rest of the program sees two functions of os/ext, both in probe.cpp: probe() (files.h) and
// device_directories() (directory_reader.h).
//
//     worker: open(directory), read(block), metadata(inode)
//       │
//       ▼
//     DirectoryReader of device_directories.cpp ──▶ the kernel, for directories that fail a check
//       │ begin(number), read(block), metadata(inode)
//       ▼
//     Reader ──▶ ReadCache, two ──▶ Volume, shared ──▶ Device: pread, in its page cache
//       │        (windows that      (inode tables,
//       │ bytes   this thread read)  clock of readings)
//       ▼
//     decoders of layout.h, pure:
//       Geometry ─▶ Inode ─▶ map: runs of blocks ─▶ directory blocks, hash tree ─▶ names
//
// The kernel keeps the directories and inodes of ext4 in the page cache of the device, so what is
// read there is current, changes that are not written yet included.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "os/ext/device_directories.h"
#include "os/ext/layout.h"

namespace ffind::os::ext {

/// An open device, or an image of one. Owns the descriptor; thread-safe.
class Device {
 public:
  explicit Device(int fd) : descriptor_(fd) {}

  /// Reads `size` bytes from `offset` on. False if there are fewer, or they cannot be read.
  bool read(std::uint64_t offset, std::size_t size, unsigned char* into) const;
  /// The same, but also false if the system would have to read from the disk.
  bool read_if_cached(std::uint64_t offset, std::size_t size, unsigned char* into) const;
  /// A hint to read that into the page cache soon.
  void fetch(std::uint64_t offset, std::uint64_t size) const;

 private:
  const Descriptor descriptor_;
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
  Instant changed_before{};
  /// Files that changed earlier have their sizes and blocks on the device.
  Instant written_before{};
  bool lazy_times = false;     ///< the mount keeps newer times in memory
  bool owners_differ = false;  ///< the mount maps the owners in inodes to others
};

/// A volume, its geometry and its groups. Thread-safe.
class Volume {
 public:
  Volume(std::unique_ptr<Device> device, const Geometry& geometry, const TrustLimits& limits,
         std::uint64_t device_number);

  const Device& device() const { return *device_; }
  const Geometry& geometry() const { return geometry_; }
  const TrustLimits& trust_limits() const { return trust_limits_; }
  std::uint64_t device_number() const { return device_number_; }  ///< as st_dev

  /// Byte on the device where an inode begins; 0 if there is no such inode.
  std::uint64_t position_of_inode(std::uint64_t number) const;

  /// True if all of these are on the volume, and none is its own: superblocks, descriptors,
  /// bitmaps, inode tables, the journal. (The kernel's ext4_inode_block_valid.)
  bool are_for_files(const std::vector<Run>& runs) const;

  /// Number of the `size` bytes from `begin` on that the volume has.
  std::size_t readable(std::uint64_t begin, std::size_t size) const;

  /// A clock that ticks at each reading: now() before a reading is less than its begin_reading(),
  /// which is at most now() after it.
  std::uint64_t begin_reading() { return clock_.fetch_add(1) + 1; }
  std::uint64_t now() const { return clock_.load(); }

 private:
  std::uint64_t position_of_inode(const Geometry& geometry, std::uint64_t number) const;
  void load_groups();
  bool add_journal();

  const std::unique_ptr<Device> device_;
  const Geometry geometry_;
  const TrustLimits trust_limits_;
  const std::uint64_t device_number_;
  std::vector<std::uint64_t> tables_;  ///< first block of each group's inode table, or 0
  std::atomic<std::uint64_t> clock_{0};
  std::vector<Run> system_runs_;  ///< sorted, neither overlapping nor adjacent
};

/// Cache of windows of the device: requests are mostly for neighbours, and a call costs as much as
/// copying some 8 KiB. While windows are of no use, as when directories are scattered over an aged
/// volume, only the requested unit is read. Used by one thread.
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

  Volume& volume_;
  const std::size_t unit_;
  const std::size_t window_size_;
  // Recent use of whole windows
  unsigned judged_ = 0;
  std::size_t uses_of_judged_ = 0;
  unsigned by_unit_ = 0;  ///< readings left that do without windows
  std::vector<Window> windows_;
  std::size_t latest_ = 0;  ///< index of the window chosen last, mostly also the next
  std::uint64_t count_of_uses_ = 0;
  std::uint64_t waits_ = 0;
};

/// Reads directories so that each listing was true at one moment of the search, although the kernel
/// writes meanwhile. This relies on the order in which ext4 writes (fs/ext4/namei.c of Linux):
///
///  - The directory's inode must have changed last before the search began, and is read again
///    unless it was read after the blocks. So nothing in the directory changed since then, its
///    number and those of its entries belonged to the same files all that time, and it does not
///    matter when during the search they were read. If the kernel listed it, because its parent did
///    change, nothing counts that was read before that. The ".." in its first block must be the
///    directory that listed it.
///  - Checksums reveal a block that was read while it was written, and one of another directory.
///    A block with a new entry gets its checksum only after the directory's inode has the new time.
///  - Entries move between blocks only when a block is split, and then only into one that was
///    appended just before. So the last of several blocks is read first: if it is whole, the
///    entries that moved into it are gone from the others. After the last reading the size must be
///    the same.
///
/// Everything is checked before the first entry is returned, so nothing has to be taken back. A
/// directory that fails is tried once more, then left to the kernel, and so is one that is too
/// large to be kept in memory.
class Reader final : public DeviceReader {
 public:
  /// `for_entries`: metadata of entries will be read, not only those of directories. `readers`:
  /// number opened for the volume so far, including this one; later ones get fewer windows.
  Reader(Volume& volume, bool for_entries, std::size_t readers);

  void expect(const std::vector<DirectoryHandle>& directories) override;
  bool begin(const DirectoryHandle& number, const DirectoryHandle* parent) override;
  void read(DirentBlock& block) override;
  Needs metadata(std::uint64_t inode, FileType type, Needs wanted, Metadata& metadata) override;

 private:
  enum class Outcome : std::uint8_t { read, torn, not_ours };

  Outcome try_begin(const DirectoryHandle& number, const DirectoryHandle* parent,
                    std::uint64_t since);
  bool find_inode(std::uint64_t number, std::uint64_t since, Inode& inode, ReadCache::Found& found);
  bool is_ours(const Inode& inode);
  bool find_runs(std::uint64_t limit);
  bool has_holes(std::uint64_t limit) const;
  Run last_block() const;
  bool is_acceptable(const Inode& inode);
  bool find_block(std::uint64_t since);
  bool read_blocks(std::size_t limit);
  bool read_run(const Run& run, unsigned char* into);
  bool has_sound_tree();
  bool take_hashes(std::size_t logical, Bytes block);
  bool has_twins();
  bool has_equal_names() const;
  Outcome check_blocks(const DirectoryHandle* parent);
  bool has_right_dots(Bytes first_block, const DirectoryHandle* parent) const;
  bool is_unchanged();
  bool is_cold();
  void fetch_blocks_ahead(const DirectoryHandle& number);

  Volume& volume_;
  const Geometry geometry_;
  ReadCache inodes_;
  ReadCache blocks_;
  Inode inode_;           ///< of the directory that was begun
  Inode inode_of_entry_;  ///< reused: clearing one takes as long as decoding it
  std::uint32_t seed_ = 0;
  std::uint64_t blocks_read_at_ = 0;  ///< the volume's clock when the reading of its block began

  bool map_has_nodes_ = false;
  MapPart map_;              ///< scratch
  std::vector<Run> claims_;  ///< scratch of is_acceptable()
  std::vector<Run> runs_;
  std::vector<unsigned char> buffer_;  ///< the blocks of the directory, if they are several

  std::vector<std::uint32_t> hashes_;  ///< of the names in `listing_`
  std::vector<std::uint32_t> table_;   ///< hash table, open addressing; 0 for a free slot

  std::vector<HashRange> tree_;    ///< of an indexed directory: branches still to be followed
  std::vector<HashRange> leaves_;  ///< by the number of the block; `is_leaf` is false for others
  std::vector<Bytes> listing_;     ///< the directory's blocks
  std::size_t block_ = 0;          ///< read() continues here, at `position_`
  std::size_t position_ = 0;

  // Fetching ahead
  std::vector<DirectoryHandle> expected_;
  std::size_t expected_next_ = 0;  ///< the blocks of those before have been fetched
  std::uint64_t waits_ = 0;        ///< readings that had to wait for the disk
  std::uint64_t waits_seen_ = 0;
  unsigned cold_for_ = 0;  ///< directories left for which the page cache counts as cold
};

}  // namespace ffind::os::ext
