// SPDX-License-Identifier: MIT
// One thread's reading of an ext2, ext3 or ext4 volume: directories by the numbers of their inodes,
// and the inodes of their entries. Made by probe.cpp; knows the device through volume.h, layouts
// through layout.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string_view>
#include <vector>

#include "os/ext/device_directories.h"
#include "os/ext/layout.h"
#include "os/ext/volume.h"

namespace ffind::os::ext {

/// How a directory is read, so that what it shows was true at one moment of the search. This rests
/// on the order in which ext4 writes (fs/ext4/namei.c of Linux):
///
///  - an inode must have changed last before the search began, and is read once more unless it was
///    read after the blocks. So nothing in the directory changed since the search began until then,
///    its number and those of its entries belonged to the same files all that time, and it does not
///    matter when during the search anything was read of them. Of what the kernel listed, because
///    the directory around it did change, nothing counts that was read before. The ".." in its
///    first block must name the directory that listed it;
///  - where the volume has checksums, they tell a block that was read while it was written, and one
///    that belongs to another directory; and a block with a new entry gets its own only after the
///    directory's inode has the new time. Where it has none, everything is read twice until two
///    readings agree, and nothing counts that was read before the directory was listed;
///  - entries move between blocks only when a block is split, and then only into one that was
///    appended just before. So of several blocks the last is read first: when it is whole, what
///    moved into it is gone from the others. After the last reading the size must be what it was.
///
/// What fails any of that is tried once more, then left to the kernel. Of a directory that is too
/// large to be held, the last block is read and checked first as well; then each chunk is handed
/// out once the inode has been found unchanged after its reading. If it has changed, the kernel is
/// asked for all that was not handed out.
class Reader final : public DeviceReader {
 public:
  /// `for_entries`: their inodes will be asked for, not only the directories'. `readers`: how many
  /// were opened for the volume, including this one (at least 1); later ones get fewer windows.
  Reader(Volume& volume, bool for_entries, std::size_t readers);

  void expect(const std::vector<DirectoryNumber>& directories) override;
  bool begin(const DirectoryNumber& number, const DirectoryNumber* parent) override;
  void read(DirentBlock& block) override;
  int error() const override { return error_; }
  bool has_seen(std::string_view name) override;
  Needs metadata(std::uint64_t inode, FileType type, Needs wanted, Metadata& metadata) override;

 private:
  enum class Outcome : std::uint8_t { read, torn, not_ours };

  Outcome try_begin(const DirectoryNumber& number, const DirectoryNumber* parent,
                    std::uint64_t since);
  bool find_inode(std::uint64_t number, std::uint64_t since, Inode& inode, ReadCache::Found& found);
  bool is_ours(const Inode& inode);
  Outcome begin_inline(Bytes bytes, const DirectoryNumber* parent);
  bool find_runs(std::uint64_t limit);
  bool has_holes(std::uint64_t limit) const;
  bool is_acceptable(const Inode& inode);
  bool find_block(std::uint64_t since);
  bool read_blocks(std::uint64_t limit);
  bool read_blocks_again();
  bool read_run(const Run& run, unsigned char* into);
  bool has_sound_tree(Bytes root);
  bool read_block(std::uint64_t logical, std::vector<unsigned char>& into);
  bool take_hashes(std::uint64_t logical, Bytes block);
  bool has_twins();
  bool has_equal_names() const;
  Outcome check_blocks(const DirectoryNumber* parent);
  bool has_right_dots(Bytes first_block, const DirectoryNumber* parent) const;
  bool is_unchanged();
  Outcome begin_chunks(const DirectoryNumber* parent);
  bool read_chunk();
  bool has_twins_in_chunks();
  bool read_next_runs();
  void note_seen(DirentBlock& block);
  bool is_cold();
  void fetch_blocks_ahead(const DirectoryNumber& number);

  Volume& volume_;
  const Geometry geometry_;
  ReadCache inodes_;
  ReadCache blocks_;
  std::uint64_t number_ = 0;  ///< of the directory that was begun
  Inode inode_;
  Inode inode_of_entry_;  ///< reused: clearing one takes as long as decoding it
  std::uint32_t seed_ = 0;
  std::uint64_t blocks_read_at_ = 0;  ///< the volume's count when the reading of its blocks began
  std::uint64_t read_at_ = 0;         ///< the same when it had been read

  bool map_has_nodes_ = false;
  MapPart map_;              ///< kept for its memory
  std::vector<Run> claims_;  ///< of the inode that is checked; kept for its memory
  std::vector<Run> runs_;
  std::vector<unsigned char> buffer_;  ///< several blocks, each where it is in the directory
  std::vector<unsigned char> spare_;

  std::vector<std::uint32_t> hashes_;  ///< of the names in `parts_`
  std::vector<std::uint32_t> table_;   ///< open addressing; 0 for a free slot

  // Of an indexed directory
  NameHash hash_;
  std::vector<HashRange> tree_;    ///< branches that are yet to be followed, then the leaves
  std::vector<HashRange> leaves_;  ///< by the number of the block; not a leaf for the others
  std::vector<Bytes> parts_;       ///< what was read, in spans that no entry crosses
  std::size_t part_ = 0;           ///< where `read` goes on
  std::size_t position_ = 0;

  // Of a directory that is read in chunks
  bool in_chunks_ = false;
  std::size_t run_ = 0;  ///< where the next one begins
  std::uint64_t block_of_run_ = 0;
  std::deque<std::uint64_t> seen_;  ///< hashes of the names that were handed out
  bool seen_is_sorted_ = false;
  int error_ = 0;

  // Ahead of need
  std::vector<DirectoryNumber> expected_;
  std::size_t expected_next_ = 0;  ///< those before have their blocks fetched
  std::uint64_t waits_ = 0;        ///< readings that had to wait for the disk
  std::uint64_t waits_seen_ = 0;
  unsigned cold_for_ = 0;  ///< directories for which the cache is taken to be cold still
};

}  // namespace ffind::os::ext
