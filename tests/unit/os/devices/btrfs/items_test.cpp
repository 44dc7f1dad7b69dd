// SPDX-License-Identifier: MIT
// Items as btrfs' tree search hands them out, built byte by byte from the documented layout, whole,
// cut off and as no kernel writes them.
#include "os/devices/btrfs/items.h"

#include <limits>
#include <string>
#include <vector>

#include "catch.h"
#include "unit/os/bytes.h"

namespace ffind::items_test {
namespace {

using namespace os::btrfs;

constexpr auto highest = std::numeric_limits<std::uint64_t>::max();

os::btrfs::Bytes view(const testing::Bytes& bytes, std::size_t less = 0) {
  return {bytes.data(), bytes.size() - less};
}

testing::Bytes byte(unsigned value) {
  testing::Bytes bytes;
  return bytes.text(std::string(1, static_cast<char>(value)));
}

testing::Bytes word(unsigned value) {
  return byte(value & 0xFFU).append(byte(value >> 8U));
}

/// struct btrfs_ioctl_search_header and what it tells of.
testing::Bytes item(const Key& key, const testing::Bytes& body) {
  testing::Bytes bytes;
  bytes.u64(99).u64(key.objectid).u64(key.offset).u32(key.type);
  return bytes.u32(static_cast<std::uint32_t>(body.size())).append(body);
}

/// struct btrfs_dir_item.
testing::Bytes name(const std::string& text, unsigned type = 1, std::uint64_t number = 300,
                    unsigned location = 1, const std::string& data = "") {
  testing::Bytes bytes;
  bytes.u64(number).append(byte(location)).u64(0).u64(7);
  bytes.append(word(static_cast<unsigned>(data.size())));
  bytes.append(word(static_cast<unsigned>(text.size()))).append(byte(type));
  return bytes.text(text).text(data);
}

std::vector<std::string> names_of(const testing::Bytes& bytes, bool damaged = false) {
  Names names(view(bytes));
  std::vector<std::string> all;
  for (Name found; names.next(found);) all.emplace_back(found.text);
  CHECK(names.damaged() == damaged);
  return all;
}

TEST_CASE("btrfs items: a search's items one after the other, at any address") {
  const Key first{257, dir_item, 0x89ABCDEF};
  const Key second{258, inode_ref, 256};
  const testing::Bytes bytes = item(first, testing::Bytes().text("odd")).append(item(second, {}));
  Items items(view(bytes), 2);
  Item found;
  REQUIRE(items.next(found));
  CHECK(found.key == first);
  CHECK(found.bytes.size() == 3);
  CHECK(found.bytes[0] == 'o');
  CHECK(items.used() == 35);
  REQUIRE(items.next(found));
  CHECK(found.key == second);
  CHECK(found.bytes.empty());
  CHECK(items.used() == bytes.size());
  CHECK_FALSE(items.next(found));
  CHECK_FALSE(items.cut_short());
}

TEST_CASE("btrfs items: no more than the kernel counted, and no further than the bytes go") {
  const testing::Bytes bytes = item({257, dir_item, 1}, testing::Bytes().text("four"));
  Item found;
  Items none(view(bytes), 0);
  CHECK_FALSE(none.next(found));
  CHECK_FALSE(none.cut_short());
  for (std::size_t less = 1; less <= bytes.size(); ++less) {
    Items cut(view(bytes, less), 1);
    CHECK_FALSE(cut.next(found));
    CHECK(cut.cut_short());
    CHECK_FALSE(cut.next(found));
  }
  testing::Bytes huge = bytes;
  huge.put_u32(28, std::numeric_limits<std::uint32_t>::max());
  Items too_long(view(huge), 1);
  CHECK_FALSE(too_long.next(found));
  CHECK(too_long.cut_short());
}

TEST_CASE("btrfs items: the next key") {
  CHECK(next_key({257, dir_item, 7}) == Key{257, dir_item, 8});
  CHECK(next_key({257, dir_item, highest}) == Key{257, dir_item + 1, 0});
  CHECK(next_key({257, 255, highest}) == Key{258, 0, 0});
}

TEST_CASE("btrfs items: a name and what it leads to") {
  constexpr FileType types[] = {FileType::unknown,   FileType::file,    FileType::directory,
                                FileType::character, FileType::block,   FileType::fifo,
                                FileType::socket,    FileType::symlink, FileType::unknown};
  for (unsigned type = 0; type < std::size(types); ++type) {
    const testing::Bytes bytes = name("n\xFF\n", type, 0x123456789ABC);
    Names names(view(bytes));
    Name found;
    REQUIRE(names.next(found));
    CHECK(found.text == "n\xFF\n");
    CHECK(found.type == types[type]);
    CHECK(found.number == 0x123456789ABC);
    CHECK_FALSE(found.is_subvolume);
    CHECK_FALSE(found.is_encrypted);
    CHECK_FALSE(names.next(found));
    CHECK_FALSE(names.damaged());
  }
}

TEST_CASE("btrfs items: subvolumes and encrypted names are told") {
  Name found;
  const testing::Bytes subvolume = name("@home", 2, 260, root_item);
  REQUIRE(Names(view(subvolume)).next(found));
  CHECK(found.is_subvolume);
  CHECK(found.number == 260);
  CHECK(found.type == FileType::directory);
  const testing::Bytes encrypted = name(std::string("\0/", 2), 0x82);
  REQUIRE(Names(view(encrypted)).next(found));
  CHECK(found.is_encrypted);
  CHECK(found.type == FileType::directory);
}

TEST_CASE("btrfs items: names of one hash share an item") {
  using All = std::vector<std::string>;
  CHECK(names_of(name("one").append(name("two", 2)).append(name("three"))) ==
        All{"one", "two", "three"});
  CHECK(names_of(name("one", 1, 300, 1, "data").append(name("two"))) == All{"one", "two"});
  CHECK(names_of({}).empty());
}

TEST_CASE("btrfs items: what is no name ends its item") {
  using All = std::vector<std::string>;
  for (const std::string& text :
       {std::string(), std::string("."), std::string(".."), std::string("a/b"),
        std::string("a\0b", 3), std::string(256, 'n')}) {
    CHECK(names_of(name("good").append(name(text)).append(name("late")), true) == All{"good"});
  }
  CHECK(names_of(name(std::string(255, 'n'))).size() == 1);
  const testing::Bytes bytes = name("name", 1, 300, 1, "data");
  for (std::size_t less = 1; less < bytes.size(); ++less) {
    Names names(view(bytes, less));
    Name found;
    CHECK_FALSE(names.next(found));
    CHECK(names.damaged());
    CHECK_FALSE(names.next(found));
  }
}

TEST_CASE("btrfs items: references are counted, the size of an inode is read") {
  const auto reference = [](const std::string& text) {
    testing::Bytes bytes;
    bytes.u64(2);
    return bytes.append(word(static_cast<unsigned>(text.size()))).text(text);
  };
  const testing::Bytes one = reference("..");
  CHECK(count_references(view(one)) == 1);
  CHECK(count_references(view(one, 1)) == 0);
  CHECK(count_references(view(reference("a").append(reference("bc")))) == 2);
  CHECK(count_references({}) == 0);

  testing::Bytes inode;
  inode.u64(7).u64(8).u64(1234).zeros(136);
  CHECK(size_of_inode(view(inode)) == 1234);
  CHECK(size_of_inode(view(inode, 1)) == 0);
}

}  // namespace
}  // namespace ffind::items_test
