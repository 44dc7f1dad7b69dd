// SPDX-License-Identifier: MIT
// One thread's reading of an ext2, ext3 or ext4 volume: directories by the numbers of their inodes,
// and the inodes of their entries. Made by linux_ext_catalog.cpp for search's workers; knows the
// device through ext_volume.h and layouts through ext_format.h.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "os/directory_catalog.h"
#include "os/ext_format.h"
#include "os/ext_volume.h"

namespace ffind::os::ext {

/// Inodes as they were read from the device, some windows of its inode tables.
class InodeWindows {
 public:
  explicit InodeWindows(Volume& volume);

  /// The bytes of an inode as they were at some time after the volume's count was `since`; empty
  /// where they cannot be read. Valid until the next call.
  Bytes find(std::uint64_t number, std::uint64_t since);
  /// Readings that had to wait for the disk.
  std::uint64_t waits() const { return waits_; }

 private:
  struct Window {
    std::uint64_t begin = 0;  ///< byte on the device
    std::size_t size = 0;     ///< 0 while unused
    std::uint64_t read_at = 0;
    std::uint64_t last_use = 0;
    std::unique_ptr<unsigned char[]> bytes{};
  };

  bool load(Window& window, std::uint64_t begin, std::size_t size);

  Volume& volume_;
  const std::size_t window_size_;
  std::array<Window, 4> windows_{};
  std::vector<unsigned char> again_;
  std::uint64_t uses_ = 0;
  std::uint64_t waits_ = 0;
};

/// How a directory is read, so that what it shows was true at one moment (ext4's own order of
/// writing, fs/ext4/namei.c, is what this rests on):
///
///  - its inode is read after it was listed, and must have changed last before the search began:
///    so it is the directory that was listed, not a later one with the same number. The ".." in its
///    first block must name the directory that listed it;
///  - where the volume has checksums, they tell a block that was read while it was written, and one
///    that belongs to another directory. Where it has none, everything is read twice until two
///    readings agree;
///  - entries move between blocks only when a block is split, and then only into one that was
///    appended just before. So the last block is read first: when it is whole, what moved into it
///    is gone from the others. After the last reading the size must be what it was.
///
/// What fails any of that is tried once more, then left to the kernel.
class Reader final : public DirectoryReader {
 public:
  explicit Reader(Volume& volume);

  void expect(const std::vector<DirectoryNumber>& directories) override;
  bool begin(const DirectoryNumber& number, const DirectoryNumber* parent) override;
  void read(DirentBlock& block) override;
  Needs metadata(std::uint64_t inode, FileType type, Needs wanted, Metadata& metadata) override;

 private:
  enum class Outcome : std::uint8_t { read, torn, not_ours };

  Outcome try_begin(const DirectoryNumber& number, const DirectoryNumber* parent,
                    std::uint64_t since);
  bool is_ours(const Inode& inode) const;
  Outcome begin_inline(Bytes bytes, const DirectoryNumber* parent);
  bool find_runs(std::uint64_t number, std::uint64_t limit);
  bool read_blocks(std::uint64_t limit);
  bool read_blocks_again();
  bool read_run(const Run& run, unsigned char* into);
  Outcome check_blocks(const DirectoryNumber& number, const DirectoryNumber* parent);
  bool is_unchanged(std::uint64_t number) const;
  void fetch_blocks_ahead(const DirectoryNumber& number);
  bool is_cold() const { return waits_ + inodes_.waits() > warm_until_; }

  Volume& volume_;
  const Geometry& geometry_;
  InodeWindows inodes_;
  Inode inode_;  ///< of the directory that was begun
  std::uint32_t seed_ = 0;
  std::uint64_t read_at_ = 0;  ///< the volume's count when it had been read

  std::vector<Run> runs_;
  std::vector<unsigned char> buffer_;  ///< its blocks, each where it is in the directory
  std::vector<unsigned char> spare_;
  std::vector<Bytes> parts_;  ///< what lies in the buffer, in pieces that entries do not cross
  std::size_t part_ = 0;      ///< where `read` goes on
  std::size_t position_ = 0;

  std::vector<DirectoryNumber> expected_;
  std::size_t expected_next_ = 0;  ///< those before have their blocks fetched
  std::uint64_t waits_ = 0;        ///< readings of blocks that had to wait for the disk
  std::uint64_t warm_until_ = 0;
};

}  // namespace ffind::os::ext
