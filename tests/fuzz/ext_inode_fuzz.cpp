// SPDX-License-Identifier: MIT
// Fuzzes inodes of ext4 and the extents in them. Input: features of the volume
// (fuzz/ext.h), a byte whose first bit asks for the right checksum, the number of the inode, and
// its bytes.
#include "fuzz/ext.h"

namespace ffind::fuzz::ext_inode_fuzz {

namespace {

using namespace os;
using namespace os::ext;

/// Bit by bit, so that a mistake in how the parts are joined is not made twice.
std::uint32_t slow_crc(std::uint32_t crc, unsigned char byte) {
  crc ^= byte;
  for (int bit = 0; bit < 8; ++bit) crc = crc >> 1U ^ ((crc & 1U) != 0 ? 0x82F63B78U : 0);
  return crc;
}

void repair_checksum(const Geometry& geometry, std::uint32_t number,
                     std::vector<unsigned char>& bytes) {
  const bool has_high = bytes.size() > 128 && bytes[128] + 256 * bytes[129] >= 4;
  put_le16(&bytes[124], 0);
  if (has_high) put_le16(&bytes[130], 0);
  std::uint32_t crc = geometry.checksum_seed;
  for (unsigned i = 0; i < 4; ++i) crc = slow_crc(crc, static_cast<unsigned char>(number >> 8 * i));
  for (std::size_t i = 0; i < 4; ++i) crc = slow_crc(crc, bytes[100 + i]);
  for (const unsigned char byte : bytes) crc = slow_crc(crc, byte);
  put_le16(&bytes[124], crc);
  if (has_high) put_le16(&bytes[130], crc >> 16U);
}

}  // namespace

FUZZ_TARGET(ext_inode) {
  Input input(data, size);
  const Geometry geometry = ext_volume(input.take<std::uint8_t>());
  const bool repair = (input.take<std::uint8_t>() & 1U) != 0;
  const auto number = input.take<std::uint32_t>();
  std::vector<unsigned char> bytes = bytes_of(input, geometry.inode_size);
  if (repair) repair_checksum(geometry, number, bytes);

  Inode inode;
  const bool decoded = decode_inode(geometry, number, bytes, inode);
  const ext::Bytes most = ext::Bytes(bytes).first(bytes.size() - 1);
  Inode nothing;
  require(!decode_inode(geometry, number, most, nothing), "half an inode is none");
  if (!decoded) return 0;
  require((inode.known & ~(needs::metadata & ~needs::identity)) == 0, "no more is known");
  require(inode.metadata.inode == number, "the number is the inode's");
  require(inode.metadata.size <= INT64_MAX, "sizes are not negative");

  MapPart part;
  for (const std::uint64_t limit :
       {inode.metadata.size / geometry.block_size, std::uint64_t{UINT32_MAX}}) {
    if (!decode_map(geometry, inode, limit, part)) continue;
    require_rising(geometry, part, 0, limit);
  }
  return 0;
}

}  // namespace ffind::fuzz::ext_inode_fuzz
