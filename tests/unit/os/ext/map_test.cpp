// SPDX-License-Identifier: MIT
// From a file's blocks to the device's: extents in the inode and below it, and damaged ones.
#include <algorithm>
#include <tuple>
#include <vector>

#include "catch.h"
#include "unit/os/ext/structures.h"

namespace ffind::map_test {
namespace {

using namespace os::ext;
using testing::Block;
using testing::ext4_geometry;

constexpr std::uint32_t seed = 0x777;
constexpr std::uint64_t many = 1000000;

using Runs = std::vector<std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>>;
using Nodes = std::vector<std::tuple<std::uint64_t, std::uint64_t, std::uint64_t, std::uint32_t>>;

Runs runs_of(const MapPart& part) {
  Runs runs;
  for (const Run& run : part.runs) runs.emplace_back(run.logical, run.physical, run.count);
  return runs;
}

/// First block below it, the one behind the last, where it lies, depth.
Nodes nodes_of(const MapPart& part) {
  Nodes nodes;
  for (const MapNode& node : part.nodes) {
    nodes.emplace_back(node.logical, node.end, node.physical, node.depth);
  }
  return nodes;
}

struct Extent {
  std::uint32_t logical;
  std::uint32_t count;  ///< in an index: nothing
  std::uint64_t physical;
};

/// A node of an extent tree at the beginning of `size` bytes.
Block extents(std::size_t size, std::uint16_t depth, const std::vector<Extent>& entries) {
  Block block(size);
  const std::size_t most = (size - 12) / 12;
  block.u16(0, 0xF30A).u16(2, entries.size()).u16(4, most).u16(6, depth).u32(8, 0x99);
  std::size_t at = 12;
  for (const Extent& entry : entries) {
    block.u32(at, entry.logical);
    if (depth == 0) {
      block.u16(at + 4, entry.count).u16(at + 6, entry.physical >> 32U).u32(at + 8, entry.physical);
    } else {
      block.u32(at + 4, entry.physical).u16(at + 8, entry.physical >> 32U).u16(at + 10, 0x5555);
    }
    at += 12;
  }
  return block;
}

Block& sealed(Block& block) {
  const std::size_t tail = 12 + 12 * block.get(4, 2);
  return block.u32(tail, block.crc(seed, 0, tail));
}

Inode inode_with(const Block& map) {
  Inode inode;
  inode.flags = 0x80000;
  const Bytes bytes = map.bytes();
  std::copy(bytes.begin(), bytes.end(), inode.map.begin());
  return inode;
}

bool is_sound(const Block& map, std::uint64_t limit = many) {
  MapPart part;
  return decode_map(ext4_geometry(), inode_with(map), limit, part);
}

bool is_sound_node(const Block& block, const MapNode& node, std::uint64_t limit = many) {
  MapPart part;
  return decode_map_node(ext4_geometry(), node, block.bytes(), seed, limit, part);
}

TEST_CASE("ext map: extents in the inode, those that go on from each other joined") {
  MapPart part;
  const Block map = extents(60, 0, {{0, 1, 1000}, {1, 3, 1001}, {4, 2, 2000}, {10, 1, 2002}});
  REQUIRE(decode_map(ext4_geometry(), inode_with(map), 11, part));
  CHECK(runs_of(part) == Runs{{0, 1000, 4}, {4, 2000, 2}, {10, 2002, 1}});
  CHECK(part.nodes.empty());
  CHECK_FALSE(is_sound(map, 10));
  CHECK(is_sound(extents(60, 0, {})));
}

TEST_CASE("ext map: an index in the inode, and the nodes below it") {
  const Geometry geometry = ext4_geometry();
  MapPart part;
  const Inode inode = inode_with(extents(60, 2, {{0, 0, 1000}, {50, 0, 3000}, {90, 0, 2000}}));
  REQUIRE(decode_map(geometry, inode, 100, part));
  CHECK(nodes_of(part) == Nodes{{0, 50, 1000, 1}, {50, 90, 3000, 1}, {90, 100, 2000, 1}});
  CHECK(part.runs.empty());

  const MapNode second = part.nodes[1];
  Block index = extents(4096, 1, {{50, 0, 500}, {60, 0, 400}});
  REQUIRE(decode_map_node(geometry, second, sealed(index).bytes(), seed, 100, part));
  CHECK(nodes_of(part) == Nodes{{50, 60, 500, 0}, {60, 90, 400, 0}});

  const MapNode leaf = part.nodes[0];
  Block extent = extents(4096, 0, {{50, 2, 700}, {53, 7, 702}});
  REQUIRE(decode_map_node(geometry, leaf, sealed(extent).bytes(), seed, 100, part));
  CHECK(runs_of(part) == Runs{{50, 700, 2}, {53, 702, 7}});
  CHECK(part.nodes.empty());
}

TEST_CASE("ext map: numbers of blocks have 48 bits") {
  Geometry geometry = ext4_geometry();
  geometry.blocks = std::uint64_t{1} << 47U;
  const std::uint64_t far = (std::uint64_t{0x1234} << 32U) + 0x56789ABC;
  MapPart part;
  REQUIRE(decode_map(geometry, inode_with(extents(60, 0, {{0, 1, far}})), many, part));
  CHECK(runs_of(part) == Runs{{0, far, 1}});
  REQUIRE(decode_map(geometry, inode_with(extents(60, 1, {{0, 0, far}})), many, part));
  CHECK(nodes_of(part) == Nodes{{0, many, far, 0}});
}

TEST_CASE("ext map: damaged headers") {
  const Block good = extents(60, 0, {{0, 1, 1000}});
  REQUIRE(is_sound(good));
  Block bad = good;
  CHECK_FALSE(is_sound(bad.u16(0, 0xF30B)));
  bad = good;
  CHECK_FALSE(is_sound(bad.u16(2, 5)));  // more entries than fit
  bad = good;
  CHECK_FALSE(is_sound(extents(60, 0, {{0, 1, 1000}, {1, 1, 2000}}).u16(4, 1)));
  bad = good;
  CHECK_FALSE(is_sound(bad.u16(4, 5)));
  bad = good;
  CHECK_FALSE(is_sound(bad.u16(2, 0).u16(4, 0)));
  CHECK(is_sound(extents(60, 5, {{0, 0, 1000}})));
  CHECK_FALSE(is_sound(extents(60, 6, {{0, 0, 1000}})));
  CHECK_FALSE(is_sound(extents(60, 1, {})));
}

TEST_CASE("ext map: damaged extents") {
  const std::vector<Extent> entries = GENERATE(values<std::vector<Extent>>({
      {{0, 0, 1000}},      // empty
      {{0, 32769, 1000}},  // not written yet
      {{0, 1, 0}},         // no block
      {{0, 1, 100000}},    // behind the device
      {{0, 2, 99999}},     // ends there
      {{0, 1, std::uint64_t{1} << 47U}},
      {{0, 2, 1000}, {1, 2, 2000}},  // overlap
      {{5, 1, 1000}, {0, 1, 2000}},  // in the wrong order
      {{5, 1, 1000}, {5, 1, 1000}},  // twice
      {{many, 1, 1000}},             // behind the end of the file
      {{many - 1, 2, 1000}},
      {{0xFFFFFFFF, 32768, 1000}},
  }));
  CHECK_FALSE(is_sound(extents(60, 0, entries)));
  CHECK(is_sound(extents(60, 0, {{0, 32768, 1000}})));
  CHECK(is_sound(extents(60, 0, {{many - 1, 1, 99999}})));
}

TEST_CASE("ext map: damaged indexes") {
  const std::vector<Extent> entries = GENERATE(values<std::vector<Extent>>({
      {{0, 0, 0}},
      {{0, 0, 100000}},
      {{5, 0, 1000}, {5, 0, 2000}},
      {{5, 0, 1000}, {4, 0, 2000}},
      {{many, 0, 1000}},
  }));
  CHECK_FALSE(is_sound(extents(60, 1, entries)));
}

TEST_CASE("ext map: a node keeps to its range and its depth, so that trees end") {
  const MapNode node{1000, 50, 90, 1};
  Block good = extents(4096, 1, {{50, 0, 500}, {89, 0, 400}});
  REQUIRE(is_sound_node(sealed(good), node));
  CHECK_FALSE(is_sound_node(good, node, 89));
  CHECK_FALSE(is_sound_node(good, node, 50));
  Block empty = extents(4096, 0, {});
  CHECK(is_sound_node(sealed(empty), {1000, 50, 90, 0}));
  CHECK_FALSE(is_sound_node(empty, {1000, 50, 90, 0}, 50));
  CHECK_FALSE(is_sound_node(good, {1000, 51, 90, 1}));
  CHECK_FALSE(is_sound_node(good, {1000, 50, 89, 1}));
  CHECK_FALSE(is_sound_node(good, {1000, 50, 90, 0}));
  CHECK_FALSE(is_sound_node(good, {1000, 50, 90, 2}));
  Block leaf = extents(4096, 0, {{88, 3, 500}});
  CHECK_FALSE(is_sound_node(sealed(leaf), {1000, 50, 90, 0}));
  CHECK(is_sound_node(leaf, {1000, 50, 91, 0}));
}

TEST_CASE("ext map: the block above the first is no block of a file's") {
  Geometry geometry = ext4_geometry();
  geometry.first_data_block = 1;
  MapPart part;
  CHECK_FALSE(decode_map(geometry, inode_with(extents(60, 0, {{0, 1, 1}})), many, part));
  CHECK(decode_map(geometry, inode_with(extents(60, 0, {{0, 1, 2}})), many, part));
}

TEST_CASE("ext map: any wrong bit of a node is found by the checksum") {
  Block good = extents(1024, 0, {{0, 10, 700}, {15, 1, 900}});
  Geometry geometry = ext4_geometry();
  geometry.block_size = 1024;
  const MapNode node{1000, 0, 100, 0};
  sealed(good);
  MapPart part;
  REQUIRE(decode_map_node(geometry, node, good.bytes(), seed, many, part));
  std::size_t accepted = 0;
  std::size_t crashless = 0;
  for (std::size_t bit = 0; bit < 1024 * 8; ++bit) {
    Block flipped = good;
    flipped.flip(bit);
    if (decode_map_node(geometry, node, flipped.bytes(), seed, many, part)) ++accepted;
    if (flipped.get(4, 2) > 84) continue;
    decode_map_node(geometry, node, sealed(flipped).bytes(), seed, many, part);
    ++crashless;
  }
  CHECK(accepted == 0);
  CHECK(crashless > 8100);
  CHECK_FALSE(decode_map_node(geometry, node, good.bytes(), seed + 1, many, part));
  CHECK_FALSE(decode_map_node(geometry, node, good.bytes().first(1023), seed, many, part));
  // No room for the checksum behind so many.
  Block crowded = extents(1024, 0, {{0, 1, 700}});
  CHECK_FALSE(decode_map_node(geometry, node, crowded.u16(4, 85).bytes(), seed, many, part));
}

TEST_CASE("ext map: without extents there is no map") {
  Inode inode = inode_with(extents(60, 0, {{0, 1, 1000}}));
  MapPart part;
  REQUIRE(decode_map(ext4_geometry(), inode, many, part));
  inode.flags = 0;
  CHECK_FALSE(decode_map(ext4_geometry(), inode, many, part));
  CHECK(part.runs.empty());
  inode.map = {};
  CHECK_FALSE(decode_map(ext4_geometry(), inode, many, part));
}

}  // namespace
}  // namespace ffind::map_test
