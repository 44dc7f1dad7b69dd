// SPDX-License-Identifier: MIT
// Superblock and group descriptors of ext2, ext3 and ext4.
//
// A volume is a row of groups of blocks, each with a table of inodes. The superblock gives the
// sizes (Geometry); a group's descriptor says where its table is. Descriptors follow the superblock
// in one array, or, with the feature meta_bg, each block of them is in the first group that it
// describes:
//
//     group 0                                        group 1
//     superblock | descriptors | bitmaps | inodes |  [copies] | bitmaps | inodes | ...
//
// Refused are volumes that Linux would not mount and those with a feature that is unknown here. The
// sizes that later functions divide by are checked here, in decode_superblock.
#include "os/ext/layout.h"

#include <ext2fs/ext2_fs.h>

#include <algorithm>
#include <bit>
#include <limits>

#include "os/ext/crc32c.h"
#include "os/formats/endian.h"
#include "text/format.h"

namespace ffind::os::ext {

namespace {

static_assert(sizeof(ext2_super_block) == superblock_size);
static_assert(EXT2_ROOT_INO == root_inode);

/// Features that change the layout (s_feature_incompat). A new one belongs here when the decoders
/// know what it changes, or that it changes nothing that they read.
constexpr std::uint32_t known_features =
    EXT2_FEATURE_INCOMPAT_FILETYPE | EXT3_FEATURE_INCOMPAT_RECOVER | EXT2_FEATURE_INCOMPAT_META_BG |
    EXT3_FEATURE_INCOMPAT_EXTENTS | EXT4_FEATURE_INCOMPAT_64BIT | EXT4_FEATURE_INCOMPAT_MMP |
    EXT4_FEATURE_INCOMPAT_FLEX_BG | EXT4_FEATURE_INCOMPAT_EA_INODE |
    EXT4_FEATURE_INCOMPAT_CSUM_SEED | EXT4_FEATURE_INCOMPAT_LARGEDIR |
    EXT4_FEATURE_INCOMPAT_INLINE_DATA | EXT4_FEATURE_INCOMPAT_ENCRYPT |
    EXT4_FEATURE_INCOMPAT_CASEFOLD;

/// Access to the superblock's fields by their offsets.
class Superblock {
 public:
  explicit Superblock(Bytes bytes) : bytes_(bytes) {}

  std::uint16_t u16(std::size_t field) const { return le16(bytes_.data() + field); }
  std::uint32_t u32(std::size_t field) const { return le32(bytes_.data() + field); }
  /// Incompatible features: a system that does not know one must not mount the volume.
  bool has(std::uint32_t feature) const {
    return (u32(offsetof(ext2_super_block, s_feature_incompat)) & feature) != 0;
  }
  bool has_compatible(std::uint32_t feature) const {
    return (u32(offsetof(ext2_super_block, s_feature_compat)) & feature) != 0;
  }
  /// Features that forbid writing, not reading, to systems that do not know them.
  bool has_read_compatible(std::uint32_t feature) const {
    return (u32(offsetof(ext2_super_block, s_feature_ro_compat)) & feature) != 0;
  }
  unsigned char byte(std::size_t field) const { return bytes_[field]; }
  Bytes part(std::size_t begin, std::size_t size) const { return bytes_.subspan(begin, size); }

 private:
  Bytes bytes_;
};

/// Returns the reason why a feature keeps the volume from being read; empty if none does.
std::string check_features(const Superblock& super) {
  if (super.has(EXT3_FEATURE_INCOMPAT_JOURNAL_DEV)) return "it is the journal of another volume";
  const std::uint32_t unknown =
      super.u32(offsetof(ext2_super_block, s_feature_incompat)) & ~known_features;
  if (unknown == 0) return {};
  if ((unknown & EXT2_FEATURE_INCOMPAT_COMPRESSION) != 0) return "it has compressed files";
  if ((unknown & EXT4_FEATURE_INCOMPAT_DIRDATA) != 0) {
    return "its directories contain data as well as names";
  }
  return text::format("it has the unknown feature {:#x}", unknown & (~unknown + 1));
}

/// Verifies the superblock's checksum, if the volume has checksums, and finds their seed. Returns
/// the reason if that fails.
std::string decode_checksums(const Superblock& super, Geometry& geometry) {
  geometry.checksums = super.has_read_compatible(EXT4_FEATURE_RO_COMPAT_METADATA_CSUM);
  if (!geometry.checksums) return {};
  if (super.byte(offsetof(ext2_super_block, s_checksum_type)) != EXT2_CRC32C_CHKSUM) {
    return "its checksums have an unknown format";
  }
  // Linux leaves the checksums of inodes alone on volumes that another system made.
  if (super.u32(offsetof(ext2_super_block, s_creator_os)) != EXT2_OS_LINUX) {
    return "it was not made by Linux";
  }
  constexpr std::size_t checksum_at = offsetof(ext2_super_block, s_checksum);
  if (crc32c(~0U, super.part(0, checksum_at)) != super.u32(checksum_at)) {
    return "its superblock does not match its checksum";
  }
  geometry.checksum_seed = super.has(EXT4_FEATURE_INCOMPAT_CSUM_SEED)
                               ? super.u32(offsetof(ext2_super_block, s_checksum_seed))
                               : crc32c(~0U, geometry.uuid);
  return {};
}

/// Hash function of names. Without a seed it is MD4's own; without a flag the kernel decides on the
/// sign of characters.
void decode_hashes(const Superblock& super, Geometry& geometry) {
  constexpr std::size_t seed_at = offsetof(ext2_super_block, s_hash_seed);
  for (std::size_t i = 0; i < geometry.hash_seed.size(); ++i) {
    geometry.hash_seed[i] = super.u32(seed_at + 4 * i);
  }
  if (geometry.hash_seed == decltype(geometry.hash_seed){}) {
    geometry.hash_seed = {0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476};
  }
  const std::uint32_t flags = super.u32(offsetof(ext2_super_block, s_flags));
  geometry.signed_hashes = (flags & EXT2_FLAGS_UNSIGNED_HASH) == 0;
  geometry.hashes_known = (flags & (EXT2_FLAGS_UNSIGNED_HASH | EXT2_FLAGS_SIGNED_HASH)) != 0;
}

/// Without either feature every group has a copy of the superblock.
void decode_copies(const Superblock& super, Geometry& geometry) {
  if (super.has_compatible(EXT4_FEATURE_COMPAT_SPARSE_SUPER2)) {
    geometry.copies = SuperblockCopies::two;
    constexpr std::size_t groups_at = offsetof(ext2_super_block, s_backup_bgs);
    geometry.copy_groups = {super.u32(groups_at), super.u32(groups_at + 4)};
  } else if (super.has_read_compatible(EXT2_FEATURE_RO_COMPAT_SPARSE_SUPER)) {
    geometry.copies = SuperblockCopies::powers;
  }
}

/// Sizes of blocks, inodes and descriptors. The first revision of ext2 had no fields for inodes,
/// which were of 128 bytes. False if a size is out of range or no power of two.
bool decode_sizes(const Superblock& super, Geometry& geometry) {
  const std::uint32_t block_bits = super.u32(offsetof(ext2_super_block, s_log_block_size));
  if (block_bits > EXT2_MAX_BLOCK_LOG_SIZE - EXT2_MIN_BLOCK_LOG_SIZE) return false;
  geometry.block_size = std::uint32_t{EXT2_MIN_BLOCK_SIZE} << block_bits;

  const bool old = super.u32(offsetof(ext2_super_block, s_rev_level)) == EXT2_GOOD_OLD_REV;
  geometry.first_inode =
      old ? EXT2_GOOD_OLD_FIRST_INO : super.u32(offsetof(ext2_super_block, s_first_ino));
  geometry.inode_size =
      old ? EXT2_GOOD_OLD_INODE_SIZE : super.u16(offsetof(ext2_super_block, s_inode_size));
  if (geometry.first_inode < EXT2_GOOD_OLD_FIRST_INO) return false;
  if (!std::has_single_bit(geometry.inode_size) || geometry.inode_size < EXT2_GOOD_OLD_INODE_SIZE ||
      geometry.inode_size > geometry.block_size) {
    return false;
  }
  geometry.descriptor_size =
      geometry.wide ? super.u16(offsetof(ext2_super_block, s_desc_size)) : EXT2_MIN_DESC_SIZE;
  return !geometry.wide || (std::has_single_bit(geometry.descriptor_size) &&
                            geometry.descriptor_size >= EXT2_MIN_DESC_SIZE_64BIT &&
                            geometry.descriptor_size <= std::uint32_t{EXT2_MAX_DESC_SIZE});
}

/// Clusters are the unit of allocation; whatever their size, groups are counted in blocks.
bool decode_clusters(const Superblock& super, Geometry& geometry) {
  const std::uint32_t most = geometry.block_size * 8;  // bits of a group's bitmap, which is a block
  geometry.cluster_size = geometry.block_size;
  if (!super.has_read_compatible(EXT4_FEATURE_RO_COMPAT_BIGALLOC)) {
    return geometry.blocks_per_group <= most &&
           (geometry.first_data_block != 0 || geometry.block_size > EXT2_MIN_BLOCK_SIZE);
  }
  const std::uint32_t cluster_bits = super.u32(offsetof(ext2_super_block, s_log_cluster_size));
  const std::uint32_t block_bits = super.u32(offsetof(ext2_super_block, s_log_block_size));
  const std::uint64_t clusters = super.u32(offsetof(ext2_super_block, s_clusters_per_group));
  if (cluster_bits > EXT2_MAX_CLUSTER_LOG_SIZE - EXT2_MIN_CLUSTER_LOG_SIZE) return false;
  geometry.cluster_size = std::uint32_t{EXT2_MIN_BLOCK_SIZE} << cluster_bits;
  return cluster_bits >= block_bits && clusters <= most &&
         clusters << (cluster_bits - block_bits) == geometry.blocks_per_group;
}

/// Blocks and inodes, and their division into groups, whose bitmaps have at least a byte. False if
/// the numbers contradict one another, or the last descriptor would be outside of the volume.
bool decode_groups(const Superblock& super, Geometry& geometry) {
  geometry.blocks = super.u32(offsetof(ext2_super_block, s_blocks_count));
  if (geometry.wide) {
    const std::uint64_t high = super.u32(offsetof(ext2_super_block, s_blocks_count_hi));
    geometry.blocks |= high << 32U;
  }
  geometry.first_data_block = super.u32(offsetof(ext2_super_block, s_first_data_block));
  geometry.blocks_per_group = super.u32(offsetof(ext2_super_block, s_blocks_per_group));
  geometry.inodes_per_group = super.u32(offsetof(ext2_super_block, s_inodes_per_group));
  geometry.inodes = super.u32(offsetof(ext2_super_block, s_inodes_count));
  // Offsets on a device are signed numbers of bytes.
  constexpr std::uint64_t most_bytes = std::numeric_limits<std::int64_t>::max();
  if (geometry.blocks > most_bytes / geometry.block_size ||
      geometry.first_data_block >= geometry.blocks || geometry.blocks_per_group < 8 ||
      !decode_clusters(super, geometry) ||
      geometry.inodes_per_group < geometry.block_size / geometry.inode_size ||
      geometry.inodes_per_group > geometry.block_size * 8) {
    return false;
  }
  const std::uint64_t groups =
      (geometry.blocks - geometry.first_data_block - 1) / geometry.blocks_per_group + 1;
  // No more groups than inodes: so the product cannot overflow.
  if (groups > geometry.inodes || groups * geometry.inodes_per_group != geometry.inodes)
    return false;
  geometry.groups = static_cast<std::uint32_t>(groups);
  return descriptor_position(geometry, geometry.groups - 1).block < geometry.blocks;
}

/// True for 1, too; `number` is not 0.
bool is_power_of(std::uint32_t number, std::uint32_t base) {
  while (number % base == 0) number /= base;
  return number == 1;
}

bool has_superblock_copy(const Geometry& geometry, std::uint32_t group) {
  if (group == 0 || geometry.copies == SuperblockCopies::all) return true;
  if (geometry.copies == SuperblockCopies::two) {
    return group == geometry.copy_groups[0] || group == geometry.copy_groups[1];
  }
  return is_power_of(group, 3) || is_power_of(group, 5) || is_power_of(group, 7);
}

/// Blocks of descriptors that follow the copy of the superblock in this group.
std::uint64_t descriptor_blocks(const Geometry& geometry, std::uint32_t group) {
  const std::uint32_t in_a_block = geometry.block_size / geometry.descriptor_size;
  const std::uint32_t nth = group / in_a_block;
  if (!geometry.meta_groups) {
    return (geometry.groups + in_a_block - 1) / in_a_block + geometry.spare_descriptor_blocks;
  }
  if (nth < geometry.first_meta_group) return geometry.first_meta_group;
  // With meta_bg a block of descriptors is in the first of its groups, with copies in the second
  // and in the last.
  const std::uint32_t place = group % in_a_block;
  return place <= 1 || place == in_a_block - 1 ? 1 : 0;
}

/// Blocks of a group's inode table.
std::uint64_t inode_table_blocks(const Geometry& geometry) {
  const std::uint64_t size = std::uint64_t{geometry.inodes_per_group} * geometry.inode_size;
  return (size + geometry.block_size - 1) / geometry.block_size;
}

/// A block number in a descriptor; the upper half is a field of its own, in large descriptors only.
std::uint64_t block_in(const Geometry& geometry, Bytes descriptor, std::size_t low,
                       std::size_t high) {
  std::uint64_t block = le32(descriptor.data() + low);
  if (geometry.descriptor_size >= EXT2_MIN_DESC_SIZE_64BIT) {
    block |= std::uint64_t{le32(descriptor.data() + high)} << 32U;
  }
  return block;
}

}  // namespace

std::string decode_superblock(Bytes bytes, Geometry& geometry) {
  geometry = {};
  const Superblock super(bytes);
  if (bytes.size() < superblock_size ||
      super.u16(offsetof(ext2_super_block, s_magic)) != EXT2_SUPER_MAGIC) {
    return "its device contains no ext2, ext3 or ext4";
  }
  std::string reason = check_features(super);
  if (!reason.empty()) return reason;
  const Bytes uuid = super.part(offsetof(ext2_super_block, s_uuid), geometry.uuid.size());
  std::copy(uuid.begin(), uuid.end(), geometry.uuid.begin());
  reason = decode_checksums(super, geometry);
  if (!reason.empty()) return reason;

  geometry.meta_groups = super.has(EXT2_FEATURE_INCOMPAT_META_BG);
  geometry.spare_descriptor_blocks = super.u16(offsetof(ext2_super_block, s_reserved_gdt_blocks));
  geometry.first_meta_group = super.u32(offsetof(ext2_super_block, s_first_meta_bg));
  geometry.wide = super.has(EXT4_FEATURE_INCOMPAT_64BIT);
  geometry.types = super.has(EXT2_FEATURE_INCOMPAT_FILETYPE);
  geometry.large_directories = super.has(EXT4_FEATURE_INCOMPAT_LARGEDIR);
  geometry.directory_index = super.has_compatible(EXT2_FEATURE_COMPAT_DIR_INDEX);
  geometry.casefold = super.has(EXT4_FEATURE_INCOMPAT_CASEFOLD);
  geometry.value_inodes = super.has(EXT4_FEATURE_INCOMPAT_EA_INODE);
  geometry.huge_files = super.has_read_compatible(EXT4_FEATURE_RO_COMPAT_HUGE_FILE);
  geometry.short_owners =
      (super.u32(offsetof(ext2_super_block, s_default_mount_opts)) & EXT2_DEFM_UID16) != 0;
  geometry.hidden_inodes = {super.u32(offsetof(ext2_super_block, s_usr_quota_inum)),
                            super.u32(offsetof(ext2_super_block, s_grp_quota_inum)),
                            super.u32(offsetof(ext2_super_block, s_prj_quota_inum)),
                            super.u32(offsetof(ext2_super_block, s_orphan_file_inum))};
  if (super.has_compatible(EXT3_FEATURE_COMPAT_HAS_JOURNAL)) {
    geometry.journal_inode = super.u32(offsetof(ext2_super_block, s_journal_inum));
  }
  decode_hashes(super, geometry);
  decode_copies(super, geometry);
  if (!decode_sizes(super, geometry) || !decode_groups(super, geometry)) {
    return "its superblock is inconsistent";
  }
  return {};
}

Position descriptor_position(const Geometry& geometry, std::uint32_t group) {
  const std::uint32_t in_a_block = geometry.block_size / geometry.descriptor_size;
  const std::uint32_t nth = group / in_a_block;
  const std::uint32_t offset = group % in_a_block * geometry.descriptor_size;
  if (!geometry.meta_groups || nth < geometry.first_meta_group) {
    // One array after the superblock.
    return {superblock_at / geometry.block_size + 1 + nth, offset};
  }
  // Each block of descriptors is at the beginning of the first group that it describes.
  const std::uint32_t first_group = nth * in_a_block;
  std::uint64_t block = geometry.first_data_block +
                        std::uint64_t{first_group} * geometry.blocks_per_group +
                        (has_superblock_copy(geometry, first_group) ? 1 : 0);
  // With blocks of 1 KiB the superblock is in the second, even if groups start from the first.
  if (geometry.block_size == superblock_at && nth == 0 && geometry.first_data_block == 0) ++block;
  return {block, offset};
}

std::uint64_t inode_table_of(const Geometry& geometry, std::uint32_t group, Bytes descriptor) {
  if (group >= geometry.groups || descriptor.size() < geometry.descriptor_size) return 0;
  const std::uint64_t table =
      block_in(geometry, descriptor, offsetof(ext4_group_desc, bg_inode_table),
               offsetof(ext4_group_desc, bg_inode_table_hi));
  return geometry.has_blocks(table, inode_table_blocks(geometry)) ? table : 0;
}

void add_system_runs(const Geometry& geometry, std::uint32_t group, Bytes descriptor,
                     std::vector<Run>& runs) {
  if (has_superblock_copy(geometry, group)) {
    const std::uint64_t first =
        geometry.first_data_block + std::uint64_t{group} * geometry.blocks_per_group;
    runs.push_back({.physical = first, .count = 1 + descriptor_blocks(geometry, group)});
  }
  const auto add = [&](std::size_t low, std::size_t high, std::uint64_t count) {
    runs.push_back({.physical = block_in(geometry, descriptor, low, high), .count = count});
  };
  add(offsetof(ext4_group_desc, bg_block_bitmap), offsetof(ext4_group_desc, bg_block_bitmap_hi), 1);
  add(offsetof(ext4_group_desc, bg_inode_bitmap), offsetof(ext4_group_desc, bg_inode_bitmap_hi), 1);
  add(offsetof(ext4_group_desc, bg_inode_table), offsetof(ext4_group_desc, bg_inode_table_hi),
      inode_table_blocks(geometry));
}

bool locate_inode(const Geometry& geometry, std::uint64_t inode, std::uint32_t& group,
                  std::uint64_t& offset_in_table) {
  if (inode > geometry.inodes || (inode < geometry.first_inode && inode != root_inode))
    return false;
  const auto& hidden = geometry.hidden_inodes;
  if (std::find(hidden.begin(), hidden.end(), inode) != hidden.end()) return false;
  const auto index = static_cast<std::uint32_t>(inode - 1);  // numbers have 32 bits on the device
  group = index / geometry.inodes_per_group;
  offset_in_table = std::uint64_t{index % geometry.inodes_per_group} * geometry.inode_size;
  return true;
}

// Metadata of an inode is checksummed after its number and generation, both little-endian: a block
// that belongs to another file, or to an earlier one of that number, does not fit.
std::uint32_t checksum_seed_of(const Geometry& geometry, std::uint64_t number,
                               std::uint32_t generation) {
  std::array<unsigned char, 8> both{};
  for (unsigned i = 0; i < 4; ++i) {
    both[i] = static_cast<unsigned char>(number >> (8 * i));
    both[4 + i] = static_cast<unsigned char>(generation >> (8 * i));
  }
  return crc32c(geometry.checksum_seed, both);
}

}  // namespace ffind::os::ext
