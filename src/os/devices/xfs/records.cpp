// SPDX-License-Identifier: MIT
// Which numbers of a record are those that stat returns. See records.h.
#include "os/devices/xfs/records.h"

#include <sys/stat.h>
#include <algorithm>

#include "os/dirent_block.h"
#include "os/formats/nanoseconds.h"
#include "os/os.h"

namespace ffind::os::xfs {
namespace {

// FS_XFLAG_IMMUTABLE and FS_XFLAG_APPEND of linux/fs.h.
constexpr std::uint64_t immutable = 0x8;
constexpr std::uint64_t append_only = 0x10;

// Bits of Record::certain_.
constexpr std::uint8_t all = 1;
constexpr std::uint8_t sizes = 2;
constexpr std::uint8_t owners = 4;
constexpr std::uint8_t creation = 8;

/// Whether sizes are those of stat. The record has the size on the volume (i_disk_size), which is
/// behind that in memory until what was appended is written. Blocks for it are reserved as soon as
/// it is in memory: with more blocks than its size takes, a file is left to the kernel, whatever
/// its times say.
bool has_sizes(const BulkStat& from, Nanoseconds changed, const Trust& trust) {
  if (type_of_mode(from.mode) != FileType::file) {
    // Of what lies in the inode itself, blocks of attributes are not counted.
    return from.blocks != 0 || from.aextents == 0;
  }
  if (changed >= trust.written_before || from.blksize == 0) return false;
  const std::uint64_t needed = from.size / from.blksize + (from.size % from.blksize != 0 ? 1 : 0);
  return from.blocks <= needed;
}

}  // namespace

/// All but sizes is read from the inode in memory, under its lock: there the times are those that
/// stat returns, with any mount option.
Record::Record(const BulkStat& from, const Trust& trust)
    : size_(from.size),
      allocated_(from.blocks * from.blksize),
      modified_(nanoseconds(from.mtime, from.mtime_nsec)),
      changed_(nanoseconds(from.ctime, from.ctime_nsec)),
      accessed_(nanoseconds(from.atime, from.atime_nsec)),
      created_(nanoseconds(from.btime, from.btime_nsec)),
      uid_(from.uid),
      gid_(from.gid),
      links_(from.nlink),
      mode_(from.mode) {
  if (changed_ >= trust.changed_before) return;
  certain_ = all;
  if (has_sizes(from, changed_, trust)) certain_ |= sizes;
  if (!trust.owners_differ) certain_ |= owners;
  // Volumes without checksums do not keep it.
  if (created_ != 0) certain_ |= creation;
  if ((from.xflags & immutable) != 0) flags_ |= file_flags::immutable;
  if ((from.xflags & append_only) != 0) flags_ |= file_flags::append_only;
}

FileType Record::type() const {
  return type_of_mode(mode_);
}

Needs Record::certain() const {
  if ((certain_ & all) == 0) return needs::none;
  Needs certain = needs::type | needs::mode | needs::links | needs::identity | needs::modified |
                  needs::changed | needs::accessed | needs::flags;
  if ((certain_ & sizes) != 0) certain |= needs::size;
  if ((certain_ & owners) != 0) certain |= needs::owner;
  if ((certain_ & creation) != 0) certain |= needs::created;
  return certain;
}

void Record::fill(Metadata& metadata) const {
  metadata.size = size_;
  metadata.allocated = allocated_;
  metadata.modified = modified_;
  metadata.changed = changed_;
  metadata.accessed = accessed_;
  metadata.created = created_;
  metadata.mode = mode_;
  metadata.uid = uid_;
  metadata.gid = gid_;
  metadata.links = links_;
  metadata.flags = flags_;
}

}  // namespace ffind::os::xfs
