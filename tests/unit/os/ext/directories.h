// SPDX-License-Identifier: MIT
// What the tests of ext4's directories share: whether a block is sound, what is packed of it, and
// blocks of hash trees. Built from structures.h.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "unit/os/ext/structures.h"

namespace ffind::testing {

/// Of all checksums of directories in these tests.
inline constexpr std::uint32_t directory_seed = 0x4711;
inline constexpr std::uint32_t indexed_flag = 0x1000;

inline bool is_sound(const os::ext::Geometry& geometry, const Block& block, std::uint32_t flags = 0,
                     std::uint64_t logical = 1) {
  os::ext::Inode inode;
  inode.flags = flags;
  return is_sound_block(geometry, inode, logical, directory_seed, block.bytes());
}

/// The same of an ordinary block whose checksum is right.
inline bool has_sound_entries(const os::ext::Geometry& geometry, Block block) {
  return is_sound(geometry, put_tail(block, directory_seed));
}

using Entries = std::vector<std::string>;

/// "name number type" of each.
inline Entries entries_of(os::ext::Bytes bytes) {
  Entries entries;
  os::DirentBlock packed;
  std::size_t position = 0;
  if (!os::ext::pack_entries(bytes, position, packed) || position != bytes.size()) {
    throw std::runtime_error("not all are packed");
  }
  os::Dirent dirent;
  while (packed.next(dirent)) {
    entries.push_back(std::string(dirent.name) + " " + std::to_string(dirent.inode) + " " +
                      std::string(to_text(dirent.type)));
  }
  return entries;
}

/// The first block of a directory without an index, with its checksum.
inline Block first_block() {
  DirectoryBlock block(4096);
  block.entry(".", 2, 2).entry("..", 2, 2).entry("name", 12).entry("removed", 0);
  return block.last("last", 13, 7).tail(directory_seed).block;
}

/// Puts the checksum of a block of a hash tree that has two entries.
inline Block& sealed(Block& block, bool root) {
  const std::size_t end = (root ? 32U : 8U) + 16;
  Block covered(end + 8);
  for (std::size_t i = 0; i < end; ++i) covered.u8(i, block.get(i, 1));
  covered.u32(end, block.get(block.size() - 8, 4));
  return block.u32(block.size() - 4, covered.crc(directory_seed, 0, covered.size()));
}

/// The root of a hash tree, or (without `root`) a node of it, with two entries.
inline Block hashes(std::uint32_t size, bool root) {
  Block block(size);
  if (root) {
    block.u32(0, 100).u16(4, 12).u8(6, 1).u8(7, 2).text(8, ".");
    block.u32(12, 2).u16(16, size - 12).u8(18, 2).u8(19, 2).text(20, "..");
    block.u8(28, 1).u8(29, 8);
  } else {
    block.u16(4, size);
  }
  const std::size_t at = root ? 32 : 8;
  block.u16(at, (size - 8 - at) / 8).u16(at + 2, 2).u32(at + 4, 1).u32(at + 8, 5).u32(at + 12, 2);
  return sealed(block, root);
}

}  // namespace ffind::testing
