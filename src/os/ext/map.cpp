// SPDX-License-Identifier: MIT
// From the blocks of a file to the blocks of the device: ext4's extent trees, and the block maps of
// ext2 and ext3. See layout.h.
#include <ext2fs/ext2_fs.h>
#include <ext2fs/ext3_extents.h>

#include <algorithm>
#include <cstddef>
#include <limits>

#include "os/ext/crc32c.h"
#include "os/ext/layout.h"
#include "os/formats/little_endian.h"

namespace ffind::os::ext {

namespace {

constexpr std::uint32_t most_depth = 5;  // Linux's EXT4_MAX_EXTENT_DEPTH

bool is_on_device(const Geometry& geometry, std::uint64_t block, std::uint64_t count) {
  return block > geometry.first_data_block && block < geometry.blocks &&
         count <= geometry.blocks - block;
}

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

/// Where in the file the entries of a node may lead.
struct Range {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

std::uint64_t wide_block(std::uint32_t low, std::uint16_t high) {
  return std::uint64_t{high} << 32U | low;
}

bool decode_extents(const Geometry& geometry, Bytes entries, Range range, MapPart& part) {
  std::uint64_t from = range.begin;
  for (std::size_t at = 0; at < entries.size(); at += sizeof(ext3_extent)) {
    const unsigned char* const entry = entries.data() + at;
    Run run;
    run.logical = le32(entry + offsetof(ext3_extent, ee_block));
    run.count = le16(entry + offsetof(ext3_extent, ee_len));
    run.physical = wide_block(le32(entry + offsetof(ext3_extent, ee_start)),
                              le16(entry + offsetof(ext3_extent, ee_start_hi)));
    // Longer ones are not written yet.
    if (run.count == 0 || run.count > EXT_INIT_MAX_LEN) return false;
    if (run.logical < from || run.logical >= range.end || run.count > range.end - run.logical ||
        !is_on_device(geometry, run.physical, run.count)) {
      return false;
    }
    add_run(part, run);
    from = run.logical + run.count;
  }
  return true;
}

bool decode_index(const Geometry& geometry, Bytes entries, Range range, std::uint32_t depth,
                  MapPart& part) {
  std::uint64_t from = range.begin;
  for (std::size_t at = 0; at < entries.size(); at += sizeof(ext3_extent_idx)) {
    const unsigned char* const entry = entries.data() + at;
    MapNode node;
    node.logical = le32(entry + offsetof(ext3_extent_idx, ei_block));
    node.physical = wide_block(le32(entry + offsetof(ext3_extent_idx, ei_leaf)),
                               le16(entry + offsetof(ext3_extent_idx, ei_leaf_hi)));
    node.end = range.end;
    node.depth = depth - 1;
    if (node.logical < from || node.logical >= range.end ||
        !is_on_device(geometry, node.physical, 1)) {
      return false;
    }
    if (!part.nodes.empty()) part.nodes.back().end = node.logical;
    part.nodes.push_back(node);
    from = node.logical + 1;
  }
  return true;
}

/// A header and its entries. `bytes` end where the last possible entry may end.
bool decode_extent_node(const Geometry& geometry, Bytes bytes, std::uint32_t depth, Range range,
                        MapPart& part) {
  constexpr std::size_t header = sizeof(ext3_extent_header);
  static_assert(sizeof(ext3_extent) == sizeof(ext3_extent_idx));
  const std::size_t entries = le16(bytes.data() + offsetof(ext3_extent_header, eh_entries));
  const std::size_t most = le16(bytes.data() + offsetof(ext3_extent_header, eh_max));
  if (le16(bytes.data() + offsetof(ext3_extent_header, eh_magic)) != EXT3_EXT_MAGIC ||
      le16(bytes.data() + offsetof(ext3_extent_header, eh_depth)) != depth || most == 0 ||
      most > (bytes.size() - header) / sizeof(ext3_extent) || entries > most) {
    return false;
  }
  const Bytes all = bytes.subspan(header, entries * sizeof(ext3_extent));
  if (depth == 0) return decode_extents(geometry, all, range, part);
  return entries != 0 && decode_index(geometry, all, range, depth, part);
}

/// The checksum lies behind the last possible entry, and covers all before it.
bool has_right_extent_tail(Bytes block, std::uint32_t seed) {
  const std::size_t most = le16(block.data() + offsetof(ext3_extent_header, eh_max));
  const std::size_t tail = sizeof(ext3_extent_header) + most * sizeof(ext3_extent);
  if (tail + sizeof(ext3_extent_tail) > block.size()) return false;
  return crc32c(seed, block.first(tail)) == le32(block.data() + tail);
}

// Block maps

/// A slot of a block map: 0 for a hole, otherwise a block of the file, or of slots one level down.
bool decode_slot(const Geometry& geometry, std::uint32_t block, std::uint32_t depth, Range range,
                 std::uint64_t limit, MapPart& part) {
  if (block == 0) return true;
  if (range.begin >= limit || !is_on_device(geometry, block, 1)) return false;
  if (depth == 0) {
    add_run(part, {range.begin, block, 1});
  } else {
    part.nodes.push_back({block, range.begin, std::min(range.end, limit), depth - 1});
  }
  return true;
}

/// Slots that all lead down to blocks of the file in `depth` steps.
bool decode_slots(const Geometry& geometry, Bytes slots, std::uint64_t logical, std::uint32_t depth,
                  std::uint64_t limit, MapPart& part) {
  std::uint64_t covered = 1;
  for (std::uint32_t i = 0; i < depth; ++i) covered *= geometry.block_size / 4;
  for (std::size_t at = 0; at + 4 <= slots.size(); at += 4, logical += covered) {
    const Range range{logical, logical + covered};
    if (!decode_slot(geometry, le32(slots.data() + at), depth, range, limit, part)) return false;
  }
  return true;
}

bool decode_block_map(const Geometry& geometry, Bytes map, std::uint64_t limit, MapPart& part) {
  constexpr std::size_t direct = EXT2_NDIR_BLOCKS;
  std::uint64_t logical = direct;
  std::uint64_t covered = 1;
  if (!decode_slots(geometry, map.first(direct * 4), 0, 0, limit, part)) return false;
  for (std::uint32_t depth = 1; depth <= EXT2_N_BLOCKS - EXT2_IND_BLOCK; ++depth) {
    const Bytes slot = map.subspan((direct + depth - 1) * 4, 4);
    covered *= geometry.block_size / 4;
    if (!decode_slots(geometry, slot, logical, depth, limit, part)) return false;
    logical += covered;
  }
  return true;
}

/// The root of an extent tree as ext4_ext_check_inode takes it, unwritten runs and such behind the
/// end of the file included.
bool add_extent_claims(Bytes root, std::vector<Run>& claims) {
  constexpr std::size_t header = sizeof(ext3_extent_header);
  const std::size_t entries = le16(root.data() + offsetof(ext3_extent_header, eh_entries));
  const std::size_t most = le16(root.data() + offsetof(ext3_extent_header, eh_max));
  const std::uint32_t depth = le16(root.data() + offsetof(ext3_extent_header, eh_depth));
  if (le16(root.data() + offsetof(ext3_extent_header, eh_magic)) != EXT3_EXT_MAGIC ||
      depth > most_depth || most == 0 || most > (root.size() - header) / sizeof(ext3_extent) ||
      entries > most || (entries == 0 && depth > 0)) {
    return false;
  }
  std::uint64_t from = 0;
  for (std::size_t at = header; at < header + entries * sizeof(ext3_extent);
       at += sizeof(ext3_extent)) {
    const unsigned char* const entry = root.data() + at;
    Run run{.logical = le32(entry), .count = 1};
    if (depth == 0) {
      run.count = le16(entry + offsetof(ext3_extent, ee_len));
      if (run.count > EXT_INIT_MAX_LEN) run.count -= EXT_INIT_MAX_LEN;
      run.physical = wide_block(le32(entry + offsetof(ext3_extent, ee_start)),
                                le16(entry + offsetof(ext3_extent, ee_start_hi)));
    } else {
      run.physical = wide_block(le32(entry + offsetof(ext3_extent_idx, ei_leaf)),
                                le16(entry + offsetof(ext3_extent_idx, ei_leaf_hi)));
    }
    if (run.count == 0 || run.logical < from) return false;
    from = run.logical + run.count;
    if (from > std::numeric_limits<std::uint32_t>::max()) return false;
    claims.push_back(run);
  }
  return true;
}

}  // namespace

bool claims_of(const Geometry&, const Inode& inode, std::vector<Run>& claims) {
  claims.clear();
  if (inode.attribute_block != 0) {
    claims.push_back({.physical = inode.attribute_block, .count = 1});
  }
  const FileType type = type_of_mode(inode.metadata.mode);
  const bool long_link = type == FileType::symlink && inode.metadata.size >= inode.map.size();
  const bool has_map = type == FileType::file || type == FileType::directory || long_link;
  if (!has_map || inode.has_inline_data()) return true;
  if (inode.has_extents()) return add_extent_claims(inode.map, claims);
  for (std::size_t slot = 0; slot < EXT2_NDIR_BLOCKS; ++slot) {
    const std::uint32_t block = le32(inode.map.data() + 4 * slot);
    if (block != 0) claims.push_back({.physical = block, .count = 1});
  }
  return true;
}

bool decode_map(const Geometry& geometry, const Inode& inode, std::uint64_t limit, MapPart& part) {
  part.runs.clear();
  part.nodes.clear();
  if (inode.has_inline_data()) return false;
  const Bytes map = inode.map;
  if (!inode.has_extents()) return decode_block_map(geometry, map, limit, part);
  const std::uint32_t depth = le16(map.data() + offsetof(ext3_extent_header, eh_depth));
  return depth <= most_depth && decode_extent_node(geometry, map, depth, {0, limit}, part);
}

bool decode_map_node(const Geometry& geometry, const Inode& inode, const MapNode& node, Bytes bytes,
                     std::uint32_t seed, std::uint64_t limit, MapPart& part) {
  part.runs.clear();
  part.nodes.clear();
  if (bytes.size() < geometry.block_size) return false;
  bytes = bytes.first(geometry.block_size);
  const Range range{node.logical, std::min(node.end, limit)};
  if (range.begin >= range.end) return false;
  if (!inode.has_extents()) {
    return decode_slots(geometry, bytes, range.begin, node.depth, range.end, part);
  }
  if (geometry.checksums && !has_right_extent_tail(bytes, seed)) return false;
  return decode_extent_node(geometry, bytes, node.depth, range, part);
}

}  // namespace ffind::os::ext
