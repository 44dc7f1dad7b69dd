// SPDX-License-Identifier: MIT
// What the fuzz targets of ext4's format share: a small volume whose features the input picks, and
// what any part of a map has to keep to, so that whoever follows it ends.
#pragma once

#include <vector>

#include "fuzz/fuzz.h"
#include "os/ext/crc32c.h"
#include "os/ext/layout.h"

namespace ffind::fuzz {

inline os::ext::Geometry ext_volume(std::uint8_t features) {
  os::ext::Geometry geometry;
  geometry.block_size = 1024;
  geometry.blocks = 1U << 20U;
  geometry.first_data_block = 1;
  geometry.blocks_per_group = 8192;
  geometry.groups = 128;
  geometry.inodes_per_group = 512;
  geometry.inodes = 65536;
  geometry.inode_size = (features & 1U) != 0 ? 256 : 128;
  geometry.descriptor_size = 64;
  geometry.first_inode = 11;
  geometry.short_owners = (features & 32U) != 0;
  geometry.checksum_seed = 0x12345678;
  return geometry;
}

inline void put_le16(unsigned char* at, std::uint32_t value) {
  at[0] = static_cast<unsigned char>(value);
  at[1] = static_cast<unsigned char>(value >> 8U);
}
inline void put_le32(unsigned char* at, std::uint32_t value) {
  put_le16(at, value);
  put_le16(at + 2, value >> 16U);
}

/// `size` bytes, of which those come from the input that there are.
inline std::vector<unsigned char> bytes_of(const Input& input, std::size_t size) {
  std::vector<unsigned char> bytes(size);
  std::copy_n(input.data(), std::min(size, input.size()), bytes.begin());
  return bytes;
}

/// Depths have to fall by one, and blocks of the file to rise, from node to node.
inline void require_rising(const os::ext::Geometry& geometry, const os::ext::MapPart& part,
                           std::uint64_t begin, std::uint64_t end) {
  for (const os::ext::Run& run : part.runs) {
    require(run.count != 0 && run.logical >= begin && run.logical < end &&
                run.count <= end - run.logical,
            "runs rise and lie in their range");
    require(run.physical != 0 && run.physical < geometry.blocks &&
                run.count <= geometry.blocks - run.physical,
            "runs lie on the device");
    begin = run.logical + run.count;
  }
  for (const os::ext::MapNode& node : part.nodes) {
    require(node.logical >= begin && node.logical < node.end && node.end <= end,
            "nodes rise and lie in their range");
    require(node.physical != 0 && node.physical < geometry.blocks, "nodes lie on the device");
    require(node.depth < 5, "trees end");
    begin = node.end;
  }
}

}  // namespace ffind::fuzz
