// SPDX-License-Identifier: MIT
// Inodes of ext4: metadata as stat(2) returns them (Linux's ext4_iget and ext4_getattr), checksums,
// and the map from a file's blocks to the device's, a tree of extents. Its root is in i_block, 60
// bytes; other nodes have a block each:
//
//     leaf         header | (first block, count, block on the device)...
//     inner node   header | (first block, block of the node below)...
//
// The checks of __ext4_iget (Linux 6.18) are done here, in the functions on the right. An inode
// that fails one is left to the kernel, and so is one that versions of the kernel treat
// differently.
//
//     number out of range, reserved, of quotas or orphans    locate_inode, superblock.cpp
//     table outside the volume                               inode_table_of, superblock.cpp
//     i_extra_isize beyond the inode, or no multiple of 4    decode_inode
//     checksum                                               decode_inode
//     size below 0, or more than can be mapped               decode_size, has_possible_size
//     no links (ESTALE), no known type                       Inode::deleted
//     names and values of attributes in the inode            are_attributes_sound
//     hash tree without the feature                          has_fitting_flags
//     casefold flag without the feature                      has_fitting_flags
//     inode of an attribute's value                          has_fitting_flags
//     link that is immutable or append-only                  is_link_sound
//     link in the inode, shorter or longer than its size     is_link_sound
//     blocks without extents, data in the inode              has_readable_map
//     root of extents                                        claims_of
//     block of attributes, and those blocks, on the volume   Volume::are_for_files
//     ... and none that the volume keeps for itself          Volume::are_for_files
//
// For directories, Reader::is_ours also checks encryption and flags of later versions, and
// device_directories.cpp that none contains itself or an ancestor (ext4_lookup, d_splice_alias).
#include <ext2fs/ext2_fs.h>
#include <ext2fs/ext3_extents.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>

#include "os/ext/crc32c.h"
#include "os/ext/layout.h"
#include "os/formats/endian.h"

// After ext2_fs.h, whose types it uses.
#include <ext2fs/ext2_ext_attr.h>

namespace ffind::os::ext {

namespace {

using OnDisk = ext2_inode_large;

constexpr std::size_t small_inode = EXT2_GOOD_OLD_INODE_SIZE;
constexpr std::size_t usual_inode = 256;
constexpr std::size_t checksum_low_at = offsetof(OnDisk, osd2.linux2.l_i_checksum_lo);
constexpr std::size_t checksum_high_at = offsetof(OnDisk, i_checksum_hi);

/// End of the fields that this inode has: i_extra_isize bytes after the first 128.
std::size_t end_of_fields(Bytes bytes) {
  if (bytes.size() <= small_inode) return small_inode;
  return small_inode + le16(bytes.data() + offsetof(OnDisk, i_extra_isize));
}

/// The checksum covers the whole inode, with zeros in place of itself. The zeros go into a copy of
/// the usual 256 bytes, so that one call checks them and is long enough for the three streams of
/// crc32c.cpp: checking them in parts took nearly twice as long.
bool has_right_checksum(Bytes bytes, std::uint32_t seed) {
  std::array<unsigned char, usual_inode> copy;
  const Bytes first = bytes.first(std::min(bytes.size(), copy.size()));
  std::copy(first.begin(), first.end(), copy.begin());
  const auto take_half = [&](std::size_t at) {
    const std::uint32_t half = le16(copy.data() + at);
    copy[at] = copy[at + 1] = 0;
    return half;
  };
  const bool has_high = end_of_fields(bytes) >= checksum_high_at + 2;
  std::uint32_t stored = take_half(checksum_low_at);
  if (has_high) stored |= take_half(checksum_high_at) << 16U;
  std::uint32_t crc = crc32c(seed, Bytes(copy).first(first.size()));
  crc = crc32c(crc, bytes.subspan(first.size()));
  return (has_high ? crc : crc & 0xFFFFU) == stored;
}

/// Seconds are signed and have 32 bits; an extra field adds two bits above them, and nanoseconds.
/// So a large inode reaches from 1901 to 2446.
Instant time_of(Bytes bytes, std::size_t seconds_at, std::size_t extra_at, std::size_t end) {
  std::int64_t seconds = static_cast<std::int32_t>(le32(bytes.data() + seconds_at));
  if (extra_at + 4 > end) return instant(seconds, 0);
  const std::uint32_t extra = le32(bytes.data() + extra_at);
  seconds += std::int64_t{extra & std::uint32_t{EXT4_EPOCH_MASK}} << 32U;
  return instant(seconds, extra >> EXT4_EPOCH_BITS);
}

/// End of the times. In a large inode that was never used as one, Linux reads all fields that it
/// knows, whatever their bytes are.
std::size_t end_of_times(Bytes bytes) {
  const std::size_t end = end_of_fields(bytes);
  return end == small_inode && bytes.size() > small_inode ? sizeof(OnDisk) : end;
}

/// False for a second or more of nanoseconds, which no kernel writes: Linux 6.18 shows a time of
/// change that has them as one of the next second.
bool are_times_sound(Bytes bytes) {
  const std::size_t end = end_of_times(bytes);
  for (const std::size_t at : {offsetof(OnDisk, i_mtime_extra), offsetof(OnDisk, i_ctime_extra),
                               offsetof(OnDisk, i_atime_extra), offsetof(OnDisk, i_crtime_extra)}) {
    if (at + 4 <= end && le32(bytes.data() + at) >> EXT4_EPOCH_BITS >= 1'000'000'000) return false;
  }
  return true;
}

/// The birth time exists in large inodes only.
void decode_times(Bytes bytes, Inode& inode) {
  const std::size_t end = end_of_times(bytes);
  const auto time = [&](std::size_t at, std::size_t extra) {
    return time_of(bytes, at, extra, end);
  };
  Metadata& metadata = inode.metadata;
  metadata.modified = time(offsetof(OnDisk, i_mtime), offsetof(OnDisk, i_mtime_extra));
  metadata.changed = time(offsetof(OnDisk, i_ctime), offsetof(OnDisk, i_ctime_extra));
  metadata.accessed = time(offsetof(OnDisk, i_atime), offsetof(OnDisk, i_atime_extra));
  inode.known |= needs::modified | needs::changed | needs::accessed;
  if (offsetof(OnDisk, i_crtime) + 4 > end) return;
  metadata.created = time(offsetof(OnDisk, i_crtime), offsetof(OnDisk, i_crtime_extra));
  inode.known |= needs::created;
}

/// The flags as ext4's statx reports them. A mount may map all files without a page cache (dax),
/// which no inode tells; no device that is read here can do that.
FileFlags flags_of(std::uint32_t ext) {
  constexpr FlagRow rows[] = {
      {EXT2_IMMUTABLE_FL, file_flags::schg},    {EXT2_APPEND_FL, file_flags::sappnd},
      {EXT2_NODUMP_FL, file_flags::nodump},     {EXT2_COMPR_FL, file_flags::compressed},
      {EXT4_ENCRYPT_FL, file_flags::encrypted}, {EXT4_VERITY_FL, file_flags::verity}};
  return flags_by(rows, ext);
}

/// False if the size is negative.
bool decode_size(const Geometry& geometry, Bytes bytes, FileType type, Inode& inode) {
  Metadata& metadata = inode.metadata;
  metadata.size = le32(bytes.data() + offsetof(OnDisk, i_size));
  // In other inodes the field has another meaning, or none.
  if (type == FileType::file) {
    metadata.size |= std::uint64_t{le32(bytes.data() + offsetof(OnDisk, i_size_high))} << 32U;
  }
  std::uint64_t sectors = le16(bytes.data() + offsetof(OnDisk, osd2.linux2.l_i_blocks_hi));
  sectors = sectors << 32U | le32(bytes.data() + offsetof(OnDisk, i_blocks));
  if ((inode.flags & EXT4_HUGE_FILE_FL) != 0) sectors *= geometry.block_size / 512;
  metadata.allocated = sectors * 512;
  // For an encrypted link the kernel reports the length of the decrypted text.
  if (type != FileType::symlink || !inode.is_encrypted()) inode.known |= needs::size;
  return metadata.size >> 63U == 0;
}

/// False for flags that need a feature that the volume lacks, and for the inode of an attribute's
/// value, which no name leads to.
bool has_fitting_flags(const Geometry& geometry, const Inode& inode) {
  if ((inode.flags & EXT4_EA_INODE_FL) != 0) return false;
  if ((inode.flags & EXT4_CASEFOLD_FL) != 0 && !geometry.casefold) return false;
  return !inode.is_indexed() || geometry.directory_index;
}

/// Checks one attribute in an inode. `values` begin where the first entry does.
bool is_attribute_sound(const Geometry& geometry, const unsigned char* entry, Bytes values) {
  using Entry = ext2_ext_attr_entry;
  const std::size_t offset = le16(entry + offsetof(Entry, e_value_offs));
  const std::size_t size = le32(entry + offsetof(Entry, e_value_size));
  const unsigned char* const name = entry + sizeof(Entry);
  if (std::find(name, name + entry[0], 0) != name + entry[0]) return false;
  if (le32(entry + offsetof(Entry, e_value_inum)) != 0) return geometry.value_inodes;
  if (size == 0) return true;
  const auto after_entry = static_cast<std::size_t>(entry - values.data()) + 4;
  return offset <= values.size() && offset >= after_entry && size <= values.size() - offset &&
         ((size + 3) & ~std::size_t{3}) <= values.size() - offset;
}

/// Walks the attributes in an inode, as the kernel does before it uses any of them.
bool are_attributes_sound(const Geometry& geometry, Bytes bytes) {
  const std::size_t header = end_of_fields(bytes);
  if (header == small_inode || header + 4 > bytes.size()) return true;
  if (le32(bytes.data() + header) != EXT2_EXT_ATTR_MAGIC) return true;
  const Bytes all = bytes.subspan(header + 4);
  std::size_t at = 0;
  while (true) {
    if (at + 4 > all.size()) return false;
    if (le32(all.data() + at) == 0) return true;
    const std::size_t length = (sizeof(ext2_ext_attr_entry) + all[at] + 3) & ~std::size_t{3};
    if (length + 4 > all.size() - at) return false;
    if (!is_attribute_sound(geometry, all.data() + at, all)) return false;
    at += length;
  }
}

/// The target of a short link is in the map, up to a NUL. Versions of the kernel recognise short
/// links in two ways, by size and by blocks; both have to agree.
bool is_link_sound(const Geometry& geometry, const Inode& inode) {
  const Metadata& metadata = inode.metadata;
  if ((metadata.flags & file_flags::locks) != 0 || inode.is_encrypted()) return false;
  if (metadata.size >= inode.map.size()) return metadata.allocated != 0;
  const std::uint64_t attributes = inode.attribute_block != 0 ? geometry.block_size : 0;
  const auto end = std::find(inode.map.begin(), inode.map.end(), 0);
  return metadata.size != 0 && metadata.allocated == attributes &&
         static_cast<std::uint64_t>(end - inode.map.begin()) == metadata.size;
}

/// True if the size is within what extents can map; without them, within what a block map of any
/// volume can. (Since Linux 6.18; earlier kernels refuse negative sizes only.)
bool has_possible_size(const Geometry& geometry, const Inode& inode) {
  constexpr std::uint32_t most_in_block_map = 1U << 24U;
  return inode.metadata.size / geometry.block_size <
         (inode.has_extents() ? std::numeric_limits<std::uint32_t>::max() : most_in_block_map);
}

/// True if i_block leads to blocks. Fifos, sockets, devices and short links use it otherwise.
bool has_blocks(const Inode& inode, FileType type) {
  const bool long_link = type == FileType::symlink && inode.metadata.size >= inode.map.size();
  return type == FileType::file || type == FileType::directory || long_link;
}

/// False for the block maps of ext2 and ext3, which files keep that are older than the volume's
/// extents, and for data in the inode.
bool has_readable_map(const Inode& inode, FileType type) {
  return (inode.flags & EXT4_INLINE_DATA_FL) == 0 &&
         (inode.has_extents() || !has_blocks(inode, type));
}

bool is_acceptable(const Geometry& geometry, const Inode& inode, Bytes bytes, FileType type) {
  return !inode.deleted && has_possible_size(geometry, inode) && has_readable_map(inode, type) &&
         has_fitting_flags(geometry, inode) && are_attributes_sound(geometry, bytes) &&
         are_times_sound(bytes) && (type != FileType::symlink || is_link_sound(geometry, inode));
}

}  // namespace

bool Inode::has_extents() const {
  return (flags & EXT4_EXTENTS_FL) != 0;
}
bool Inode::is_indexed() const {
  return (flags & EXT2_INDEX_FL) != 0;
}
bool Inode::is_encrypted() const {
  return (flags & EXT4_ENCRYPT_FL) != 0;
}

bool Inode::is_understood() const {
  // Flags that a user may set on a directory, and those that do not change how its blocks are read.
  constexpr std::uint32_t understood =
      EXT2_SECRM_FL | EXT2_UNRM_FL | EXT2_COMPR_FL | EXT2_SYNC_FL | EXT2_IMMUTABLE_FL |
      EXT2_APPEND_FL | EXT2_NODUMP_FL | EXT2_NOATIME_FL | EXT2_DIRTY_FL | EXT2_COMPRBLK_FL |
      EXT2_NOCOMPR_FL | EXT4_ENCRYPT_FL | EXT2_INDEX_FL | EXT2_IMAGIC_FL | EXT3_JOURNAL_DATA_FL |
      EXT2_NOTAIL_FL | EXT2_DIRSYNC_FL | EXT2_TOPDIR_FL | EXT4_HUGE_FILE_FL | EXT4_EXTENTS_FL |
      FS_NOCOW_FL | FS_DAX_FL | EXT4_PROJINHERIT_FL | EXT4_CASEFOLD_FL;
  return (flags & ~understood) == 0;
}

bool decode_inode(const Geometry& geometry, std::uint64_t number, Bytes bytes, Inode& inode) {
  if (bytes.size() < geometry.inode_size || geometry.inode_size < small_inode) return false;
  bytes = bytes.first(geometry.inode_size);
  const std::size_t end = end_of_fields(bytes);
  if (end > bytes.size() || end % 4 != 0) return false;
  inode.generation = le32(bytes.data() + offsetof(OnDisk, i_generation));
  if (!has_right_checksum(bytes, checksum_seed_of(geometry, number, inode.generation))) {
    return false;
  }
  inode.flags = le32(bytes.data() + offsetof(OnDisk, i_flags));
  std::copy_n(bytes.begin() + offsetof(OnDisk, i_block), inode.map.size(), inode.map.begin());

  Metadata& metadata = inode.metadata;
  const auto u16 = [&](std::size_t at) { return std::uint32_t{le16(bytes.data() + at)}; };
  metadata.inode = number;
  metadata.mode = u16(offsetof(OnDisk, i_mode));
  metadata.links = u16(offsetof(OnDisk, i_links_count));
  metadata.uid = u16(offsetof(OnDisk, i_uid));
  metadata.gid = u16(offsetof(OnDisk, i_gid));
  if (!geometry.short_owners) {
    metadata.uid |= u16(offsetof(OnDisk, osd2.linux2.l_i_uid_high)) << 16U;
    metadata.gid |= u16(offsetof(OnDisk, osd2.linux2.l_i_gid_high)) << 16U;
  }
  metadata.flags = flags_of(inode.flags);
  metadata.known_flags = file_flags::of_linux;
  inode.known = needs::type | needs::mode | needs::owner | needs::links | needs::flags;
  const FileType type = type_of_mode(metadata.mode);
  inode.deleted = metadata.links == 0 || type == FileType::unknown;
  const std::uint64_t high = u16(offsetof(OnDisk, osd2.linux2.l_i_file_acl_high));
  inode.attribute_block = high << 32U | le32(bytes.data() + offsetof(OnDisk, i_file_acl));
  decode_times(bytes, inode);
  if (type == FileType::block || type == FileType::character) {
    // Eight bits each in the first word, or in the second one twelve and twenty of them.
    const std::uint32_t small = le32(inode.map.data());
    const std::uint32_t large = le32(inode.map.data() + 4);
    metadata.special_major = (small != 0 ? small >> 8U : large >> 8U & 0xFFFU) & 0xFFFU;
    metadata.special_minor =
        small != 0 ? small & 0xFFU : (large & 0xFFU) | (large >> 12U & 0xFFF00U);
  }
  if (!decode_size(geometry, bytes, type, inode)) return false;
  inode.acceptable = is_acceptable(geometry, inode, bytes, type);
  return true;
}

// Maps of blocks

namespace {

constexpr std::uint32_t most_depth = 5;  // Linux's EXT4_MAX_EXTENT_DEPTH

/// Appends a run, or lengthens the last one if it continues that.
void add_run(MapPart& part, const Run& run) {
  if (!part.runs.empty()) {
    Run& last = part.runs.back();
    if (last.logical + last.count == run.logical && last.physical + last.count == run.physical) {
      last.count += run.count;
      return;
    }
  }
  part.runs.push_back(run);
}

// Extents

/// Blocks of the file that the entries of a node may lead to.
struct Range {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

static_assert(sizeof(ext3_extent) == sizeof(ext3_extent_idx));

std::uint32_t depth_of(Bytes node) {
  return le16(node.data() + offsetof(ext3_extent_header, eh_depth));
}

/// Checks the header of a node, which ends where its last possible entry may end, and finds the
/// entries. An inner node has at least one.
bool find_entries(Bytes node, Bytes& entries) {
  constexpr std::size_t header = sizeof(ext3_extent_header);
  const std::size_t count = le16(node.data() + offsetof(ext3_extent_header, eh_entries));
  const std::size_t most = le16(node.data() + offsetof(ext3_extent_header, eh_max));
  if (le16(node.data() + offsetof(ext3_extent_header, eh_magic)) != EXT3_EXT_MAGIC || most == 0 ||
      most > (node.size() - header) / sizeof(ext3_extent) || count > most ||
      (count == 0 && depth_of(node) > 0)) {
    return false;
  }
  entries = node.subspan(header, count * sizeof(ext3_extent));
  return true;
}

/// The run of a leaf's entry, with its length as it is stored: a length above EXT_INIT_MAX_LEN
/// marks blocks that are allocated but not written yet.
Run run_of(const unsigned char* entry) {
  const std::uint64_t high = le16(entry + offsetof(ext3_extent, ee_start_hi));
  return {.logical = le32(entry + offsetof(ext3_extent, ee_block)),
          .physical = high << 32U | le32(entry + offsetof(ext3_extent, ee_start)),
          .count = le16(entry + offsetof(ext3_extent, ee_len))};
}

/// The block of the node that an inner node's entry leads to.
std::uint64_t node_block_of(const unsigned char* entry) {
  const std::uint64_t high = le16(entry + offsetof(ext3_extent_idx, ei_leaf_hi));
  return high << 32U | le32(entry + offsetof(ext3_extent_idx, ei_leaf));
}

/// Entries of a leaf. False if they are not in ascending order, or outside of `range` or the
/// device.
bool decode_extents(const Geometry& geometry, Bytes entries, Range range, MapPart& part) {
  std::uint64_t from = range.begin;
  for (std::size_t at = 0; at < entries.size(); at += sizeof(ext3_extent)) {
    const Run run = run_of(entries.data() + at);
    if (run.count == 0 || run.count > EXT_INIT_MAX_LEN) return false;
    if (run.logical < from || run.logical >= range.end || run.count > range.end - run.logical ||
        !geometry.has_blocks(run.physical, run.count)) {
      return false;
    }
    add_run(part, run);
    from = run.logical + run.count;
  }
  return true;
}

/// Entries of an inner node. An entry has its first block only; it ends where the next one begins,
/// the last one at the end of `range`.
bool decode_index(const Geometry& geometry, Bytes entries, Range range, std::uint32_t depth,
                  MapPart& part) {
  std::uint64_t from = range.begin;
  for (std::size_t at = 0; at < entries.size(); at += sizeof(ext3_extent_idx)) {
    const unsigned char* const entry = entries.data() + at;
    MapNode node;
    node.logical = le32(entry + offsetof(ext3_extent_idx, ei_block));
    node.physical = node_block_of(entry);
    node.end = range.end;
    node.depth = depth - 1;
    if (node.logical < from || node.logical >= range.end ||
        !geometry.has_blocks(node.physical, 1)) {
      return false;
    }
    if (!part.nodes.empty()) part.nodes.back().end = node.logical;
    part.nodes.push_back(node);
    from = node.logical + 1;
  }
  return true;
}

/// Decodes a header and its entries.
bool decode_extent_node(const Geometry& geometry, Bytes bytes, std::uint32_t depth, Range range,
                        MapPart& part) {
  Bytes entries;
  if (depth_of(bytes) != depth || !find_entries(bytes, entries)) return false;
  return depth == 0 ? decode_extents(geometry, entries, range, part)
                    : decode_index(geometry, entries, range, depth, part);
}

/// The checksum follows the last possible entry, and covers everything before it.
bool has_right_extent_tail(Bytes block, std::uint32_t seed) {
  const std::size_t most = le16(block.data() + offsetof(ext3_extent_header, eh_max));
  const std::size_t tail = sizeof(ext3_extent_header) + most * sizeof(ext3_extent);
  if (tail + sizeof(ext3_extent_tail) > block.size()) return false;
  return crc32c(seed, block.first(tail)) == le32(block.data() + tail);
}

/// The root of an extent tree as ext4_ext_check_inode reads it, with unwritten runs and those after
/// the end of the file.
bool add_extent_claims(Bytes root, std::vector<Run>& claims) {
  Bytes entries;
  const std::uint32_t depth = depth_of(root);
  if (depth > most_depth || !find_entries(root, entries)) return false;
  std::uint64_t from = 0;
  for (std::size_t at = 0; at < entries.size(); at += sizeof(ext3_extent)) {
    const unsigned char* const entry = entries.data() + at;
    Run run = run_of(entry);
    if (depth > 0) run = {.logical = run.logical, .physical = node_block_of(entry), .count = 1};
    if (run.count > EXT_INIT_MAX_LEN) run.count -= EXT_INIT_MAX_LEN;
    if (run.count == 0 || run.logical < from) return false;
    from = run.logical + run.count;
    if (from > std::numeric_limits<std::uint32_t>::max()) return false;
    claims.push_back(run);
  }
  return true;
}

}  // namespace

bool claims_of(const Inode& inode, std::vector<Run>& claims) {
  claims.clear();
  if (inode.attribute_block != 0) {
    claims.push_back({.physical = inode.attribute_block, .count = 1});
  }
  const FileType type = type_of_mode(inode.metadata.mode);
  return !has_blocks(inode, type) || add_extent_claims(inode.map, claims);
}

// The root is part of the inode, so its checksum is the inode's.
bool decode_map(const Geometry& geometry, const Inode& inode, std::uint64_t limit, MapPart& part) {
  part.runs.clear();
  part.nodes.clear();
  const Bytes map = inode.map;
  const std::uint32_t depth = depth_of(map);
  return inode.has_extents() && depth <= most_depth &&
         decode_extent_node(geometry, map, depth, {0, limit}, part);
}

bool decode_map_node(const Geometry& geometry, const MapNode& node, Bytes bytes, std::uint32_t seed,
                     std::uint64_t limit, MapPart& part) {
  part.runs.clear();
  part.nodes.clear();
  if (bytes.size() < geometry.block_size) return false;
  bytes = bytes.first(geometry.block_size);
  const Range range{node.logical, std::min(node.end, limit)};
  return range.begin < range.end && has_right_extent_tail(bytes, seed) &&
         decode_extent_node(geometry, bytes, node.depth, range, part);
}

}  // namespace ffind::os::ext
