// SPDX-License-Identifier: MIT
// The blocks of an ext4 directory's hash tree, which hold no entries and have their checksum
// elsewhere; and its leaves.
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "catch.h"
#include "unit/os/ext/directories.h"

namespace ffind::hash_tree_test {
namespace {

using namespace os::ext;
using testing::Block;
using testing::DirectoryBlock;
using testing::entries_of;
using testing::ext4_geometry;
using testing::first_block;
using testing::hashes;
using testing::is_sound;
using testing::sealed;

constexpr std::uint32_t seed = testing::directory_seed;
constexpr std::uint32_t indexed = testing::indexed_flag;

TEST_CASE("ext directory: blocks of a hash tree have their checksum elsewhere, and no entries") {
  const bool root = GENERATE(false, true);
  const std::uint32_t size = GENERATE(1024U, 4096U);
  CAPTURE(root, size);
  Geometry geometry = ext4_geometry();
  geometry.block_size = size;
  const Block good = hashes(size, root);
  const std::uint64_t logical = root ? 0 : 5;
  REQUIRE(is_sound(geometry, good, indexed, logical));
  CHECK(entries_of(good.bytes()).empty());
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
}

TEST_CASE("ext directory: what is no hash tree in spite of the right checksum") {
  const Geometry geometry = ext4_geometry();
  Block node = hashes(4096, false);
  CHECK_FALSE(is_sound(geometry, sealed(node.u32(0, 12), false), indexed));
  // A third entry, that is none, in the last twelve bytes.
  Block third = hashes(4096, true).u16(16, 4072).u32(4088, 12);
  CHECK_FALSE(is_sound(geometry, sealed(third, true), indexed, 0));
  struct Row {
    const char* what;
    std::size_t at;
    std::uint32_t value;
  };
  const Row row = GENERATE(values<Row>({
      {"length of the first entry", 4, 16},
      {"length of the second entry", 16, 4096 - 16},
      {"reserved", 24, 1},
      {"hash version and length of the information", 28, 7U << 8U | 1U},
      {"name of the second entry", 20, static_cast<unsigned char>('/')},
  }));
  CAPTURE(row.what);
  Block root = hashes(4096, true);
  CHECK_FALSE(is_sound(geometry, sealed(root.u16(row.at, row.value), true), indexed, 0));
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
  leaf.entry("name", 12).last("other", 13).tail(seed);
  CHECK(is_sound(ext4_geometry(), leaf.block, indexed, 5));
  CHECK_FALSE(is_sound(ext4_geometry(), leaf.block, indexed, 0));
  DirectoryBlock empty(4096);
  empty.last("", 0, 0).tail(seed);
  CHECK(is_sound(ext4_geometry(), empty.block, indexed, 5));
}

// As `debugfs -R "dx_hash -h half_md4 -s 01234567-89ab-cdef-0123-456789abcdef NAME"` prints them.
TEST_CASE("ext hash tree: names have the hashes that debugfs computes") {
  std::string tens;
  for (int i = 0; i < 25; ++i) tens += "abcdefghij";
  std::string accents;
  for (int i = 0; i < 3; ++i) accents += i == 0 ? "naïve-café" : "-naïve-café";
  const std::array<std::string, 4> names = {"a", "some-file-name-17.txt", tens, accents};
  const std::array<std::uint32_t, 4> expected = {0x35DC0CC4, 0x53DC8396, 0x0F9F7134, 0xDF4F9C1A};
  Geometry geometry = ext4_geometry();
  geometry.hash_seed = {0x67452301, 0xEFCDAB89, 0x67452301, 0xEFCDAB89};
  for (std::size_t i = 0; i < names.size(); ++i) {
    CAPTURE(names[i]);
    geometry.signed_hashes = true;
    CHECK(hash_of_name(geometry, names[i]) == expected.at(i));
    geometry.signed_hashes = false;
    CHECK((hash_of_name(geometry, names[i]) == expected.at(i)) == (i != 3));
  }
}

TEST_CASE("ext hash tree: branches cover all hashes, each its own") {
  Geometry geometry = ext4_geometry();
  geometry.hashes_known = true;
  std::vector<HashRange> below;
  Block root = hashes(4096, true).u32(40, 0x5000).u32(44, 7);
  REQUIRE(decode_hash_root(geometry, root.bytes(), below));
  REQUIRE(below.size() == 2);
  CHECK(below[0].block == 1);
  CHECK(below[0].begin == 0);
  CHECK(below[0].end == 0x5000);
  CHECK(below[1].block == 7);
  CHECK(below[1].begin == 0x5000);
  CHECK(below[1].end == std::uint64_t{1} << 32U);
  CHECK(below[1].is_leaf);
  CHECK(below[1].has(0x5000));
  CHECK_FALSE(below[0].has(0x5000));
  below[1].begin = 0x5001;  // goes on with names of the hash before
  CHECK(below[1].has(0x5000));

  struct Row {
    const char* what;
    std::size_t at;
    std::uint32_t value;
  };
  const Row row = GENERATE(values<Row>({
      {"an unknown hash", 28, 6},
      {"a hash of older volumes", 28, 0},
      {"three levels", 30, 2},
      {"flags", 31, 1},
      {"a hash twice", 40, 0},
  }));
  CAPTURE(row.what);
  if (row.at == 40) {
    root.u32(40, row.value);
  } else {
    root.u8(row.at, row.value);
  }
  CHECK_FALSE(decode_hash_root(geometry, root.bytes(), below));
}

TEST_CASE("ext hash tree: without a known sign of characters the kernel decides") {
  std::vector<HashRange> below;
  CHECK_FALSE(decode_hash_root(ext4_geometry(), hashes(4096, true).bytes(), below));
}

}  // namespace
}  // namespace ffind::hash_tree_test
