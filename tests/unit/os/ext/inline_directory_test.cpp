// SPDX-License-Identifier: MIT
// Directories of ext4 that lie in their inode, in one part or two, and damaged ones.

#include "catch.h"
#include "unit/os/ext/directories.h"

namespace ffind::inline_directory_test {
namespace {

using namespace os::ext;
using testing::Block;
using testing::DirectoryBlock;
using testing::Entries;
using testing::entries_of;
using testing::plain_geometry;

/// An inode with a directory in it: two entries in the map, and `value` as the attribute.
Block inline_inode(const Block& value) {
  Block inode(256);
  inode.u16(0, 040755).u16(26, 2).u32(32, 0x10000000).u16(128, 32);
  inode.u32(40, 2);
  inode.u32(44, 12).u16(48, 16).u8(50, 3).u8(51, 1).text(52, "one");
  inode.u32(60, 13).u16(64, 40).u8(66, 3).u8(67, 2).text(68, "two");
  inode.u32(160, 0xEA020000).u8(164, 4).u8(165, 7).u16(166, 92 - value.size());
  inode.u32(172, value.size()).text(180, "data");
  for (std::size_t i = 0; i < value.size(); ++i) {
    inode.u8(256 - value.size() + i, value.get(i, 1));
  }
  return inode;
}

bool decode_inline(const Block& raw, InlineDirectory& directory) {
  Inode inode;
  return decode_inode(plain_geometry(), 100, raw.bytes(), inode) &&
         decode_inline_directory(plain_geometry(), inode, raw.bytes(), directory);
}

TEST_CASE("ext directory: one in the inode has two parts") {
  DirectoryBlock value(32);
  value.entry("three", 14).last("four", 15);
  const Block raw = inline_inode(value.block);
  InlineDirectory directory;
  REQUIRE(decode_inline(raw, directory));
  CHECK(directory.parent == 2);
  CHECK(entries_of(plain_geometry(), directory.parts[0]) ==
        Entries{"one 12 file", "two 13 directory"});
  CHECK(entries_of(plain_geometry(), directory.parts[1]) ==
        Entries{"three 14 file", "four 15 file"});

  const Block small = inline_inode(Block(0));
  REQUIRE(decode_inline(small, directory));
  CHECK(directory.parts[1].empty());
  CHECK(check_inline_part(plain_geometry(), {}));
}

TEST_CASE("ext directory: a damaged one in the inode is refused") {
  DirectoryBlock value(32);
  value.entry("three", 14).last("four", 15);
  const Block good = inline_inode(value.block);
  InlineDirectory directory;
  REQUIRE(decode_inline(good, directory));
  CHECK_FALSE(decode_inline(Block(good).u32(40, 0), directory));
  CHECK_FALSE(decode_inline(Block(good).u32(40, 32769), directory));
  CHECK_FALSE(decode_inline(Block(good).u16(64, 44), directory));  // beyond its part
  CHECK_FALSE(decode_inline(Block(good).u16(64, 36), directory));
  CHECK_FALSE(decode_inline(Block(good).text(68, "t/o"), directory));
  CHECK_FALSE(decode_inline(Block(good).text(232, "t/o"), directory));
  CHECK_FALSE(decode_inline(Block(good).u32(160, 0), directory));
  CHECK_FALSE(decode_inline(Block(good).u32(32, 0), directory));
  for (std::size_t bit = 0; bit < 256 * 8; ++bit) {
    Block flipped = good;
    decode_inline(flipped.flip(bit), directory);
  }
  Inode inode;
  REQUIRE(decode_inode(plain_geometry(), 100, good.bytes(), inode));
  CHECK_FALSE(decode_inline_directory(plain_geometry(), inode, good.bytes().first(255), directory));
}

}  // namespace
}  // namespace ffind::inline_directory_test
