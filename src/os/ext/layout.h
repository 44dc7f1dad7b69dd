// SPDX-License-Identifier: MIT
// On-disk layout of ext4 with checksums and extents, and its decoders: bytes in, values out. They
// read no device, trust no length and never read outside the bytes that they are given. Structures
// are those of libext2fs' ext2_fs.h and ext3_extents.h, their meaning that of Linux's
// Documentation/filesystems/ext4.
//
//     superblock.cpp   superblock -> Geometry; a group's descriptor -> its inode table, and the
//                      blocks that the volume keeps for itself
//     inode.cpp        inode -> Inode; its extents -> runs of blocks
//     directory.cpp    a directory's blocks -> entries; its hash tree
//
// A damaged structure and one that was read while the kernel wrote it look alike. Decoders return
// false for both; Reader decides whether to read again or to leave the directory to the kernel.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ffind/entry.h"
#include "os/dirent_block.h"

namespace ffind::os::ext {

using Bytes = std::span<const unsigned char>;

/// Byte on the device where the superblock begins, whatever the size of a block.
inline constexpr std::uint64_t superblock_at = 1024;
inline constexpr std::size_t superblock_size = 1024;

inline constexpr std::uint64_t root_inode = 2;

/// The fields of the superblock that are needed to find and to check everything else.
struct Geometry {
  std::uint32_t block_size = 0;  ///< bytes, a power of two, 1 KiB to 64 KiB
  std::uint64_t blocks = 0;
  std::uint32_t first_data_block = 0;
  std::uint32_t blocks_per_group = 0;
  std::uint32_t inodes_per_group = 0;
  std::uint64_t inodes = 0;
  std::uint32_t groups = 0;
  std::uint32_t inode_size = 0;               ///< bytes, a power of two, 128 up to a block
  std::uint32_t descriptor_size = 0;          ///< bytes of a group's descriptor, 64 up to 1024
  std::uint32_t spare_descriptor_blocks = 0;  ///< reserved for the volume to grow
  std::uint32_t first_inode = 0;              ///< lower inodes are reserved, except the root
  bool directory_index = false;               ///< directories may have hash trees
  bool casefold = false;                      ///< directories may ignore case
  bool value_inodes = false;                  ///< attributes may have inodes of their own
  bool short_owners = false;  ///< uid and gid have 16 bits, also by the mount option nouid32
  std::uint32_t checksum_seed = 0;
  /// Inodes of quotas and orphans, which no name leads to; 0 for none.
  std::array<std::uint32_t, 4> hidden_inodes{};
  std::array<std::uint32_t, 4> hash_seed{};  ///< of the hashes of names
  bool signed_hashes = false;                ///< whether they take characters as signed
  bool hashes_known = false;                 ///< whether `signed_hashes` is stored
  std::uint32_t journal_inode = 0;           ///< 0 for none, or one on another device
  std::array<unsigned char, 16> uuid{};

  /// True if the blocks are on the volume and after its superblock.
  bool has_blocks(std::uint64_t block, std::uint64_t count) const {
    return block > first_data_block && block < blocks && count <= blocks - block;
  }
};

/// Decodes the 1024 bytes of a superblock. Returns the reason ("it lacks metadata_csum") if the
/// volume cannot be read from its device; empty otherwise.
std::string decode_superblock(Bytes bytes, Geometry& geometry);

/// Consecutive blocks of a file that are consecutive on the device too.
struct Run {
  std::uint64_t logical = 0;   ///< first block of the file
  std::uint64_t physical = 0;  ///< first block of the device
  std::uint64_t count = 0;

  bool operator==(const Run&) const = default;
};

struct Position {
  std::uint64_t block = 0;
  std::uint32_t offset = 0;  ///< in the block
};

/// Position of the descriptor of `group` (< geometry.groups).
Position descriptor_position(const Geometry& geometry, std::uint32_t group);

/// First block of a group's inode table, from its descriptor's bytes; 0 if it is not on the volume.
/// The descriptor's checksum is not verified: it covers counters that change with every file, while
/// the table never moves and inodes have checksums of their own.
std::uint64_t inode_table_of(const Geometry& geometry, std::uint32_t group, Bytes descriptor);

/// Appends to `runs` the blocks of a group that no file may claim: copies of the superblock and of
/// descriptors, bitmaps and inode table, by the bytes of its descriptor.
void add_system_runs(const Geometry& geometry, std::uint32_t group, Bytes descriptor,
                     std::vector<Run>& runs);

/// Group of an inode, and its offset in the group's table; false if no directory entry can have
/// that number.
bool locate_inode(const Geometry& geometry, std::uint64_t inode, std::uint32_t& group,
                  std::uint64_t& offset_in_table);

struct Inode {
  Metadata metadata{};  ///< without `device`; `allocated` as stat returns it
  /// The fields of `metadata` that are set: without `created` in small inodes, and `size` of
  /// encrypted symbolic links; always without `identity`, since that needs the device.
  Needs known = needs::none;
  std::uint32_t flags = 0;
  std::uint32_t generation = 0;
  std::uint64_t attribute_block = 0;  ///< i_file_acl: attributes that do not fit into the inode
  /// False if the kernel refuses the inode, or may: inode.cpp lists the checks. The blocks of
  /// claims_of() are checked separately.
  bool acceptable = false;
  /// No links or no type. (A time of deletion proves nothing: while a file is truncated the field
  /// is the next inode in the list of orphans.)
  bool deleted = false;
  std::array<unsigned char, 60> map{};  ///< i_block: root of the extents, or a link's target

  bool has_extents() const;
  bool is_indexed() const;  ///< a directory with a hash tree
  bool is_encrypted() const;
  /// False if an unknown flag is set, which could change the meaning of a directory's data.
  bool is_understood() const;
};

/// Decodes the `geometry.inode_size` bytes of an inode. False if the checksum is wrong or the size
/// impossible; then `inode` is unspecified. `inode` may be reused: metadata that `known` lacks keep
/// old values.
bool decode_inode(const Geometry& geometry, std::uint64_t number, Bytes bytes, Inode& inode);

/// The blocks that the kernel checks before it accepts an inode: those that the part of the map in
/// the inode leads to, and the block of attributes. Replaces `claims`. False if that part of the
/// map is damaged.
bool claims_of(const Inode& inode, std::vector<Run>& claims);

/// Seed of the checksums of an inode and of its blocks, from its number and generation.
std::uint32_t checksum_seed_of(const Geometry& geometry, std::uint64_t number,
                               std::uint32_t generation);

// Maps of blocks

/// A node of an extent tree, in a block of its own.
struct MapNode {
  std::uint64_t physical = 0;
  std::uint64_t logical = 0;  ///< first block of the file below it
  std::uint64_t end = 0;      ///< end of the file's blocks below it
  std::uint32_t depth = 0;    ///< levels below it: 0 for a leaf
};

/// The contents of one node: runs of a leaf, else nodes. All physical blocks are on the device, all
/// logical ones rise and are below `limit`, so that following the nodes ends.
struct MapPart {
  std::vector<Run> runs{};
  std::vector<MapNode> nodes{};
};

/// Decodes the root of the map, which is in the inode. `limit`: number of blocks by the file's
/// size. False if it is no root of extents, is damaged, or has unwritten runs, which no directory
/// has. Replaces `part`, as decode_map_node does.
bool decode_map(const Geometry& geometry, const Inode& inode, std::uint64_t limit, MapPart& part);

/// Decodes `node` from its block, `bytes`, and verifies its checksum with `seed`.
bool decode_map_node(const Geometry& geometry, const MapNode& node, Bytes bytes, std::uint32_t seed,
                     std::uint64_t limit, MapPart& part);

// Directories

/// True if lengths add up, names are names, and the checksum is right in block number `logical` of
/// a directory; block 0 of an indexed directory is the root of its hash tree.
bool is_sound_block(const Geometry& geometry, const Inode& directory, std::uint64_t logical,
                    std::uint32_t seed, Bytes block);

// Hash trees

/// The hash of a name by Linux's half MD4.
std::uint32_t hash_of_name(const Geometry& geometry, std::string_view name);

/// A block of the directory, and the range of the hashes of the names in or below it. Hashes are
/// even; an odd `begin` means that names with the hash before it continue from the previous block.
struct HashRange {
  std::uint32_t block = 0;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  bool is_leaf = false;

  bool has(std::uint32_t hash) const { return hash >= (begin & ~std::uint64_t{1}) && hash < end; }
};

/// Decodes the root of a hash tree, a sound block, and appends its branches to `below`. False if
/// the kernel would not follow it, if names are hashed in another way, or if the tree has more than
/// one level of nodes.
bool decode_hash_root(const Geometry& geometry, Bytes block, std::vector<HashRange>& below);
/// The same for an inner node, a sound block too, whose branches are leaves.
bool decode_hash_node(Bytes block, const HashRange& above, std::vector<HashRange>& below);
bool is_hash_node(Bytes block);
/// Appends the hashes of a sound leaf's names. False if one of them belongs to another leaf.
bool add_leaf_hashes(const Geometry& geometry, const HashRange& leaf, Bytes block,
                     std::vector<std::uint32_t>& hashes);

/// Inodes of "." and ".." in the first block of a directory; 0 if there are none.
struct Dots {
  std::uint64_t self = 0;
  std::uint64_t parent = 0;
};
Dots dots_of(Bytes first_block);

/// Appends the names of a sound block except "." and "..", or hashes that find equal ones.
void add_names(Bytes block, std::vector<std::string_view>& names);
void add_hashes(Bytes block, std::vector<std::uint32_t>& hashes);

/// Appends to `packed` the entries of a sound block from `position` on, except "." and "..". True
/// if all of them fit; else `position` is that of the next one.
bool pack_entries(Bytes block, std::size_t& position, DirentBlock& packed);

}  // namespace ffind::os::ext
