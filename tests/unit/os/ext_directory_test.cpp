// SPDX-License-Identifier: MIT
// ext4's directories: entries, names and checksums of their blocks, hash trees, directories that
// lie in the inode, and damaged ones.
#include <string>
#include <vector>

#include "catch.h"
#include "unit/os/ext_structures.h"

namespace ffind {
namespace {

using namespace os::ext;
using os::Dirent;
using os::DirentBlock;
using testing::Block;
using testing::DirectoryBlock;
using testing::ext4_geometry;

constexpr std::uint32_t seed = 0x4711;
constexpr std::uint32_t indexed = 0x1000;

Geometry plain_geometry() {
  Geometry geometry = ext4_geometry();
  geometry.checksums = false;
  return geometry;
}

bool is_sound(const Geometry& geometry, const Block& block, std::uint32_t flags = 0,
              std::uint64_t logical = 1) {
  Inode inode;
  inode.flags = flags;
  return check_directory_block(geometry, inode, logical, seed, block.bytes()) == BlockState::sound;
}

/// "name number type" of each, in as many steps as it takes.
std::vector<std::string> entries_of(const Geometry& geometry, Bytes bytes) {
  std::vector<std::string> entries;
  DirentBlock packed;
  std::size_t position = 0;
  REQUIRE(pack_entries(geometry, bytes, position, packed));
  CHECK(position == bytes.size());
  Dirent dirent;
  while (packed.next(dirent)) {
    CHECK(dirent.known == needs::none);
    entries.push_back(std::string(dirent.name) + " " + std::to_string(dirent.inode) + " " +
                      std::string(to_text(dirent.type)));
  }
  return entries;
}

using Entries = std::vector<std::string>;

/// The first block of a directory without an index, with its checksum.
Block first_block() {
  DirectoryBlock block(4096);
  block.entry(".", 2, 2).entry("..", 2, 2).entry("name", 12).entry("removed", 0);
  return block.last("last", 13, 7, 12).tail(seed).block;
}

/// The root of a hash tree, or (without `root`) a node of it, with two entries.
Block hashes(std::uint32_t size, bool root) {
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
  Block covered(at + 16 + 8);
  for (std::size_t i = 0; i < at + 16; ++i) covered.u8(i, block.get(i, 1));
  return block.u32(size - 4, covered.crc(seed, 0, at + 24));
}

TEST_CASE("ext directory: entries are packed, but for dots and unused ones") {
  const Block block = first_block();
  CHECK(is_sound(ext4_geometry(), block));
  CHECK(is_sound(plain_geometry(), block));
  CHECK(entries_of(ext4_geometry(), block.bytes()) == Entries{"name 12 file", "last 13 symlink"});
  const Dots dots = dots_of(ext4_geometry(), hashes(4096, true).bytes());
  CHECK(dots.self == 100);
  CHECK(dots.parent == 2);
}

TEST_CASE("ext directory: names that begin with dots are names") {
  DirectoryBlock block(4096);
  block.entry(".a", 12).entry("...", 13).entry("..a", 14).last(".", 15);
  CHECK(is_sound(plain_geometry(), block.block));
  CHECK(entries_of(plain_geometry(), block.block.bytes()) ==
        Entries{".a 12 file", "... 13 file", "..a 14 file"});
}

TEST_CASE("ext directory: dots are looked for in the first two entries only") {
  const Geometry geometry = plain_geometry();
  DirectoryBlock swapped(4096);
  swapped.entry("..", 5, 2).last(".", 6, 2);
  CHECK(dots_of(geometry, swapped.block.bytes()).self == 6);
  CHECK(dots_of(geometry, swapped.block.bytes()).parent == 5);
  DirectoryBlock late(4096);
  late.entry("a", 12).entry("b", 13).entry(".", 5, 2).last("..", 6, 2);
  CHECK(dots_of(geometry, late.block.bytes()).self == 0);
  CHECK(dots_of(geometry, late.block.bytes()).parent == 0);
  CHECK(dots_of(geometry, {}).self == 0);
  CHECK(dots_of(geometry, Block(64).bytes()).self == 0);
}

TEST_CASE("ext directory: every type, and none where the volume has none") {
  DirectoryBlock block(4096);
  for (std::uint64_t type = 0; type < 9; ++type) block.entry("n", 12, type);
  block.last("n", 12, 255);
  CHECK(is_sound(plain_geometry(), block.block));
  CHECK(entries_of(plain_geometry(), block.block.bytes()) ==
        Entries{"n 12 unknown", "n 12 file", "n 12 directory", "n 12 char", "n 12 block",
                "n 12 fifo", "n 12 socket", "n 12 symlink", "n 12 unknown", "n 12 unknown"});

  Geometry geometry = plain_geometry();
  geometry.types = false;
  DirectoryBlock without(4096);
  without.entry("one", 12, 0).last("two", 13, 0);
  CHECK(is_sound(geometry, without.block));
  CHECK(entries_of(geometry, without.block.bytes()) == Entries{"one 12 unknown", "two 13 unknown"});
  // There it is the upper half of the name's length.
  CHECK_FALSE(is_sound(geometry, without.block.u8(7, 1)));
}

TEST_CASE("ext directory: blocks of 64 KiB write their length in 16 bits") {
  Geometry geometry = plain_geometry();
  geometry.block_size = 65536;
  for (const std::uint32_t length : {0U, 0xFFFFU}) {
    Block block(65536);
    block.u32(0, 12).u16(4, length).u8(6, 1).u8(7, 1).text(8, "x");
    CHECK(is_sound(geometry, block));
    CHECK(entries_of(geometry, block.bytes()) == Entries{"x 12 file"});
  }
  CHECK_FALSE(is_sound(geometry, Block(65536).u32(0, 12).u16(4, 0xFFFE).u8(6, 1).text(8, "x")));
  DirectoryBlock last(65536);
  last.entry("a", 12, 1, 32768).last("b", 13);
  CHECK(entries_of(geometry, last.block.bytes()) == Entries{"a 12 file", "b 13 file"});
  geometry.checksums = true;
  const Block node = hashes(65536, false).u16(4, 0xFFFF);
  Block covered(32);
  for (std::size_t i = 0; i < 24; ++i) covered.u8(i, node.get(i, 1));
  CHECK(is_sound(geometry, Block(node).u32(65532, covered.crc(seed, 0, 32)), indexed));
}

TEST_CASE("ext directory: lengths that do not add up") {
  struct Row {
    const char* what;
    std::uint32_t length;
    std::uint32_t name;
  };
  const Row row = GENERATE(values<Row>({
      {"none", 0, 1},
      {"shorter than an entry", 8, 0},
      {"not rounded", 14, 1},
      {"shorter than the name", 16, 9},
      {"beyond the block", 4096, 1},
      {"all that 16 bits hold", 0xFFFF, 1},
      {"leaves too little for another", 4096 - 24 - 8, 1},
  }));
  CAPTURE(row.what);
  DirectoryBlock good(4096);
  good.entry(".", 2, 2).entry("..", 2, 2).last("abcdefgh", 12);
  REQUIRE(is_sound(plain_geometry(), good.block));
  CHECK_FALSE(is_sound(plain_geometry(), good.block.u16(28, row.length).u8(30, row.name)));
  // Unused entries have to have lengths, too.
  CHECK_FALSE(is_sound(plain_geometry(), good.block.u32(24, 0)));
}

TEST_CASE("ext directory: a slash or NUL anywhere makes no name") {
  const std::size_t length = GENERATE(1U, 2U, 7U, 8U, 9U, 15U, 16U, 17U, 24U, 255U);
  const bool ends_block = GENERATE(false, true);
  CAPTURE(length, ends_block);
  const std::size_t size = 1024;
  Geometry geometry = plain_geometry();
  geometry.block_size = size;
  const std::size_t needed = (8 + length + 3) / 4 * 4;
  const std::size_t at = ends_block ? size - needed : 12;
  const std::string name(length, '\xAF');  // a slash but for one bit
  std::size_t wrong = 0;
  for (std::size_t i = 0; i <= length; ++i) {
    for (const char byte : {'/', '\0', '.', '0', '\x01', '\xFF'}) {
      DirectoryBlock block(size);
      block.entry("a", 12, 1, at).last(name, 13);
      // The byte behind the name is not the name's.
      if (at + 8 + i < size) block.block.u8(at + 8 + i, static_cast<unsigned char>(byte));
      const bool bad = i < length && (byte == '/' || byte == '\0');
      if (is_sound(geometry, block.block) == bad) ++wrong;
      // Nobody looks at the name of an entry that is not used.
      if (!is_sound(geometry, block.block.u32(at, 0))) ++wrong;
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("ext directory: entries without a name, and inodes that cannot be") {
  const Geometry geometry = plain_geometry();
  DirectoryBlock block(4096);
  block.last("", 12);
  CHECK_FALSE(is_sound(geometry, block.block));
  CHECK(entries_of(geometry, block.block.bytes()).empty());
  CHECK(is_sound(geometry, block.block.u32(0, 0)));
  DirectoryBlock named(4096);
  named.last("name", 32768);
  CHECK(is_sound(geometry, named.block));
  CHECK_FALSE(is_sound(geometry, named.block.u32(0, 32769)));
}

TEST_CASE("ext directory: any wrong bit of a block is found by the checksum") {
  const Geometry geometry = ext4_geometry();
  const Block good = first_block();
  std::size_t accepted = 0;
  for (std::size_t bit = 0; bit < 4096 * 8; ++bit) {
    Block flipped = good;
    if (is_sound(geometry, flipped.flip(bit))) ++accepted;
  }
  CHECK(accepted == 0);
  Inode inode;
  CHECK(check_directory_block(geometry, inode, 0, seed + 1, good.bytes()) == BlockState::torn);
  CHECK(check_directory_block(geometry, inode, 0, seed, good.bytes().first(4095)) ==
        BlockState::torn);
  CHECK(check_directory_block(geometry, inode, 0, seed, {}) == BlockState::torn);
}

TEST_CASE("ext directory: the checksum's entry has to look like one") {
  // Right checksums, wrong entries around them; and none at all.
  const Geometry geometry = ext4_geometry();
  for (const std::size_t at : {4084U, 4085U, 4088U, 4090U, 4091U}) {
    Block block = first_block();
    CHECK_FALSE(is_sound(geometry, block.u8(at, block.get(at, 1) ^ 4U)));
  }
  DirectoryBlock without(4096);
  without.entry("a", 12).last("b", 13);
  CHECK_FALSE(is_sound(geometry, without.block));
  DirectoryBlock across(4096);
  across.last("a", 12, 1, 0);
  across.at = 4084;
  CHECK_FALSE(is_sound(geometry, across.tail(seed).block));
}

TEST_CASE("ext directory: without checksums any bit may be wrong") {
  const Geometry geometry = plain_geometry();
  const Block good = first_block();
  std::size_t entries = 0;
  for (std::size_t bit = 0; bit < 4096 * 8; ++bit) {
    Block flipped = good;
    flipped.flip(bit);
    is_sound(geometry, flipped);
    is_sound(geometry, flipped, indexed, 0);
    DirentBlock packed;
    std::size_t position = 0;
    REQUIRE(pack_entries(geometry, flipped.bytes(), position, packed));
    Dirent dirent;
    while (packed.next(dirent)) ++entries;
  }
  CHECK(entries > 60000);
}

TEST_CASE("ext directory: blocks of a hash tree have their checksum elsewhere, and no entries") {
  const bool root = GENERATE(false, true);
  const std::uint32_t size = GENERATE(1024U, 4096U);
  CAPTURE(root, size);
  Geometry geometry = ext4_geometry();
  geometry.block_size = size;
  const Block good = hashes(size, root);
  const std::uint64_t logical = root ? 0 : 5;
  REQUIRE(is_sound(geometry, good, indexed, logical));
  CHECK(entries_of(geometry, good.bytes()).empty());
  CHECK_FALSE(is_sound(geometry, good, 0, logical));
  CHECK_FALSE(is_sound(geometry, first_block(), indexed, 0));

  // What lies between the last hash and the checksum nobody reads, and none covers.
  const std::size_t end = (root ? 32U : 8U) + 16;
  std::vector<std::size_t> accepted;
  for (std::size_t bit = 0; bit < std::size_t{size} * 8; ++bit) {
    Block flipped = good;
    const bool covered = bit / 8 < end || bit / 8 >= size - 8;
    if (is_sound(geometry, flipped.flip(bit), indexed, logical) == covered) accepted.push_back(bit);
  }
  CHECK(accepted == std::vector<std::size_t>{});
  geometry.checksums = false;
  CHECK(is_sound(geometry, good, indexed, logical));
}

TEST_CASE("ext directory: tables of a hash tree that do not fit their block") {
  Geometry geometry = ext4_geometry();
  geometry.block_size = 1024;
  struct Row {
    std::size_t at;
    std::uint32_t value;
  };
  const Row row = GENERATE(values<Row>({
      {8, 0},
      {8, 125},
      {8, 127},
      {8, 0xFFFF},  // 126 fit
      {10, 0},
      {10, 127},
      {10, 0xFFFF},
  }));
  CAPTURE(row.at, row.value);
  Block block = hashes(1024, false).u16(row.at, row.value);
  // The right checksum for what it says, where that is within the block.
  const std::size_t end = 8 + block.get(10, 2) * 8;
  Block covered(end + 8);
  for (std::size_t i = 0; i < std::min<std::size_t>(end, 1016); ++i) covered.u8(i, block.get(i, 1));
  CHECK_FALSE(is_sound(geometry, block.u32(1020, covered.crc(seed, 0, end + 8)), indexed));
}

TEST_CASE("ext directory: a leaf of a hash tree is a block like any other") {
  DirectoryBlock leaf(4096);
  leaf.entry("name", 12).last("other", 13, 1, 12).tail(seed);
  CHECK(is_sound(ext4_geometry(), leaf.block, indexed, 5));
  CHECK_FALSE(is_sound(ext4_geometry(), leaf.block, indexed, 0));
  DirectoryBlock empty(4096);
  empty.last("", 0, 0, 12).tail(seed);
  CHECK(is_sound(ext4_geometry(), empty.block, indexed, 5));
  // Without checksums a leaf may be one entry.
  DirectoryBlock single(4096);
  single.last("single", 12);
  CHECK(is_sound(plain_geometry(), single.block, indexed, 5));
  CHECK(entries_of(plain_geometry(), single.block.bytes()) == Entries{"single 12 file"});
}

TEST_CASE("ext directory: what does not fit is packed the next time") {
  Geometry geometry = plain_geometry();
  geometry.block_size = 65536;
  DirectoryBlock block(65536);
  std::size_t count = 0;
  for (; block.at + 24 <= 65536; ++count)
    block.entry("n" + std::to_string(100000 + count), 12 + count);
  block.block.u16(block.at - 16 + 4, 16 + (65536 - block.at));
  REQUIRE(is_sound(geometry, block.block));

  DirentBlock packed;
  std::size_t position = 0;
  std::size_t found = 0;
  int steps = 1;
  for (;; ++steps) {
    REQUIRE(steps < 10);
    packed.clear();
    const bool done = pack_entries(geometry, block.block.bytes(), position, packed);
    Dirent dirent;
    while (packed.next(dirent)) {
      REQUIRE(dirent.inode == 12 + found);
      REQUIRE(dirent.name == "n" + std::to_string(100000 + found));
      ++found;
    }
    if (done) break;
  }
  CHECK(found == count);
  CHECK(steps > 1);
  // Behind what is there already, and again from the end.
  CHECK(pack_entries(geometry, block.block.bytes(), position, packed));
  CHECK(position == 65536);
}

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
}  // namespace ffind
