// SPDX-License-Identifier: MIT
// Decoders of btrfs' items. The header of a found item is the kernel's own, in its byte order and
// at any address; items are as they lie on the disk: little-endian and packed. See items.h.
#include "os/devices/btrfs/items.h"

#include <cstring>
#include <limits>

#include "os/formats/little_endian.h"

namespace ffind::os::btrfs {
namespace {

// Fields of 8 bytes unless noted:
//
//     header     transid | objectid | offset | type, 4 | length, 4
//     dir item   location: objectid, type 1, offset | transid | length of data, 2 | of name, 2 |
//                type, 1 | name | data; the next name of that hash, if any
//     inode      generation | transid | size | more up to 160 bytes
//     inode ref  index | length of name, 2 | name; the next name in that directory, if any

constexpr std::size_t dir_item_size = 30;
constexpr std::size_t inode_item_size = 160;
constexpr std::size_t reference_size = 10;
constexpr std::size_t longest_name = 255;
constexpr unsigned encrypted_bit = 0x80;

template <typename Number>
Number native(Bytes bytes, std::size_t at) {
  Number number = 0;
  std::memcpy(&number, bytes.data() + at, sizeof number);
  return number;
}

/// BTRFS_FT_*; unknown where the kernel has to be asked.
FileType type_of(unsigned number) {
  constexpr FileType types[] = {FileType::unknown,   FileType::file,   FileType::directory,
                                FileType::character, FileType::block,  FileType::fifo,
                                FileType::socket,    FileType::symlink};
  return number < std::size(types) ? types[number] : FileType::unknown;
}

std::string_view text_at(Bytes bytes, std::size_t at, std::size_t length) {
  return {reinterpret_cast<const char*>(bytes.data() + at), length};
}

bool is_name(std::string_view text) {
  if (text.empty() || text.size() > longest_name || text == "." || text == "..") return false;
  return std::memchr(text.data(), '/', text.size()) == nullptr &&
         std::memchr(text.data(), '\0', text.size()) == nullptr;
}

}  // namespace

Key next_key(Key key) {
  if (++key.offset != 0) return key;
  if (++key.type <= std::numeric_limits<std::uint8_t>::max()) return key;
  key.type = 0;
  ++key.objectid;
  return key;
}

bool Items::next(Item& item) {
  if (left_ == 0 || cut_short_) return false;
  const Bytes rest = results_.subspan(used_);
  cut_short_ = rest.size() < header_size;
  if (cut_short_) return false;
  const std::size_t length = native<std::uint32_t>(rest, 28);
  cut_short_ = length > rest.size() - header_size;
  if (cut_short_) return false;
  item.key.objectid = native<std::uint64_t>(rest, 8);
  item.key.offset = native<std::uint64_t>(rest, 16);
  item.key.type = native<std::uint32_t>(rest, 24);
  item.bytes = rest.subspan(header_size, length);
  used_ += header_size + length;
  --left_;
  return true;
}

bool Names::fail() {
  damaged_ = true;
  item_ = {};
  return false;
}

bool Names::next(Name& name) {
  if (item_.empty()) return false;
  if (item_.size() < dir_item_size) return fail();
  const std::size_t data_length = le16(item_.data() + 25);
  const std::size_t name_length = le16(item_.data() + 27);
  if (name_length + data_length > item_.size() - dir_item_size) return fail();
  name.text = text_at(item_, dir_item_size, name_length);
  const unsigned type = item_[29];
  name.is_encrypted = (type & encrypted_bit) != 0;
  if (!name.is_encrypted && !is_name(name.text)) return fail();
  name.type = type_of(type & ~encrypted_bit);
  name.number = le64(item_.data());
  name.is_subvolume = item_[8] == root_item;
  item_ = item_.subspan(dir_item_size + name_length + data_length);
  return true;
}

std::uint64_t size_of_inode(Bytes item) {
  return item.size() >= inode_item_size ? le64(item.data() + 16) : 0;
}

std::size_t count_references(Bytes item) {
  std::size_t count = 0;
  while (!item.empty()) {
    if (item.size() < reference_size) return 0;
    const std::size_t length = le16(item.data() + 8);
    if (length > item.size() - reference_size) return 0;
    item = item.subspan(reference_size + length);
    ++count;
  }
  return count;
}

}  // namespace ffind::os::btrfs
