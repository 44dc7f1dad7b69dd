// SPDX-License-Identifier: MIT
// Blocks of ext4's directories: entries, names and checksums, damaged ones, and how they are
// packed. Hash trees have a file of their own.
#include <string>

#include "catch.h"
#include "unit/os/ext/directories.h"

namespace ffind::directory_test {
namespace {

using namespace os::ext;
using os::Dirent;
using os::DirentBlock;
using testing::Block;
using testing::DirectoryBlock;
using testing::Entries;
using testing::entries_of;
using testing::ext4_geometry;
using testing::first_block;
using testing::has_sound_entries;
using testing::hashes;
using testing::is_sound;
using testing::sealed;

constexpr std::uint32_t seed = testing::directory_seed;
constexpr std::uint32_t indexed = testing::indexed_flag;

TEST_CASE("ext directory: entries are packed, but for dots and unused ones") {
  const Block block = first_block();
  CHECK(is_sound(ext4_geometry(), block));
  CHECK(entries_of(block.bytes()) == Entries{"name 12 file", "last 13 symlink"});
  const Dots dots = dots_of(hashes(4096, true).bytes());
  CHECK(dots.self == 100);
  CHECK(dots.parent == 2);
}

TEST_CASE("ext directory: names that begin with dots are names") {
  DirectoryBlock block(4096);
  block.entry(".a", 12).entry("...", 13).entry("..a", 14).last(".", 15);
  CHECK(has_sound_entries(ext4_geometry(), block.block));
  CHECK(entries_of(block.block.bytes()) == Entries{".a 12 file", "... 13 file", "..a 14 file"});
}

TEST_CASE("ext directory: dots take no room where entries are packed") {
  DirectoryBlock block(4096);
  block.entry(".", 2, 2).last("..", 2, 2);
  DirentBlock packed;
  std::size_t position = 0;
  CHECK(pack_entries(block.block.bytes(), position, packed));
  CHECK(packed.empty());
}

TEST_CASE("ext directory: dots are looked for in the first two entries only") {
  DirectoryBlock swapped(4096);
  swapped.entry("..", 5, 2).last(".", 6, 2);
  CHECK(dots_of(swapped.block.bytes()).self == 6);
  CHECK(dots_of(swapped.block.bytes()).parent == 5);
  DirectoryBlock late(4096);
  late.entry("a", 12).entry("b", 13).entry(".", 5, 2).last("..", 6, 2);
  CHECK(dots_of(late.block.bytes()).self == 0);
  CHECK(dots_of(late.block.bytes()).parent == 0);
  CHECK(dots_of({}).self == 0);
  CHECK(dots_of(Block(64).bytes()).self == 0);
}

TEST_CASE("ext directory: every type") {
  DirectoryBlock block(4096);
  for (std::uint64_t type = 0; type < 9; ++type) block.entry("n", 12, type);
  block.last("n", 12, 255);
  CHECK(has_sound_entries(ext4_geometry(), block.block));
  CHECK(entries_of(block.block.bytes()) ==
        Entries{"n 12 unknown", "n 12 file", "n 12 directory", "n 12 char", "n 12 block",
                "n 12 fifo", "n 12 socket", "n 12 symlink", "n 12 unknown", "n 12 unknown"});
}

TEST_CASE("ext directory: blocks of 64 KiB write their length in 16 bits") {
  Geometry geometry = ext4_geometry();
  geometry.block_size = 65536;
  Block node = hashes(65536, false);
  CHECK(is_sound(geometry, sealed(node.u16(4, 0xFFFF), false), indexed));
  CHECK(is_sound(geometry, sealed(node.u16(4, 0), false), indexed));
  CHECK_FALSE(is_sound(geometry, sealed(node.u16(4, 0xFFFE), false), indexed));
  DirectoryBlock last(65536);
  last.entry("a", 12, 1, 32768).last("b", 13);
  CHECK(has_sound_entries(geometry, last.block));
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
      {"leaves too little for another", 4096 - 12 - 24 - 8, 1},
  }));
  CAPTURE(row.what);
  DirectoryBlock good(4096);
  good.entry(".", 2, 2).entry("..", 2, 2).last("abcdefgh", 12);
  REQUIRE(has_sound_entries(ext4_geometry(), good.block));
  CHECK_FALSE(has_sound_entries(ext4_geometry(), good.block.u16(28, row.length).u8(30, row.name)));
  // Unused entries have to have lengths, too.
  CHECK_FALSE(has_sound_entries(ext4_geometry(), good.block.u32(24, 0)));
}

TEST_CASE("ext directory: an entry whose own length is wrong, between good ones") {
  struct Row {
    const char* name;
    std::uint64_t inode;
    std::size_t length;
    bool sound;
  };
  const Row row = GENERATE(values<Row>({
      {"a", 12, 12, true},
      {"a", 12, 16, true},
      {"a", 12, 14, false},          // not rounded
      {"abcdefghi", 12, 16, false},  // shorter than its name
      {"", 0, 12, true},
      {"", 0, 8, false},  // shorter than any entry
  }));
  CAPTURE(row.name, row.length);
  DirectoryBlock block(4096);
  block.entry("first", 12).entry(row.name, row.inode, 1, row.length).last("last", 13);
  CHECK(has_sound_entries(ext4_geometry(), block.block) == row.sound);
}

TEST_CASE("ext directory: a slash or NUL anywhere makes no name") {
  const std::size_t length = GENERATE(1U, 2U, 7U, 8U, 9U, 15U, 16U, 17U, 24U, 255U);
  const bool ends_block = GENERATE(false, true);
  CAPTURE(length, ends_block);
  const std::size_t size = 1024;
  Geometry geometry = ext4_geometry();
  geometry.block_size = size;
  const std::size_t needed = (8 + length + 3) / 4 * 4;
  const std::size_t at = ends_block ? size - 12 - needed : 12;
  const std::string name(length, '\xAF');  // a slash but for one bit
  std::size_t wrong = 0;
  for (std::size_t i = 0; i <= length; ++i) {
    for (const char byte : {'/', '\0', '.', '0', '\x01', '\xFF'}) {
      DirectoryBlock block(size);
      block.entry("a", 12, 1, at).last(name, 13);
      // The byte behind the name is not the name's.
      if (at + 8 + i < size - 12) block.block.u8(at + 8 + i, static_cast<unsigned char>(byte));
      const bool bad = i < length && (byte == '/' || byte == '\0');
      if (has_sound_entries(geometry, block.block) == bad) ++wrong;
      // Nobody looks at the name of an entry that is not used.
      if (!has_sound_entries(geometry, block.block.u32(at, 0))) ++wrong;
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("ext directory: entries without a name, and inodes that cannot be") {
  const Geometry geometry = ext4_geometry();
  DirectoryBlock block(4096);
  block.last("", 12);
  CHECK_FALSE(has_sound_entries(geometry, block.block));
  CHECK(entries_of(block.block.bytes()).empty());
  CHECK(has_sound_entries(geometry, block.block.u32(0, 0)));
  DirectoryBlock named(4096);
  named.last("name", 32768);
  CHECK(has_sound_entries(geometry, named.block));
  CHECK_FALSE(has_sound_entries(geometry, named.block.u32(0, 32769)));
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
  CHECK_FALSE(is_sound_block(geometry, inode, 0, seed + 1, good.bytes()));
  CHECK_FALSE(is_sound_block(geometry, inode, 0, seed, good.bytes().first(4095)));
  CHECK_FALSE(is_sound_block(geometry, inode, 0, seed, {}));
  DirectoryBlock twice(8192);
  twice.entry("a", 12, 1, 4096).last("b", 13);
  CHECK_FALSE(has_sound_entries(geometry, twice.block));
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
  across.entry("a", 12, 1, 4096);
  CHECK_FALSE(is_sound(geometry, across.tail(seed).block));
}

TEST_CASE("ext directory: with the right checksum any bit may be wrong") {
  const Geometry geometry = ext4_geometry();
  const Block good = first_block();
  std::size_t entries = 0;
  for (std::size_t bit = 0; bit < 4096 * 8; ++bit) {
    Block flipped = good;
    flipped.flip(bit);
    has_sound_entries(geometry, flipped);
    is_sound(geometry, flipped, indexed, 0);
    DirentBlock packed;
    std::size_t position = 0;
    REQUIRE(pack_entries(flipped.bytes(), position, packed));
    REQUIRE(position == 4096);
    Dirent dirent;
    while (packed.next(dirent)) ++entries;
  }
  CHECK(entries > 60000);
}

TEST_CASE("ext directory: what does not fit is packed the next time") {
  Geometry geometry = ext4_geometry();
  geometry.block_size = 65536;
  DirectoryBlock block(65536);
  std::size_t count = 0;
  for (; block.at + 36 <= 65536; ++count)
    block.entry("n" + std::to_string(100000 + count), 12 + count);
  block.block.u16(block.at - 16 + 4, 16 + (65536 - 12 - block.at));
  REQUIRE(has_sound_entries(geometry, block.block));

  DirentBlock packed;
  std::size_t position = 0;
  std::size_t found = 0;
  int steps = 1;
  for (;; ++steps) {
    REQUIRE(steps < 10);
    packed.clear();
    const bool done = pack_entries(block.block.bytes(), position, packed);
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
  CHECK(pack_entries(block.block.bytes(), position, packed));
  CHECK(position == 65536);
}

}  // namespace
}  // namespace ffind::directory_test
