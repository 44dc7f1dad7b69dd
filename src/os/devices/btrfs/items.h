// SPDX-License-Identifier: MIT
// What btrfs' tree search hands out: items of its trees, each behind a header of the kernel's, and
// what is in those of directories. Used by directories.cpp. Pure and built
// everywhere: bytes in, values out, no call; knows neither the kernel nor its headers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "ffind/entry.h"

namespace ffind::os::btrfs {

using Bytes = std::span<const unsigned char>;

/// Kinds of items, as keys have them. Asserted in directories.cpp, as all that follows.
inline constexpr std::uint32_t inode_item = 1;
inline constexpr std::uint32_t inode_ref = 12;
inline constexpr std::uint32_t inode_extref = 13;
inline constexpr std::uint32_t dir_item = 84;
inline constexpr std::uint32_t root_item = 132;

/// The directory at the top of each tree, and the lowest number that a file can have.
inline constexpr std::uint64_t first_inode = 256;

/// Bytes of the header that the kernel puts before each item.
inline constexpr std::size_t header_size = 32;

/// Keys are ordered by their members, in this order.
struct Key {
  std::uint64_t objectid = 0;  ///< nearly always the inode
  std::uint32_t type = 0;
  std::uint64_t offset = 0;
  bool operator==(const Key&) const = default;
};

/// The key that follows with nothing in between.
Key next_key(Key key);

struct Item {
  Key key{};
  Bytes bytes{};  ///< in the buffer
};

/// The items of one search, one after the other. A view.
class Items {
 public:
  Items() = default;
  /// `count` is how many the kernel says it put into `results`.
  Items(Bytes results, std::uint64_t count) : results_(results), left_(count) {}

  /// False behind the last, and where the bytes end within one.
  bool next(Item& item);
  /// There were fewer than the header claims.
  bool cut_short() const { return cut_short_; }
  /// Bytes taken so far.
  std::size_t used() const { return used_; }

 private:
  Bytes results_{};
  std::uint64_t left_ = 0;
  std::size_t used_ = 0;
  bool cut_short_ = false;
};

/// One name in a directory.
struct Name {
  std::string_view text{};    ///< in the buffer, 1 to 255 bytes, none of them '/' or NUL
  std::uint64_t number = 0;   ///< inode; of a subvolume its tree
  bool is_subvolume = false;  ///< `number` is a tree
  bool is_encrypted = false;  ///< `text` is not what people see
  FileType type = FileType::unknown;
};

/// The names of one dir item: several when their hashes are the same.
class Names {
 public:
  explicit Names(Bytes item) : item_(item) {}

  /// False behind the last, and where there is something that no kernel writes.
  bool next(Name& name);
  bool damaged() const { return damaged_; }

 private:
  bool fail();

  Bytes item_;
  bool damaged_ = false;
};

/// The size in an inode item, 0 if it is no such item. The kernel may know a newer one.
std::uint64_t size_of_inode(Bytes item);

/// How many names an inode ref item holds: those that the inode has in one directory, which the
/// key's offset gives. 0 for what no kernel writes.
std::size_t count_references(Bytes item);

}  // namespace ffind::os::btrfs
