// SPDX-License-Identifier: MIT
// ext4's inodes: what a stat says of them, in small and large ones; checksums; damaged ones.
#include <limits>
#include <string>

#include "catch.h"
#include "fakes/instants.h"
#include "unit/os/ext/structures.h"

namespace ffind::inode_test {
namespace {

using namespace os::ext;
using testing::Block;
using testing::ext4_geometry;

constexpr std::uint64_t number = 1234;
constexpr std::uint32_t extents_flag = 0x80000;
constexpr std::uint32_t inline_flag = 0x10000000;

Block raw_inode(std::size_t size = 256, std::uint32_t mode = 0100644) {
  Block inode(size);
  inode.u16(0, mode).u16(2, 0x1111).u32(4, 5000).u32(8, 100).u32(12, 200).u32(16, 300);
  inode.u16(24, 0x2222).u16(26, 3).u32(28, 16).u32(100, 0xAABBCCDD);
  inode.u16(120, 0x1).u16(122, 0x2);
  inode.u32(32, extents_flag).u16(40, 0xF30A).u16(44, 4);
  if (size > 128) inode.u16(128, 32).u32(144, 400);
  return inode;
}

Block& sealed(Block& inode, std::uint32_t seed) {
  const bool has_high = inode.size() > 128 && inode.get(128, 2) >= 4;
  inode.u16(124, 0);
  if (has_high) inode.u16(130, 0);
  Block key(8);
  key.u32(0, number).u32(4, inode.get(100, 4));
  const std::uint32_t crc = inode.crc(key.crc(seed, 0, 8), 0, inode.size());
  inode.u16(124, crc);
  if (has_high) inode.u16(130, crc >> 16U);
  return inode;
}

/// With the right checksum.
Inode decoded(const Geometry& geometry, Block raw) {
  Inode inode;
  REQUIRE(decode_inode(geometry, number, sealed(raw, geometry.checksum_seed).bytes(), inode));
  return inode;
}

bool is_refused(const Geometry& geometry, Block raw) {
  Inode inode;
  return !decode_inode(geometry, number, sealed(raw, geometry.checksum_seed).bytes(), inode);
}

/// Two attributes, of which the second has the value.
Block& with_attributes(Block& inode, std::string_view value, std::size_t offset = 64) {
  const std::size_t first = 128 + inode.get(128, 2) + 4;
  inode.u32(first - 4, 0xEA020000);
  inode.u8(first, 3).u8(first + 1, 1).u16(first + 2, 60).u32(first + 8, 4).text(first + 16, "abc");
  const std::size_t entry = first + 20;
  inode.u8(entry, 4).u8(entry + 1, 7).u16(entry + 2, offset).u32(entry + 8, value.size());
  return inode.text(entry + 16, "data").text(first + offset, value);
}

/// All of a stat but the device, and nothing of macOS.
constexpr Needs of_inodes =
    needs::metadata & ~(needs::identity | needs::added | needs::hidden | needs::private_size);

TEST_CASE("ext inode: every field of a stat is read") {
  const Inode inode = decoded(ext4_geometry(), raw_inode());
  CHECK(inode.metadata.inode == number);
  CHECK(inode.metadata.mode == 0100644);
  CHECK(inode.metadata.uid == 0x11111);
  CHECK(inode.metadata.gid == 0x22222);
  CHECK(inode.metadata.links == 3);
  CHECK(inode.metadata.size == 5000);
  CHECK(inode.metadata.allocated == 8192);
  CHECK(inode.metadata.accessed == after_1970(100'000'000'000));
  CHECK(inode.metadata.changed == after_1970(200'000'000'000));
  CHECK(inode.metadata.modified == after_1970(300'000'000'000));
  CHECK(inode.metadata.created == after_1970(400'000'000'000));
  CHECK(inode.generation == 0xAABBCCDD);
  CHECK(inode.known == (of_inodes));
  CHECK_FALSE(inode.deleted);
  Geometry geometry = ext4_geometry();
  geometry.short_owners = true;
  CHECK(decoded(geometry, raw_inode()).metadata.uid == 0x1111);
  CHECK(decoded(geometry, raw_inode()).metadata.gid == 0x2222);
}

TEST_CASE("ext inode: what may not be changed, and what may only be appended to, is told") {
  const auto flags = [](std::uint32_t value) {
    const Inode inode = decoded(ext4_geometry(), raw_inode().u32(32, value));
    CHECK((inode.known & needs::flags) != 0);
    return inode.metadata.flags;
  };
  CHECK(flags(0) == 0);
  CHECK(flags(0x10) == file_flags::schg);
  CHECK(flags(0x20) == file_flags::sappnd);
  CHECK(flags(0x80000 | 0x30) == (file_flags::schg | file_flags::sappnd));
  CHECK(flags(0x40) == file_flags::nodump);
  CHECK(flags(0x4) == file_flags::compressed);
  CHECK(flags(0x800) == file_flags::encrypted);
  CHECK(flags(0x8 | 0x80 | 0x100) == 0);  // their neighbours
}

TEST_CASE("ext inode: small ones have whole seconds and no time of creation") {
  Geometry geometry = ext4_geometry();
  geometry.inode_size = 128;
  const Inode inode = decoded(geometry, raw_inode(128).u32(16, 0xFFFFFFFF));
  CHECK(inode.known == (of_inodes & ~needs::created));
  CHECK(inode.metadata.modified == after_1970(-1'000'000'000));
  CHECK(inode.metadata.changed == after_1970(200'000'000'000));
}

TEST_CASE("ext inode: nanoseconds and the years after 2038") {
  struct Row {
    std::uint32_t seconds;
    std::uint32_t extra;
    Instant expected;
  };
  const Row row = GENERATE(values<Row>({
      {300, 5U << 2U, {300, 5}},
      {300, 999'999'999U << 2U, {300, 999'999'999}},
      {300, 1'000'000'000U << 2U, {300}},
      {0x80000000, 0, {-2147483648LL}},
      {0x80000000, 1, {2147483648LL}},
      {0x7FFFFFFF, 1, {6442450943LL}},
      {0x80000000, 2 | 7U << 2U, {6442450944LL, 7}},
      {0x7FFFFFFF, 3, {15032385535LL}},
      {0xFFFFFFFF, 500'000'000U << 2U, {-1, 500'000'000}},
  }));
  CAPTURE(row.seconds, row.extra);
  Block raw = raw_inode();
  for (const std::size_t at : {8U, 12U, 16U, 144U}) raw.u32(at, row.seconds);
  for (const std::size_t at : {132U, 136U, 140U, 148U}) raw.u32(at, row.extra);
  const Metadata metadata = decoded(ext4_geometry(), raw).metadata;
  CHECK(metadata.modified == row.expected);
  CHECK(metadata.changed == row.expected);
  CHECK(metadata.accessed == row.expected);
  CHECK(metadata.created == row.expected);
}

TEST_CASE("ext inode: each extra field counts only where the inode reaches that far") {
  Block raw = raw_inode();
  raw.u32(132, 2U << 2U).u32(136, 3U << 2U).u32(140, 1U << 2U).u32(148, 4U << 2U);
  const auto with = [&](std::uint16_t extra) {
    return decoded(ext4_geometry(), raw.u16(128, extra));
  };
  CHECK(with(4).metadata.changed.nanoseconds % 10 == 0);
  CHECK(with(8).metadata.changed.nanoseconds % 10 == 2);
  CHECK(with(8).metadata.modified.nanoseconds % 10 == 0);
  CHECK(with(12).metadata.modified.nanoseconds % 10 == 3);
  CHECK(with(12).metadata.accessed.nanoseconds % 10 == 0);
  CHECK(with(16).metadata.accessed.nanoseconds % 10 == 1);
  CHECK((with(16).known & needs::created) == 0);
  CHECK((with(20).known & needs::created) != 0);
  CHECK(with(20).metadata.created.nanoseconds % 10 == 0);
  CHECK(with(24).metadata.created.nanoseconds % 10 == 4);
  // Never used as a large one: Linux takes all of it.
  CHECK(with(0).metadata.created.nanoseconds % 10 == 4);
  CHECK(with(0).metadata.changed.nanoseconds % 10 == 2);
  CHECK(is_refused(ext4_geometry(), raw.u16(128, 6)));
  CHECK(is_refused(ext4_geometry(), raw.u16(128, 132)));
  CHECK_FALSE(is_refused(ext4_geometry(), raw.u16(128, 128)));
}

TEST_CASE("ext inode: sizes have 64 bits in files, 32 in others") {
  const Geometry geometry = ext4_geometry();
  CHECK(decoded(geometry, raw_inode().u32(108, 1)).metadata.size == 0x100001388);
  CHECK(decoded(geometry, raw_inode(256, 040755).u32(108, 1)).metadata.size == 5000);
  CHECK(decoded(geometry, raw_inode(256, 0120777).u32(108, 1)).metadata.size == 5000);
  CHECK(is_refused(geometry, raw_inode().u32(108, 0x80000000)));
}

TEST_CASE("ext inode: what is allocated is told in sectors, in blocks, and has 48 bits") {
  const Geometry geometry = ext4_geometry();
  Block raw = raw_inode().u16(116, 1);
  CHECK(decoded(geometry, raw).metadata.allocated == 0x100000010 * 512);
  CHECK(decoded(geometry, raw.u32(32, 0x40000)).metadata.allocated == 0x100000010 * 4096);
}

TEST_CASE("ext inode: of an encrypted link the size is not known") {
  const Geometry geometry = ext4_geometry();
  constexpr std::uint32_t encrypted = 0x800;
  CHECK((decoded(geometry, raw_inode(256, 0120777).u32(32, encrypted)).known & needs::size) == 0);
  CHECK((decoded(geometry, raw_inode(256, 0120777)).known & needs::size) != 0);
  CHECK((decoded(geometry, raw_inode().u32(32, encrypted)).known & needs::size) != 0);
}

TEST_CASE("ext inode: without links or type it is deleted, a time of deletion says nothing") {
  const Geometry geometry = ext4_geometry();
  CHECK(decoded(geometry, raw_inode().u16(26, 0)).deleted);
  CHECK(decoded(geometry, raw_inode(256, 0)).deleted);
  CHECK(decoded(geometry, raw_inode(256, 0170000)).deleted);
  CHECK_FALSE(decoded(geometry, raw_inode().u32(20, 12)).deleted);
  CHECK_FALSE(decoded(geometry, raw_inode(256, 040755).u16(26, 1)).deleted);  // very many below
}

TEST_CASE("ext inode: flags") {
  const Geometry geometry = ext4_geometry();
  const auto with = [&](std::uint32_t flags) {
    return decoded(geometry, raw_inode(256, 040755).u32(32, flags));
  };
  CHECK(with(0x80000).has_extents());
  CHECK(with(0x1000).is_indexed());
  CHECK(with(0x800).is_encrypted());
  const Inode none = with(0);
  CHECK_FALSE((none.has_extents() || none.is_indexed() || none.is_encrypted()));
  // What chattr sets, and the above; the rest are a snapshot's, a file's only, or nobody's.
  constexpr std::uint32_t understood = 0x628FFFFF;
  for (unsigned bit = 0; bit < 32; ++bit) {
    CAPTURE(bit);
    CHECK(with(1U << bit).is_understood() == ((understood & 1U << bit) != 0));
  }
}

TEST_CASE("ext inode: its map is kept") {
  Block raw = raw_inode();
  for (std::size_t i = 0; i < 60; ++i) raw.u8(40 + i, i + 1);
  const Inode inode = decoded(ext4_geometry(), raw);
  for (std::size_t i = 0; i < 60; ++i) REQUIRE(inode.map[i] == i + 1);
}

TEST_CASE("ext inode: any wrong bit is found by the checksum") {
  const std::uint32_t size = GENERATE(128U, 256U, 512U);
  const std::uint16_t extra = GENERATE(std::uint16_t{0}, std::uint16_t{32});
  CAPTURE(size, extra);
  Geometry geometry = ext4_geometry();
  geometry.inode_size = size;
  Block raw = raw_inode(size);
  if (size > 128) raw.u16(128, extra);
  sealed(raw, geometry.checksum_seed);
  const auto is_refused = [&](const Block& block) {
    Inode inode;
    return !decode_inode(geometry, number, block.bytes(), inode);
  };
  REQUIRE_FALSE(is_refused(raw));
  std::size_t accepted = 0;
  for (std::size_t bit = 0; bit < std::size_t{size} * 8; ++bit) {
    Block flipped = raw;
    if (!is_refused(flipped.flip(bit))) ++accepted;
  }
  // With its lower half only, one in 65536 mistakes would be missed, but not these.
  CHECK(accepted == 0);
  Inode inode;
  CHECK_FALSE(decode_inode(geometry, number + 1, raw.bytes(), inode));
  geometry.checksum_seed ^= 1;
  CHECK(is_refused(raw));
}

TEST_CASE("ext inode: with the right checksum any bit may be wrong") {
  Block raw = raw_inode();
  with_attributes(raw, "value");
  std::size_t decodable = 0;
  for (std::size_t bit = 0; bit < 256 * 8; ++bit) {
    Block flipped = raw;
    if (!is_refused(ext4_geometry(), flipped.flip(bit))) ++decodable;
  }
  CHECK(decodable > 2000);
  Inode inode;
  CHECK_FALSE(decode_inode(ext4_geometry(), number, raw.bytes().first(255), inode));
  CHECK_FALSE(decode_inode(ext4_geometry(), number, {}, inode));
}

TEST_CASE("ext inode: what the kernel refuses is not acceptable") {
  const Geometry geometry = ext4_geometry();
  CHECK(decoded(geometry, raw_inode()).acceptable);
  struct Row {
    const char* what;
    std::size_t at;
    std::uint32_t value;
  };
  const Row row = GENERATE(values<Row>({
      {"no links", 24, 0x2222},
      {"the inode of an attribute's value", 32, 0x200000 | extents_flag},
      {"ignores case without the feature", 32, 0x40000000 | extents_flag},
      {"data in the inode", 32, inline_flag | extents_flag},
      {"a block map", 32, 0},
      {"a size that no extents lead to", 108, 0x1000},
      {"a second of nanoseconds", 132, 1'000'000'000U << 2U},
  }));
  CAPTURE(row.what);
  CHECK_FALSE(decoded(geometry, raw_inode().u32(row.at, row.value)).acceptable);
}

TEST_CASE("ext inode: a hash tree needs the feature") {
  Geometry geometry = ext4_geometry();
  geometry.directory_index = false;
  const Block raw = raw_inode(256, 040755).u32(32, 0x1000 | extents_flag);
  CHECK_FALSE(decoded(geometry, raw).acceptable);
  CHECK(decoded(ext4_geometry(), raw).acceptable);
}

TEST_CASE("ext inode: attributes in it have to be whole") {
  const Geometry geometry = ext4_geometry();
  const std::size_t first = 128 + 32 + 4;
  Block raw = raw_inode();
  with_attributes(raw, "value");
  CHECK(decoded(geometry, raw).acceptable);
  struct Row {
    const char* what;
    std::size_t at;
    std::uint32_t value;
  };
  const Row row = GENERATE(values<Row>({
      {"a name that goes on outside", first, 0x3C01FF},
      {"a name with a NUL", first + 16, 0x00006261},
      {"a value outside", first + 8, 200},
      {"a value before its entry", first, 0x00000103},
      {"a value in another inode, without the feature", first + 4, 77},
  }));
  CAPTURE(row.what);
  raw.u32(row.at, row.value);
  CHECK_FALSE(decoded(geometry, raw).acceptable);
}

TEST_CASE("ext inode: a short link is as long as it says") {
  const Geometry geometry = ext4_geometry();
  const auto link = [&](std::uint32_t size, std::string_view target) {
    Block raw = raw_inode(256, 0120777).u32(4, size).u32(28, 0).u32(32, 0).u16(44, 0);
    raw.text(40, target);
    for (std::size_t i = target.size(); i < 6; ++i) raw.u8(40 + i, 0);
    return decoded(geometry, raw).acceptable;
  };
  CHECK(link(3, "abc"));
  CHECK_FALSE(link(2, "abc"));
  CHECK_FALSE(link(4, "abc"));
  CHECK_FALSE(link(0, ""));
  CHECK_FALSE(link(100, "abc"));  // a long one has a block
}

TEST_CASE("ext inode: the blocks that the kernel looks up first") {
  const Geometry geometry = ext4_geometry();
  std::vector<Run> claims;
  REQUIRE(claims_of(decoded(geometry, raw_inode().u32(104, 55)), claims));
  REQUIRE(claims.size() == 1);
  CHECK(claims[0].physical == 55);

  Block extents = raw_inode().u16(42, 2);
  extents.u32(52, 3).u16(56, 4).u32(60, 1000).u32(64, 20).u16(68, 0x8002).u32(72, 2000);
  REQUIRE(claims_of(decoded(geometry, extents), claims));
  REQUIRE(claims.size() == 2);
  CHECK(claims[0].count == 4);
  CHECK(claims[1].physical == 2000);
  CHECK(claims[1].count == 2);  // not written yet
  extents.u32(64, 6);           // begins in the one before
  CHECK_FALSE(claims_of(decoded(geometry, extents), claims));
}

}  // namespace
}  // namespace ffind::inode_test
