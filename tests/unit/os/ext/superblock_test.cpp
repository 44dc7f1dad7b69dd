// SPDX-License-Identifier: MIT
// ext4's superblock: what is read, what is refused and why, and where groups and inodes lie by it.
#include <string>

#include "catch.h"
#include "unit/os/ext/structures.h"

namespace ffind::superblock_test {
namespace {

using namespace os::ext;
using testing::Block;

Block& sealed(Block& super) {
  return super.u32(0x3FC, super.crc(~0U, 0, 0x3FC));
}

/// 3 groups and a piece, as mkfs.ext4 makes them; sealed() puts the checksum.
Block superblock(std::uint32_t log_size = 2) {
  const std::uint32_t block_size = 1024U << log_size;
  Block super(1024);
  super.u32(0, 4 * 512).u32(4, 3 * 8 * block_size + 100).u32(0x10, 1234);
  super.u32(0x14, log_size == 0 ? 1 : 0).u32(0x18, log_size).u32(0x1C, log_size);
  super.u32(0x20, 8 * block_size).u32(0x24, 8 * block_size).u32(0x28, 512);
  super.u16(0x38, 0xEF53).u32(0x4C, 1).u32(0x54, 11).u16(0x58, 256);
  super.u32(0x60, 0x2C2).u32(0x64, 0x46B).text(0x68, "the volume's own").u16(0xFE, 64);
  return super.u8(0x175, 1);
}

std::string refusal(Block super) {
  Geometry geometry;
  sealed(super);
  return decode_superblock(super.bytes(), geometry);
}

Geometry geometry_of(Block super) {
  Geometry geometry;
  sealed(super);
  REQUIRE(decode_superblock(super.bytes(), geometry) == "");
  return geometry;
}

TEST_CASE("ext superblock: every field is read") {
  const Geometry geometry = geometry_of(superblock());
  CHECK(geometry.block_size == 4096);
  CHECK(geometry.blocks == 3 * 32768 + 100);
  CHECK(geometry.first_data_block == 0);
  CHECK(geometry.blocks_per_group == 32768);
  CHECK(geometry.inodes_per_group == 512);
  CHECK(geometry.inodes == 2048);
  CHECK(geometry.groups == 4);
  CHECK(geometry.inode_size == 256);
  CHECK(geometry.descriptor_size == 64);
  CHECK(geometry.first_inode == 11);
  CHECK_FALSE(geometry.short_owners);
  CHECK(std::string(geometry.uuid.begin(), geometry.uuid.end()) == "the volume's own");
  CHECK(geometry_of(superblock().u32(0x100, 0x10)).short_owners);
}

TEST_CASE("ext superblock: every size of block is read") {
  const std::uint32_t log_size = GENERATE(0U, 1U, 2U, 3U, 4U, 5U, 6U);
  const Geometry geometry = geometry_of(superblock(log_size));
  CHECK(geometry.block_size == 1024U << log_size);
  CHECK(geometry.groups == 4);
  // Behind the superblock, which is in the second block of 1 KiB and in the first of any other.
  CHECK(descriptor_position(geometry, 0).block == (log_size == 0 ? 2 : 1));
}

TEST_CASE("ext superblock: numbers of blocks have 64 bits") {
  Block super = superblock().u32(0x150, 1);
  const std::uint64_t groups = ((std::uint64_t{1} << 32U) + 3 * 32768 + 100 + 32767) / 32768;
  super.u32(0x28, 32).u32(0, groups * 32);
  const Geometry geometry = geometry_of(super);
  CHECK(geometry.blocks == (std::uint64_t{1} << 32U) + 3 * 32768 + 100);
  CHECK(geometry.groups == groups);
}

TEST_CASE("ext superblock: what is not made like that is refused with a reason") {
  constexpr std::uint32_t needed = 0x2C2;
  constexpr std::uint32_t known = 0x32786 | needed;
  for (std::uint32_t bit = 0; bit < 32; ++bit) {
    CAPTURE(bit);
    const std::string reason = refusal(superblock().u32(0x60, needed | 1U << bit));
    CHECK(reason.empty() == ((known & 1U << bit) != 0));
  }
  CHECK(refusal(superblock().u32(0x60, needed | 0x40000)) == "it has the unknown feature 0x40000");
  CHECK(refusal(superblock().u32(0x60, needed | 0x80100020)) == "it has the unknown feature 0x20");
  CHECK(refusal(superblock().u32(0x60, needed | 0x10)) == "it has meta_bg");
  CHECK(refusal(superblock().u32(0x60, needed | 0x4000)) == "it has large_dir");
  CHECK(refusal(superblock().u32(0x60, needed | 0x8000)) == "it has inline_data");
  CHECK(refusal(superblock().u32(0x64, 0x66B)) == "it has bigalloc");
  CHECK(refusal(superblock().u32(0x5C, 0x200)) == "it has sparse_super2");
  CHECK(refusal(superblock().u32(0x60, 0x282)) == "it lacks extent");
  CHECK(refusal(superblock().u32(0x60, 0x242)) == "it lacks 64bit");
  CHECK(refusal(superblock().u32(0x60, 0x2C0)) == "it lacks filetype");
  CHECK(refusal(superblock().u32(0x64, 0x6B)) == "it lacks metadata_csum");
  CHECK(refusal(superblock().u32(0x64, 0x46A)) == "it lacks sparse_super");
  CHECK(refusal(superblock().u32(0x64, 0x463)) == "it lacks huge_file");
}

TEST_CASE("ext superblock: what only writers have to know may be unknown") {
  for (std::uint32_t bit = 0; bit < 32; ++bit) {
    CAPTURE(bit);
    if (bit != 9) CHECK(refusal(superblock().u32(0x64, 0x46B | 1U << bit)).empty());
    if (bit != 9) CHECK(refusal(superblock().u32(0x5C, 1U << bit)).empty());
  }
}

TEST_CASE("ext superblock: one that contradicts itself is refused") {
  struct Row {
    const char* what;
    std::size_t at;
    std::size_t size;
    std::uint64_t value;
  };
  const Row row = GENERATE(values<Row>({
      {"block size", 0x18, 4, 7},
      {"block size", 0x18, 4, 0xFFFFFFFF},
      {"no blocks", 4, 4, 0},
      {"more bytes than can be told", 0x150, 4, 0x7FFFFFFF},
      {"first block behind the last", 0x14, 4, 3 * 32768 + 100},
      {"no blocks in a group", 0x20, 4, 0},
      {"more than a block of bitmap", 0x20, 4, 32769},
      {"number of inodes", 0, 4, 2047},
      {"number of inodes", 0, 4, 0},
      {"inode size", 0x58, 2, 64},
      {"inode size", 0x58, 2, 192},
      {"inode size", 0x58, 2, 8192},
      {"first inode", 0x54, 4, 10},
      {"descriptor size", 0xFE, 2, 32},
      {"descriptor size", 0xFE, 2, 96},
      {"descriptor size", 0xFE, 2, 2048},
      {"revision", 0x4C, 4, 0},
  }));
  CAPTURE(row.what, row.value);
  Block super = superblock();
  if (row.size == 2) super.u16(row.at, row.value);
  if (row.size == 4) super.u32(row.at, row.value);
  CHECK(refusal(super) == "its superblock is inconsistent");
}

TEST_CASE("ext superblock: numbers that fit together, but to no volume") {
  const std::string reason = "its superblock is inconsistent";
  const std::uint64_t blocks = 3 * 32768 + 100;
  CHECK(refusal(superblock().u32(0x20, 8).u32(0, 512 * ((blocks + 7) / 8))).empty());
  CHECK(refusal(superblock().u32(0x20, 4).u32(0, 512 * (blocks / 4))) == reason);
  CHECK(refusal(superblock().u32(0x28, 16).u32(0, 4 * 16)).empty());
  CHECK(refusal(superblock().u32(0x28, 15).u32(0, 4 * 15)) == reason);
  CHECK(refusal(superblock().u32(0x28, 32768).u32(0, 4 * 32768)).empty());
  CHECK(refusal(superblock().u32(0x28, 32769).u32(0, 4 * 32769)) == reason);
  // No block for the descriptors.
  CHECK(refusal(superblock().u32(4, 2).u32(0, 512)).empty());
  CHECK(refusal(superblock().u32(4, 1).u32(0, 512)) == reason);
}

TEST_CASE("ext superblock: blocks of 1 KiB are counted from one") {
  CHECK(refusal(superblock(0).u32(0x14, 0).u32(4, 3 * 8192 + 99)) ==
        "its superblock is inconsistent");
}

TEST_CASE("ext superblock: no file system, or less than a superblock") {
  const std::string none = "its device contains no ext4";
  CHECK(refusal(superblock().u16(0x38, 0xEF52)) == none);
  CHECK(refusal(Block(1024)) == none);
  Geometry geometry;
  CHECK(decode_superblock(superblock().bytes().first(1023), geometry) == none);
  CHECK(decode_superblock({}, geometry) == none);
}

TEST_CASE("ext superblock: the checksum is over all of it") {
  Block super = superblock();
  sealed(super);
  const auto refusal = [](const Block& block) {
    Geometry geometry;
    return decode_superblock(block.bytes(), geometry);
  };
  const Geometry geometry = geometry_of(super);
  CHECK(geometry.checksum_seed == super.crc(~0U, 0x68, 0x78));
  std::size_t accepted = 0;
  for (std::size_t bit = 0; bit < 1024 * 8; ++bit) {
    Block flipped = super;
    if (refusal(flipped.flip(bit)).empty()) ++accepted;
  }
  CHECK(accepted == 0);
  CHECK(refusal(super.u8(0x200, 1)) == "its superblock does not match its checksum");
  CHECK(refusal(sealed(super.u8(0x175, 2))) == "its checksums have an unknown format");
  CHECK(refusal(sealed(super.u8(0x175, 1).u32(0x48, 3))) == "it was not made by Linux");
  super.u32(0x48, 0).u32(0x60, 0x22C2).u32(0x270, 0x55667788);
  CHECK(geometry_of(sealed(super)).checksum_seed == 0x55667788);
}

TEST_CASE("ext superblock: any bit may be wrong") {
  for (std::size_t bit = 0; bit < 1024 * 8; ++bit) {
    Geometry geometry;
    Block super = superblock().flip(bit);
    if (!decode_superblock(sealed(super).bytes(), geometry).empty()) continue;
    REQUIRE(descriptor_position(geometry, geometry.groups - 1).block < geometry.blocks);
  }
}

TEST_CASE("ext groups: descriptors lie in a row") {
  Geometry geometry = testing::ext4_geometry();
  geometry.groups = 1000;
  geometry.blocks = 1000 * 32768;
  CHECK(descriptor_position(geometry, 63).offset == 63 * 64);
  CHECK(descriptor_position(geometry, 63).block == 1);
  CHECK(descriptor_position(geometry, 64).block == 2);
  CHECK(descriptor_position(geometry, 64).offset == 0);
}

TEST_CASE("ext groups: a copy of the superblock is in powers of three, five and seven") {
  Geometry geometry = testing::ext4_geometry();
  geometry.groups = 1000;
  geometry.blocks = 1000 * 32768;
  const Block descriptor(64);
  std::string with_copy;
  for (std::uint32_t group = 0; group < 400; ++group) {
    std::vector<Run> runs;
    add_system_runs(geometry, group, descriptor.bytes(), runs);
    if (runs.size() > 3) with_copy += std::to_string(group) + " ";
  }
  CHECK(with_copy == "0 1 3 5 7 9 25 27 49 81 125 243 343 ");
}

TEST_CASE("ext groups: tables of inodes lie on the device") {
  Geometry geometry = testing::ext4_geometry();  // tables of 512 blocks
  Block descriptor(64);
  const auto table = [&](std::uint64_t low, std::uint64_t high) {
    return inode_table_of(geometry, 3, descriptor.u32(8, low).u32(40, high).bytes());
  };
  CHECK(table(1000, 0) == 1000);
  CHECK(table(0, 0) == 0);
  CHECK(table(100000 - 512, 0) == 100000 - 512);
  CHECK(table(100000 - 511, 0) == 0);
  CHECK(table(0xFFFFFFFF, 0) == 0);
  CHECK(table(1000, 1) == 0);
  CHECK(inode_table_of(geometry, 4, descriptor.u32(40, 0).bytes()) == 0);
  CHECK(inode_table_of(geometry, 3, descriptor.bytes().first(63)) == 0);
  geometry.blocks = std::uint64_t{1} << 40U;
  CHECK(table(1000, 1) == (std::uint64_t{1} << 32U) + 1000);
  geometry.first_data_block = 1;
  CHECK(table(1, 0) == 0);
}

TEST_CASE("ext groups: inodes are found by their number") {
  const Geometry geometry = testing::ext4_geometry();
  std::uint32_t group = 9;
  std::uint64_t offset = 9;
  for (const std::uint64_t none : {0U, 1U, 3U, 10U, 32769U}) {
    CAPTURE(none);
    CHECK_FALSE(locate_inode(geometry, none, group, offset));
  }
  REQUIRE(locate_inode(geometry, root_inode, group, offset));
  CHECK(group == 0);
  CHECK(offset == 256);
  REQUIRE(locate_inode(geometry, 8192, group, offset));
  CHECK(group == 0);
  CHECK(offset == 8191 * 256);
  REQUIRE(locate_inode(geometry, 32768, group, offset));
  CHECK(group == 3);
  CHECK(offset == 8191 * 256);
}

}  // namespace
}  // namespace ffind::superblock_test
