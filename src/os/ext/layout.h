// SPDX-License-Identifier: MIT
// The on-disk layout of ext2, ext3 and ext4 (structures: libext2fs' ext2_fs.h and ext3_extents.h;
// meaning: Linux's Documentation/filesystems/ext4): bytes to values. Pure: reads no device, trusts
// no length, never reads outside what it is given. Used by ext_reader, ext_volume and
// probe.cpp.
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

/// Where the superblock lies on the device, whatever the size of a block.
inline constexpr std::uint64_t superblock_at = 1024;
inline constexpr std::size_t superblock_size = 1024;

inline constexpr std::uint64_t root_inode = 2;

/// Which groups of blocks begin with a copy of the superblock.
enum class SuperblockCopies : std::uint8_t {
  all,     ///< every one
  powers,  ///< 0, 1, and the powers of 3, 5 and 7
  two,     ///< 0 and those that the superblock names
};

/// What of the superblock it takes to find and to check everything else.
struct Geometry {
  std::uint32_t block_size = 0;  ///< bytes, a power of two, 1 KiB to 64 KiB
  std::uint64_t blocks = 0;
  std::uint32_t first_data_block = 0;
  std::uint32_t blocks_per_group = 0;
  std::uint32_t inodes_per_group = 0;
  std::uint64_t inodes = 0;
  std::uint32_t groups = 0;
  std::uint32_t inode_size = 0;               ///< bytes, a power of two, 128 up to a block
  std::uint32_t descriptor_size = 0;          ///< bytes of a group's descriptor, 32 up to 1024
  std::uint32_t spare_descriptor_blocks = 0;  ///< after the others, for the volume to grow
  std::uint32_t first_meta_group = 0;  ///< with `meta_groups`: descriptors lie otherwise from here
  bool meta_groups = false;
  SuperblockCopies copies = SuperblockCopies::all;
  std::array<std::uint32_t, 2> copy_groups{};  ///< with SuperblockCopies::two
  std::uint32_t first_inode = 0;               ///< those below are nobody's file, but for the root
  bool wide = false;                           ///< 64 bit block numbers
  bool types = false;                          ///< directory entries hold the type
  bool checksums = false;  ///< of metadata: everything but old block maps can be verified
  bool large_directories = false;
  bool inline_data = false;
  bool directory_index = false;  ///< directories may have hash trees
  bool casefold = false;         ///< directories may ignore case
  bool value_inodes = false;     ///< values of attributes may lie in inodes of their own
  bool huge_files = false;       ///< counts of a file's sectors have 48 bits
  bool short_owners = false;     ///< uid and gid have 16 bits, also by the mount option nouid32
  std::uint32_t checksum_seed = 0;
  std::uint32_t cluster_size = 0;  ///< bytes that are allocated at once
  /// Inodes with quotas and orphans, which no name leads to; 0 for none.
  std::array<std::uint32_t, 4> hidden_inodes{};
  std::array<std::uint32_t, 4> hash_seed{};  ///< of the hashes of names
  bool signed_hashes = false;                ///< which take characters for signed
  bool hashes_known = false;                 ///< that is known; else the kernel decides
  std::uint32_t journal_inode = 0;           ///< 0 for none, or one on another device
  std::uint32_t free_inodes = 0;
  std::array<unsigned char, 16> uuid{};
};

/// False with the reason ("it has the unknown feature 0x1000") when the volume cannot be read this
/// way. `bytes` are the superblock's 1024.
bool decode_superblock(Bytes bytes, Geometry& geometry, std::string& why_not);

/// A run of blocks.
struct Run {
  std::uint64_t logical = 0;   ///< first block of the file
  std::uint64_t physical = 0;  ///< first block of the device
  std::uint64_t count = 0;
};

/// Where something lies on the device.
struct Position {
  std::uint64_t block = 0;
  std::uint32_t offset = 0;  ///< in the block
};

/// Of the descriptor of `group` (< geometry.groups).
Position descriptor_position(const Geometry& geometry, std::uint32_t group);

/// First block of a group's inode table, from its descriptor's bytes; 0 when that cannot be. (The
/// checksum of a descriptor is not looked at: it covers counters that change with every file, while
/// the table never moves and inodes have checksums of their own.)
std::uint64_t inode_table_of(const Geometry& geometry, std::uint32_t group, Bytes descriptor);

/// The blocks of a group that no file may claim: copies of the superblock and of descriptors,
/// bitmaps and inode table, by the bytes of its descriptor. Appended to `runs`.
void add_system_runs(const Geometry& geometry, std::uint32_t group, Bytes descriptor,
                     std::vector<Run>& runs);

/// Group and place in its table of an inode; false for numbers that no directory's entry can have.
bool locate_inode(const Geometry& geometry, std::uint64_t inode, std::uint32_t& group,
                  std::uint64_t& offset_in_table);

struct Inode {
  Metadata metadata{};  ///< but for `device`; `allocated` as stat returns it
  /// What of it the inode holds: without `created` in small inodes, and `size` of encrypted
  /// symbolic links; always without `identity`, since that needs the device.
  Needs known = needs::none;
  std::uint32_t flags = 0;
  std::uint32_t generation = 0;
  std::uint64_t attribute_block = 0;  ///< i_file_acl: attributes that do not fit into the inode
  /// False if the kernel refuses it, or may: see the list in inode.cpp. What claims_of() finds is
  /// checked apart.
  bool acceptable = false;
  /// No links or no type. (A time of deletion proves nothing: while a file is truncated the field
  /// holds the next in the list of orphans.)
  bool deleted = false;
  std::array<unsigned char, 60> map{};  ///< i_block: extents, a block map, or the beginning of data

  bool has_extents() const;
  bool has_inline_data() const;
  bool is_indexed() const;  ///< a hashed directory
  bool is_encrypted() const;
  /// False when a flag is set that changes what a directory's data mean, and that nobody here
  /// knows.
  bool is_understood() const;
};

/// `bytes` are the geometry.inode_size of the inode. False when the checksum is wrong, that is when
/// it was read while it was written, or is damaged; or when the size is none. On
/// failure `inode` is unspecified. It may be reused: fields that `known` lacks keep old values.
bool decode_inode(const Geometry& geometry, std::uint64_t number, Bytes bytes, Inode& inode);

/// The blocks that the kernel looks up before it accepts an inode: what the part of the map that is
/// in the inode leads to, and the block of attributes. `claims` is replaced. False if that part of
/// the map is damaged.
bool claims_of(const Geometry& geometry, const Inode& inode, std::vector<Run>& claims);

/// The value of the attribute system.data, where data go that do not fit into Inode::map; without a
/// data pointer if there is none. `bytes` are all of the inode.
Bytes inline_value(Bytes bytes);

/// The seed of the checksums of a directory's blocks: its number and generation.
std::uint32_t checksum_seed_of(const Geometry& geometry, std::uint64_t number,
                               std::uint32_t generation);

// From a directory's map to its blocks

/// A node of an extent tree or of an old block map that lies in a block of its own.
struct MapNode {
  std::uint64_t physical = 0;
  std::uint64_t logical = 0;  ///< first block of the file below it
  std::uint64_t end = 0;      ///< of the file's blocks below it: the one behind the last
  std::uint32_t depth = 0;    ///< nodes below it: 0 for a leaf
};

/// What one node says: runs where it is a leaf, nodes where it is not; in the order of `logical`.
/// All physical blocks are checked to lie on the device, all logical ones to be below `limit` and
/// to rise, so that who follows them ends.
struct MapPart {
  std::vector<Run> runs{};
  std::vector<MapNode> nodes{};
};

/// The beginning of the map that is in the inode itself, extents or old block map. `limit`: blocks
/// that the file has by its size. False when it is damaged, or has what a directory never has
/// (unwritten runs).
bool decode_map(const Geometry& geometry, const Inode& inode, std::uint64_t limit, MapPart& part);

/// The same of `node`, whose block was read into `bytes`; extent nodes are verified with `seed`.
bool decode_map_node(const Geometry& geometry, const Inode& inode, const MapNode& node, Bytes bytes,
                     std::uint32_t seed, std::uint64_t limit, MapPart& part);

// Directories

/// What a block of a directory turned out to be.
enum class BlockState : std::uint8_t {
  sound,  ///< lengths add up, names are names, the checksum (where there are any) is right
  torn,   ///< otherwise: read while it was written, or damaged
};

/// `logical` is the number of the block in its directory: the first of an indexed one is its root.
BlockState check_directory_block(const Geometry& geometry, const Inode& directory,
                                 std::uint64_t logical, std::uint32_t seed, Bytes block);

// Hash trees

/// How the names of a directory are hashed.
struct NameHash {
  std::uint8_t version = 0;
  bool is_signed = false;
  std::array<std::uint32_t, 4> seed{};
};
std::uint32_t hash_of_name(const NameHash& kind, std::string_view name);

/// A block of the directory, and the hashes of the names in it or below it. Hashes are even; an odd
/// `begin` means that names of the hash before are here as well as in the block before.
struct HashRange {
  std::uint64_t block = 0;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  bool is_leaf = false;

  bool has(std::uint32_t hash) const { return hash >= (begin & ~std::uint64_t{1}) && hash < end; }
};

/// The root of a hash tree, a sound block; its branches are appended to `below`. False for what the
/// kernel does not follow.
bool decode_hash_root(const Geometry& geometry, Bytes block, NameHash& kind, std::uint32_t& levels,
                      std::vector<HashRange>& below);
/// The same of a node, a sound block too.
bool decode_hash_node(Bytes block, const HashRange& above, bool to_leaves,
                      std::vector<HashRange>& below);
bool is_hash_node(Bytes block);
/// Appends the hashes of a sound leaf's names. False if one belongs to another leaf.
bool add_leaf_hashes(const NameHash& kind, const HashRange& leaf, Bytes block,
                     std::vector<std::uint32_t>& hashes);

/// What "." and ".." of the first block lead to (0 where there are none).
struct Dots {
  std::uint64_t self = 0;
  std::uint64_t parent = 0;
};
Dots dots_of(const Geometry& geometry, Bytes first_block);

/// Appends the names of a sound part but "." and ".."; or hashes of them, which tell them apart but
/// for a rare chance.
void add_names(Bytes part, std::vector<std::string_view>& names);
void add_hashes(Bytes part, std::vector<std::uint32_t>& hashes);

/// Packs the entries of a sound block, from `position` on, but "." and "..", into `packed`
/// (which is not cleared). True when all are in; else `position` is where to go on.
bool pack_entries(const Geometry& geometry, Bytes block, std::size_t& position,
                  DirentBlock& packed);

/// Data of a directory that lies in its inode: `bytes` are all of the inode. The number of the
/// parent, and up to two parts that are laid out like blocks (without dots). False when damaged.
struct InlineDirectory {
  std::uint64_t parent = 0;
  std::array<Bytes, 2> parts{};
};
bool decode_inline_directory(const Geometry& geometry, const Inode& inode, Bytes bytes,
                             InlineDirectory& directory);
/// Whether lengths add up and names are names in such a part.
bool check_inline_part(const Geometry& geometry, Bytes part);

}  // namespace ffind::os::ext
