// SPDX-License-Identifier: MIT
// ext4's structures byte by byte, by the offsets that Linux's Documentation/filesystems/ext4 gives,
// and its checksum bit by bit: shares nothing with the decoder that is tested with them.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "os/ext/layout.h"

namespace ffind::testing {

/// CRC-32C by its definition.
inline std::uint32_t plain_crc(std::uint32_t crc, const unsigned char* bytes, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) {
    crc ^= bytes[i];
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1U ^ ((crc & 1U) != 0 ? 0x82F63B78U : 0U);
  }
  return crc;
}

/// A block of zeros that values are put into.
class Block {
 public:
  explicit Block(std::size_t size) : bytes_(size) {}

  Block& u8(std::size_t at, std::uint64_t value) { return put(at, 1, value); }
  Block& u16(std::size_t at, std::uint64_t value) { return put(at, 2, value); }
  Block& u32(std::size_t at, std::uint64_t value) { return put(at, 4, value); }
  Block& text(std::size_t at, std::string_view value) {
    for (std::size_t i = 0; i < value.size(); ++i) u8(at + i, static_cast<unsigned char>(value[i]));
    return *this;
  }
  Block& flip(std::size_t bit) {
    bytes_[bit / 8] = static_cast<unsigned char>(bytes_[bit / 8] ^ 1U << bit % 8);
    return *this;
  }
  std::uint32_t get(std::size_t at, std::size_t size) const {
    std::uint32_t value = 0;
    for (std::size_t i = size; i-- > 0;) value = value << 8U | bytes_.at(at + i);
    return value;
  }
  std::uint32_t crc(std::uint32_t seed, std::size_t begin, std::size_t end) const {
    if (end > bytes_.size()) throw std::out_of_range("Block::crc");
    return plain_crc(seed, bytes_.data() + begin, end - begin);
  }
  std::size_t size() const { return bytes_.size(); }
  /// In memory of exactly that size, so that a sanitizer sees a byte too many.
  os::ext::Bytes bytes() const { return bytes_; }

 private:
  Block& put(std::size_t at, std::size_t size, std::uint64_t value) {
    for (std::size_t i = 0; i < size; ++i) {
      bytes_.at(at + i) = static_cast<unsigned char>(value >> 8 * i);
    }
    return *this;
  }

  std::vector<unsigned char> bytes_;
};

/// Puts the checksum's entry at the end of a directory's block.
inline Block& put_tail(Block& block, std::uint32_t seed) {
  const std::size_t at = block.size() - 12;
  return block.u32(at, 0).u16(at + 4, 12).u16(at + 6, 0xDE00).u32(at + 8, block.crc(seed, 0, at));
}

/// Puts entries one behind the other.
class DirectoryBlock {
 public:
  explicit DirectoryBlock(std::size_t size) : block(size) {}

  /// `length` 0: what the name needs.
  DirectoryBlock& entry(std::string_view name, std::uint64_t inode, std::uint64_t type = 1,
                        std::size_t length = 0) {
    if (length == 0) length = (8 + name.size() + 3) / 4 * 4;
    block.u32(at, inode).u16(at + 4, length).u8(at + 6, name.size()).u8(at + 7, type);
    block.text(at + 8, name);
    at += length;
    return *this;
  }
  /// One that covers what is left before the checksum's entry.
  DirectoryBlock& last(std::string_view name, std::uint64_t inode, std::uint64_t type = 1) {
    return entry(name, inode, type, block.size() - at - 12);
  }
  DirectoryBlock& tail(std::uint32_t seed) {
    put_tail(block, seed);
    return *this;
  }

  Block block;
  std::size_t at = 0;
};

/// A volume of 4 KiB blocks and large inodes, as mkfs.ext4 makes it today.
inline os::ext::Geometry ext4_geometry() {
  os::ext::Geometry geometry;
  geometry.block_size = 4096;
  geometry.blocks = 100000;
  geometry.blocks_per_group = 32768;
  geometry.inodes_per_group = 8192;
  geometry.inodes = 32768;
  geometry.groups = 4;
  geometry.inode_size = 256;
  geometry.descriptor_size = 64;
  geometry.first_inode = 11;
  geometry.directory_index = true;
  geometry.checksum_seed = 0x01020304;
  return geometry;
}

}  // namespace ffind::testing
