// SPDX-License-Identifier: MIT
// Blocks of directory entries: what a kernel writes, what readers pack, and records that none
// writes.
#include "os/dirent_block.h"

#include <cstring>
#include <string>
#include <vector>

#include "catch.h"
#include "unit/os/bytes.h"

namespace ffind::dirent_block_test {
namespace {

using os::Dirent;
using os::DirentBlock;
using testing::Bytes;

/// As getdents64 lays it out: inode, where the directory goes on, length, type, name, padding.
Bytes entry(const std::string& name, std::uint8_t type = 8) {
  Bytes record;
  record.u64(42).i64(7).u16(0).u8(type).text(name).zeros(1).pad(8);
  return record.put_u16(16, static_cast<std::uint16_t>(record.size()));
}

std::vector<std::string> names_in(const Bytes& bytes) {
  DirentBlock block;
  std::memset(block.data(), 'x', DirentBlock::capacity);
  std::memcpy(block.data(), bytes.data(), bytes.size());
  block.filled(bytes.size());
  std::vector<std::string> names;
  Dirent dirent;
  while (block.next(dirent)) names.emplace_back(dirent.name);
  return names;
}

TEST_CASE("directory entries: what a kernel wrote is read, without the dots") {
  DirentBlock block;
  const Bytes bytes =
      entry(".", 4).append(entry("..", 4)).append(entry("file")).append(entry("..x", 10));
  std::memcpy(block.data(), bytes.data(), bytes.size());
  block.filled(bytes.size());
  CHECK(block.last_offset() == 7);
  Dirent dirent;
  REQUIRE(block.next(dirent));
  CHECK(dirent.name == "file");
  CHECK(dirent.inode == 42);
  CHECK(dirent.type == FileType::file);
  CHECK(dirent.known == needs::none);
  REQUIRE(block.next(dirent));
  CHECK(dirent.name == "..x");
  CHECK(dirent.type == FileType::symlink);
  CHECK_FALSE(block.next(dirent));
  CHECK_FALSE(block.next(dirent));
}

TEST_CASE("directory entries: a length that leads nowhere, or outside, ends the reading") {
  const auto length = GENERATE(values<std::uint16_t>({0, 1, 19, 33, 0x8000, 0xFFFF}));
  CAPTURE(length);
  Bytes bad = entry("bad!");  // 24 bytes
  bad.put_u16(16, length);
  Bytes bytes = entry("before");
  CHECK(names_in(bytes.append(bad).append(Bytes().zeros(8))) == std::vector<std::string>{"before"});
}

TEST_CASE("directory entries: a name without an end in its record ends the reading") {
  Bytes bad = entry("bad!");
  bad.put_u32(20, 0x21212121);  // no NUL is left
  const std::vector<std::string> before = {"before"};
  CHECK(names_in(entry("before").append(bad)) == before);
  CHECK(names_in(entry("before").append(bad).append(entry("after"))) == before);
}

}  // namespace

TEST_CASE("what is left of a block is split in halves") {
  for (std::size_t count = 0; count < 9; ++count) {
    for (std::size_t read = 0; read <= count; ++read) {
      DirentBlock block;
      std::vector<std::string> names;
      for (std::size_t i = 0; i < count; ++i) {
        names.push_back("file" + std::string(i * 3, 'x'));
        block.append(names.back(), i, FileType::file);
      }
      Dirent dirent;
      std::vector<std::string> seen;
      for (std::size_t i = 0; i < read && block.next(dirent); ++i) seen.emplace_back(dirent.name);
      std::string rest;
      INFO(count << " " << read);
      const bool split = block.split(rest);
      CHECK(split == (count - read >= 2));
      while (block.next(dirent)) seen.emplace_back(dirent.name);
      CHECK(seen.size() - read == (split ? (count - read + 1) / 2 : count - read));
      DirentBlock other;
      if (split) other.assign(rest);
      while (other.next(dirent)) seen.emplace_back(dirent.name);
      CHECK(seen == names);
    }
  }
}

}  // namespace ffind::dirent_block_test
