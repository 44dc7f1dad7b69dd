// SPDX-License-Identifier: MIT
// Fuzzes the superblock of ext4 and what is found by it. Input: a byte whose first bit asks for the
// right checksum, an inode's number, three words of a descriptor (the table's place and its upper
// half), and the superblock.
#include <string>

#include "fuzz/ext.h"

namespace ffind::fuzz::ext_superblock_fuzz {

namespace {

using namespace os::ext;

void check_groups(const Geometry& geometry, std::uint32_t some) {
  for (const std::uint32_t group : {0U, some % geometry.groups, geometry.groups - 1}) {
    const Position position = descriptor_position(geometry, group);
    require(position.block != 0 && position.block < geometry.blocks,
            "descriptors lie on the device");
    require(position.offset + geometry.descriptor_size <= geometry.block_size,
            "descriptors lie in their block");
  }
}

void check_table(const Geometry& geometry, std::uint32_t group, std::uint32_t low,
                 std::uint32_t high) {
  std::vector<unsigned char> descriptor(geometry.descriptor_size);
  put_le32(descriptor.data() + 8, low);
  put_le32(descriptor.data() + 40, high);
  const std::uint64_t table = inode_table_of(geometry, group, descriptor);
  const std::uint64_t size = std::uint64_t{geometry.inodes_per_group} * geometry.inode_size;
  require(table < geometry.blocks, "a table begins on the device");
  require(table == 0 || size <= (geometry.blocks - table) * geometry.block_size,
          "a table ends on the device");
  require(inode_table_of(geometry, geometry.groups, descriptor) == 0, "no group, no table");
  descriptor.pop_back();
  require(inode_table_of(geometry, group, descriptor) == 0, "half a descriptor is none");
}

}  // namespace

FUZZ_TARGET(ext_superblock) {
  Input input(data, size);
  const bool repair = (input.take<std::uint8_t>() & 1U) != 0;
  const auto number = input.take<std::uint32_t>();
  const auto group = input.take<std::uint32_t>();
  const auto low = input.take<std::uint32_t>();
  const auto high = input.take<std::uint32_t>();
  std::vector<unsigned char> bytes = bytes_of(input, superblock_size);
  if (repair) {
    put_le32(&bytes[1020], os::crc32c(~0U, os::ext::Bytes(bytes).first(1020)));
  }
  Geometry geometry;
  if (!decode_superblock(bytes, geometry).empty()) return 0;
  require(geometry.block_size >= 1024 && geometry.block_size <= 65536 &&
              (geometry.block_size & (geometry.block_size - 1)) == 0,
          "blocks have a size");
  require(geometry.inode_size >= 128 && geometry.inode_size <= geometry.block_size &&
              geometry.block_size % geometry.inode_size == 0,
          "inodes fit into blocks");
  require(geometry.blocks <= INT64_MAX / geometry.block_size, "the volume has a size in bytes");
  require(geometry.groups != 0, "there is a group");
  check_groups(geometry, group);
  check_table(geometry, group % geometry.groups, low, high);
  std::uint32_t found = 0;
  std::uint64_t offset = 0;
  for (const std::uint64_t inode : {std::uint64_t{number}, root_inode, geometry.inodes}) {
    if (!locate_inode(geometry, inode, found, offset)) continue;
    require(inode != 0 && inode <= geometry.inodes, "inodes have numbers");
    require(found < geometry.groups, "inodes lie in a group");
    require(offset / geometry.inode_size < geometry.inodes_per_group, "inodes lie in the table");
  }
  require(!locate_inode(geometry, geometry.inodes + 1, found, offset), "there is a last inode");
  return 0;
}

}  // namespace ffind::fuzz::ext_superblock_fuzz
