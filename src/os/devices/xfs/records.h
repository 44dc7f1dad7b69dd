// SPDX-License-Identifier: MIT
// What one call of XFS_IOC_BULKSTAT returns, and what of it can be believed. Read by inodes.cpp;
// performs no call.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "ffind/entry.h"

namespace ffind::os::xfs {

/// As XFS allocates them (XFS_INODES_PER_CHUNK of its xfs_format.h).
inline constexpr std::uint32_t inodes_per_chunk = 64;

// The call's own structures, as in xfs_fs.h of Linux 5.3 and xfsprogs (struct xfs_bulkstat,
// xfs_bulk_ireq, xfs_bulkstat_req), which few machines have the header of.

struct BulkStat {
  std::uint64_t ino;
  std::uint64_t size;
  std::uint64_t blocks;  ///< of `blksize` bytes
  std::uint64_t xflags;
  std::int64_t atime;
  std::int64_t mtime;
  std::int64_t ctime;
  std::int64_t btime;
  std::uint32_t gen;
  std::uint32_t uid;
  std::uint32_t gid;
  std::uint32_t projectid;
  std::uint32_t atime_nsec;
  std::uint32_t mtime_nsec;
  std::uint32_t ctime_nsec;
  std::uint32_t btime_nsec;
  std::uint32_t blksize;
  std::uint32_t rdev;
  std::uint32_t cowextsize_blks;
  std::uint32_t extsize_blks;
  std::uint32_t nlink;
  std::uint32_t extents;
  std::uint32_t aextents;  ///< of extended attributes
  std::uint16_t version;
  std::uint16_t forkoff;
  std::uint16_t sick;
  std::uint16_t checked;
  std::uint16_t mode;
  std::uint16_t pad2;
  std::uint64_t extents64;
  std::array<std::uint64_t, 6> pad;
};
static_assert(sizeof(BulkStat) == 192 && offsetof(BulkStat, gen) == 64 &&
              offsetof(BulkStat, nlink) == 112 && offsetof(BulkStat, mode) == 132 &&
              offsetof(BulkStat, extents64) == 136);

struct BulkRequest {
  std::uint64_t ino;  ///< where to begin, and where the next call would go on
  std::uint32_t flags;
  std::uint32_t icount;  ///< at most so many
  std::uint32_t ocount;  ///< so many were returned
  std::uint32_t agno;
  std::array<std::uint64_t, 5> reserved;
};
static_assert(sizeof(BulkRequest) == 64 && offsetof(BulkRequest, reserved) == 24);

/// One call. Of `records` those are valid that the head counts.
struct BulkCall {
  BulkRequest head;
  std::array<BulkStat, inodes_per_chunk> records;
};
static_assert(offsetof(BulkCall, records) == sizeof(BulkRequest));

/// When records may be believed. Wall clock.
struct Trust {
  /// Inodes that changed at or after that moment are left to the kernel: their numbers may belong
  /// to something new.
  Nanoseconds changed_before = 0;
  /// A file changed before that moment has its size on the volume.
  Nanoseconds written_before = 0;
  bool owners_differ = false;  ///< what a stat returns for owners is not what inodes hold
};

/// What is kept of an inode: small, since thousands are.
class Record {
 public:
  /// In no use, or nothing is certain of it.
  Record() = default;
  Record(const BulkStat& from, const Trust& trust);

  FileType type() const;
  /// Bits of needs::metadata that a stat would return just so.
  Needs certain() const;
  /// Sets all but inode and device. What is not certain has some value.
  void fill(Metadata& metadata) const;

 private:
  std::uint64_t size_ = 0;
  std::uint64_t allocated_ = 0;
  Nanoseconds modified_ = 0;
  Nanoseconds changed_ = 0;
  Nanoseconds accessed_ = 0;
  Nanoseconds created_ = 0;
  std::uint32_t uid_ = 0;
  std::uint32_t gid_ = 0;
  std::uint32_t links_ = 0;
  std::uint16_t mode_ = 0;
  FileFlags flags_ = 0;
  std::uint8_t certain_ = 0;
};
static_assert(sizeof(Record) == 64);

}  // namespace ffind::os::xfs
