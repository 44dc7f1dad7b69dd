// SPDX-License-Identifier: MIT
// Superblock and group descriptors of ext4.
//
// A volume is a row of groups of blocks, each with a table of inodes. The superblock gives the
// sizes (Geometry); a group's descriptor says where its table is. Descriptors follow the superblock
// in one array:
//
//     group 0                                        group 1
//     superblock | descriptors | bitmaps | inodes |  [copies] | bitmaps | inodes | ...
//
// A volume is read if it has the features that mkfs.ext4 gives since 2018 and none that changes the
// layout further: checksums show a block that was read while the kernel wrote it, extents and wide
// descriptors leave one way to find a block. Other volumes are walked. The sizes that later
// functions divide by are checked here, in decode_superblock.
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

/// The three words of features, by their place in the superblock. A system that does not know an
/// incompatible feature must not mount the volume; one that does not know a feature of the second
/// word must not write to it.
constexpr std::size_t incompatible = offsetof(ext2_super_block, s_feature_incompat);
constexpr std::size_t read_compatible = offsetof(ext2_super_block, s_feature_ro_compat);
constexpr std::size_t compatible = offsetof(ext2_super_block, s_feature_compat);

struct Feature {
  std::size_t word;
  std::uint32_t bit;
  std::string_view name;
};

/// Features that the decoders take for granted.
constexpr std::array needed = {
    Feature{read_compatible, EXT4_FEATURE_RO_COMPAT_METADATA_CSUM, "metadata_csum"},
    Feature{incompatible, EXT3_FEATURE_INCOMPAT_EXTENTS, "extent"},
    Feature{incompatible, EXT4_FEATURE_INCOMPAT_64BIT, "64bit"},
    Feature{incompatible, EXT2_FEATURE_INCOMPAT_FILETYPE, "filetype"},
    Feature{read_compatible, EXT2_FEATURE_RO_COMPAT_SPARSE_SUPER, "sparse_super"},
    Feature{read_compatible, EXT4_FEATURE_RO_COMPAT_HUGE_FILE, "huge_file"},
};

/// Features that Linux mounts and the decoders do not know. All other unknown features of the first
/// word are refused, too.
constexpr std::array refused = {
    Feature{incompatible, EXT2_FEATURE_INCOMPAT_META_BG, "meta_bg"},
    Feature{incompatible, EXT4_FEATURE_INCOMPAT_INLINE_DATA, "inline_data"},
    Feature{incompatible, EXT4_FEATURE_INCOMPAT_LARGEDIR, "large_dir"},
    Feature{read_compatible, EXT4_FEATURE_RO_COMPAT_BIGALLOC, "bigalloc"},
    Feature{compatible, EXT4_FEATURE_COMPAT_SPARSE_SUPER2, "sparse_super2"},
};

/// Incompatible features that the decoders know, or that change nothing that they read.
constexpr std::uint32_t known_features =
    EXT2_FEATURE_INCOMPAT_FILETYPE | EXT3_FEATURE_INCOMPAT_RECOVER | EXT3_FEATURE_INCOMPAT_EXTENTS |
    EXT4_FEATURE_INCOMPAT_64BIT | EXT4_FEATURE_INCOMPAT_MMP | EXT4_FEATURE_INCOMPAT_FLEX_BG |
    EXT4_FEATURE_INCOMPAT_EA_INODE | EXT4_FEATURE_INCOMPAT_CSUM_SEED |
    EXT4_FEATURE_INCOMPAT_ENCRYPT | EXT4_FEATURE_INCOMPAT_CASEFOLD;

/// Access to the superblock's fields by their offsets.
class Superblock {
 public:
  explicit Superblock(Bytes bytes) : bytes_(bytes) {}

  std::uint16_t u16(std::size_t field) const { return le16(bytes_.data() + field); }
  std::uint32_t u32(std::size_t field) const { return le32(bytes_.data() + field); }
  bool has(const Feature& feature) const { return (u32(feature.word) & feature.bit) != 0; }
  unsigned char byte(std::size_t field) const { return bytes_[field]; }
  Bytes part(std::size_t begin, std::size_t size) const { return bytes_.subspan(begin, size); }

 private:
  Bytes bytes_;
};

/// Returns the reason why a feature, or the lack of one, keeps the volume from being read; empty if
/// none does.
std::string check_features(const Superblock& super) {
  for (const Feature& feature : needed) {
    if (!super.has(feature)) return text::format("it lacks {}", feature.name);
  }
  for (const Feature& feature : refused) {
    if (super.has(feature)) return text::format("it has {}", feature.name);
  }
  const std::uint32_t unknown = super.u32(incompatible) & ~known_features;
  if (unknown == 0) return {};
  return text::format("it has the unknown feature {:#x}", unknown & (~unknown + 1));
}

/// Verifies the superblock's checksum, and finds the seed of the others. Returns the reason if that
/// fails.
std::string decode_checksums(const Superblock& super, Geometry& geometry) {
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
  geometry.checksum_seed = super.has({incompatible, EXT4_FEATURE_INCOMPAT_CSUM_SEED, {}})
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

/// Sizes of blocks, inodes and descriptors. False if a size is out of range or no power of two.
bool decode_sizes(const Superblock& super, Geometry& geometry) {
  const std::uint32_t block_bits = super.u32(offsetof(ext2_super_block, s_log_block_size));
  if (block_bits > EXT2_MAX_BLOCK_LOG_SIZE - EXT2_MIN_BLOCK_LOG_SIZE) return false;
  geometry.block_size = std::uint32_t{EXT2_MIN_BLOCK_SIZE} << block_bits;
  geometry.first_inode = super.u32(offsetof(ext2_super_block, s_first_ino));
  geometry.inode_size = super.u16(offsetof(ext2_super_block, s_inode_size));
  geometry.descriptor_size = super.u16(offsetof(ext2_super_block, s_desc_size));
  return super.u32(offsetof(ext2_super_block, s_rev_level)) != EXT2_GOOD_OLD_REV &&
         geometry.first_inode >= EXT2_GOOD_OLD_FIRST_INO &&
         std::has_single_bit(geometry.inode_size) &&
         geometry.inode_size >= EXT2_GOOD_OLD_INODE_SIZE &&
         geometry.inode_size <= geometry.block_size &&
         std::has_single_bit(geometry.descriptor_size) &&
         geometry.descriptor_size >= EXT2_MIN_DESC_SIZE_64BIT &&
         geometry.descriptor_size <= std::uint32_t{EXT2_MAX_DESC_SIZE};
}

/// Blocks and inodes, and their division into groups, whose bitmaps have at least a byte. False if
/// the numbers contradict one another, or the last descriptor would be outside of the volume.
bool decode_groups(const Superblock& super, Geometry& geometry) {
  const std::uint64_t high = super.u32(offsetof(ext2_super_block, s_blocks_count_hi));
  geometry.blocks = high << 32U | super.u32(offsetof(ext2_super_block, s_blocks_count));
  geometry.first_data_block = super.u32(offsetof(ext2_super_block, s_first_data_block));
  geometry.blocks_per_group = super.u32(offsetof(ext2_super_block, s_blocks_per_group));
  geometry.inodes_per_group = super.u32(offsetof(ext2_super_block, s_inodes_per_group));
  geometry.inodes = super.u32(offsetof(ext2_super_block, s_inodes_count));
  // Offsets on a device are signed numbers of bytes.
  constexpr std::uint64_t most_bytes = std::numeric_limits<std::int64_t>::max();
  if (geometry.blocks > most_bytes / geometry.block_size ||
      geometry.first_data_block >= geometry.blocks || geometry.blocks_per_group < 8 ||
      geometry.blocks_per_group > geometry.block_size * 8 ||  // bits of a bitmap, which is a block
      (geometry.first_data_block == 0 && geometry.block_size == EXT2_MIN_BLOCK_SIZE) ||
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

bool has_superblock_copy(std::uint32_t group) {
  return group == 0 || is_power_of(group, 3) || is_power_of(group, 5) || is_power_of(group, 7);
}

/// Blocks of descriptors that follow each copy of the superblock.
std::uint64_t descriptor_blocks(const Geometry& geometry) {
  const std::uint32_t in_a_block = geometry.block_size / geometry.descriptor_size;
  return (geometry.groups + in_a_block - 1) / in_a_block + geometry.spare_descriptor_blocks;
}

/// Blocks of a group's inode table.
std::uint64_t inode_table_blocks(const Geometry& geometry) {
  const std::uint64_t size = std::uint64_t{geometry.inodes_per_group} * geometry.inode_size;
  return (size + geometry.block_size - 1) / geometry.block_size;
}

/// A block number in a descriptor; the upper half is a field of its own.
std::uint64_t block_in(Bytes descriptor, std::size_t low, std::size_t high) {
  return std::uint64_t{le32(descriptor.data() + high)} << 32U | le32(descriptor.data() + low);
}

}  // namespace

std::string decode_superblock(Bytes bytes, Geometry& geometry) {
  geometry = {};
  const Superblock super(bytes);
  if (bytes.size() < superblock_size ||
      super.u16(offsetof(ext2_super_block, s_magic)) != EXT2_SUPER_MAGIC) {
    return "its device contains no ext4";
  }
  std::string reason = check_features(super);
  if (!reason.empty()) return reason;
  const Bytes uuid = super.part(offsetof(ext2_super_block, s_uuid), geometry.uuid.size());
  std::copy(uuid.begin(), uuid.end(), geometry.uuid.begin());
  reason = decode_checksums(super, geometry);
  if (!reason.empty()) return reason;

  geometry.spare_descriptor_blocks = super.u16(offsetof(ext2_super_block, s_reserved_gdt_blocks));
  geometry.directory_index = super.has({compatible, EXT2_FEATURE_COMPAT_DIR_INDEX, {}});
  geometry.casefold = super.has({incompatible, EXT4_FEATURE_INCOMPAT_CASEFOLD, {}});
  geometry.value_inodes = super.has({incompatible, EXT4_FEATURE_INCOMPAT_EA_INODE, {}});
  geometry.short_owners =
      (super.u32(offsetof(ext2_super_block, s_default_mount_opts)) & EXT2_DEFM_UID16) != 0;
  geometry.hidden_inodes = {super.u32(offsetof(ext2_super_block, s_usr_quota_inum)),
                            super.u32(offsetof(ext2_super_block, s_grp_quota_inum)),
                            super.u32(offsetof(ext2_super_block, s_prj_quota_inum)),
                            super.u32(offsetof(ext2_super_block, s_orphan_file_inum))};
  if (super.has({compatible, EXT3_FEATURE_COMPAT_HAS_JOURNAL, {}})) {
    geometry.journal_inode = super.u32(offsetof(ext2_super_block, s_journal_inum));
  }
  decode_hashes(super, geometry);
  if (!decode_sizes(super, geometry) || !decode_groups(super, geometry)) {
    return "its superblock is inconsistent";
  }
  return {};
}

Position descriptor_position(const Geometry& geometry, std::uint32_t group) {
  const std::uint32_t in_a_block = geometry.block_size / geometry.descriptor_size;
  return {superblock_at / geometry.block_size + 1 + group / in_a_block,
          group % in_a_block * geometry.descriptor_size};
}

std::uint64_t inode_table_of(const Geometry& geometry, std::uint32_t group, Bytes descriptor) {
  if (group >= geometry.groups || descriptor.size() < geometry.descriptor_size) return 0;
  const std::uint64_t table = block_in(descriptor, offsetof(ext4_group_desc, bg_inode_table),
                                       offsetof(ext4_group_desc, bg_inode_table_hi));
  return geometry.has_blocks(table, inode_table_blocks(geometry)) ? table : 0;
}

void add_system_runs(const Geometry& geometry, std::uint32_t group, Bytes descriptor,
                     std::vector<Run>& runs) {
  if (has_superblock_copy(group)) {
    const std::uint64_t first =
        geometry.first_data_block + std::uint64_t{group} * geometry.blocks_per_group;
    runs.push_back({.physical = first, .count = 1 + descriptor_blocks(geometry)});
  }
  const auto add = [&](std::size_t low, std::size_t high, std::uint64_t count) {
    runs.push_back({.physical = block_in(descriptor, low, high), .count = count});
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
