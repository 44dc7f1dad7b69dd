// SPDX-License-Identifier: MIT
// A block of directory entries in the layout of Linux's getdents64 (man 2 getdents). Entries that
// the kernel wrote are decoded in place; other readers pack the same records. Filled by os, read by
// search, by one thread.
//
// A record begins at a multiple of 8:
//
//     0         8          16         18     19
//     inode     d_off      length     type   name NUL, padded to `length`
//
// The upper half of `type` holds Traits, which no kernel sets. Metadata that a reader learned is
// kept in a vector next to the records, in their order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "ffind/entry.h"

namespace ffind::os {

/// Bits that some readers report about an entry in addition to its type.
using Traits = std::uint8_t;

namespace traits {
inline constexpr Traits none = 0;
inline constexpr Traits mount_point = 0x10;  ///< another volume's; a missing bit means nothing
inline constexpr Traits trigger = 0x20;      ///< an automount: touching it mounts a volume
/// A directory that macOS's Finder shows as one file: its bundle bit.
inline constexpr Traits bundle = 0x40;
inline constexpr Traits bundle_known = 0x80;  ///< the bundle bit was read
}  // namespace traits

/// A decoded record. `name` is NUL-terminated in the block.
struct Dirent {
  std::string_view name;
  std::uint64_t inode = 0;
  FileType type = FileType::unknown;
  Traits traits = traits::none;
  const Metadata* metadata = nullptr;  ///< from the reader; null if none
  Needs known = needs::none;           ///< parts of `metadata` that have a value
};

class DirentBlock {
 public:
  /// 64 KiB: larger buffers gained nothing, and two of them still fit a core's cache.
  static constexpr std::size_t capacity = std::size_t{64} * 1024;
  DirentBlock() : bytes_(new unsigned char[capacity]) {}

  unsigned char* data() { return bytes_.get(); }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  /// Whether it has metadata for any of its entries.
  bool knows_more() const { return !known_.empty(); }
  /// True if it is more than half full, so the directory may have more entries.
  bool crowded() const { return size_ > capacity / 2; }

  /// Most bytes of records that a reader may put here, unless they are one entry. With less than
  /// `capacity` a directory is read in parts. Readers that load whole directories ignore it.
  std::size_t room() const { return room_; }
  void set_room(std::size_t room) { room_ = room; }

  void clear() {
    size_ = position_ = ordinal_ = appended_ = 0;
    known_.clear();
  }
  /// Sets the size of the records that a kernel put at `data()`.
  void filled(std::size_t size) {
    clear();
    size_ = size;
  }
  /// Packs one record; false if it does not fit. `known` names the parts of `metadata` with a
  /// value. `name` may be in this block's own bytes, at least `name_at` after the start of the
  /// record.
  bool append(std::string_view name, std::uint64_t inode, FileType type,
              const Metadata* metadata = nullptr, Needs known = needs::none,
              Traits traits = traits::none);

  /// d_off of the last record, the position after it: some file systems have a fixed one for the
  /// end. Call before `next`.
  std::int64_t last_offset() const;

  /// Moves the second half of the entries that `next` has not returned into `rest`, for `assign`;
  /// false if there are fewer than two. Metadata is not moved.
  bool split(std::string& rest);
  bool give_up_rest(std::string& rest);  ///< the same with all of them; false if there are none
  void assign(std::string_view records) {
    std::memcpy(data(), records.data(), records.size());
    filled(records.size());
  }

  /// Decodes the next entry, skipping "." and ".."; false at the end of the block.
  bool next(Dirent& dirent);
  void rewind() { position_ = ordinal_ = 0; }  ///< makes `next` return the first entry again

 private:
  std::size_t length_of(std::size_t position) const {
    std::uint16_t length = 0;
    std::memcpy(&length, bytes_.get() + position + length_at, sizeof length);
    return length;
  }

  static constexpr std::size_t inode_at = 0;
  static constexpr std::size_t offset_at = 8;
  static constexpr std::size_t length_at = 16;
  static constexpr std::size_t type_at = 18;
  static constexpr std::size_t name_at = 19;

  std::unique_ptr<unsigned char[]> bytes_;
  std::size_t room_ = capacity;
  std::size_t size_ = 0;
  std::size_t position_ = 0;
  std::size_t ordinal_ = 0;
  struct Known {
    Metadata metadata{};
    Needs known = needs::none;
  };
  std::vector<Known> known_;  ///< for appended entries, up to the last with metadata
  std::size_t appended_ = 0;
};

/// Type of a d_type, which Linux, the BSDs and macOS number alike: the type bits of st_mode shifted
/// right by 12.
inline FileType type_of_dirent(unsigned char d_type) {
  constexpr FileType types[16] = {
      FileType::unknown,   FileType::fifo,    FileType::character, FileType::unknown,
      FileType::directory, FileType::unknown, FileType::block,     FileType::unknown,
      FileType::file,      FileType::unknown, FileType::symlink,   FileType::unknown,
      FileType::socket,    FileType::unknown, FileType::unknown,   FileType::unknown};
  return types[d_type & 15U];
}
inline unsigned char dirent_of_type(FileType type) {
  constexpr unsigned char numbers[8] = {0, 8, 4, 10, 1, 12, 6, 2};
  return numbers[static_cast<unsigned>(type)];
}
/// Type of an st_mode.
inline FileType type_of_mode(std::uint32_t mode) {
  return type_of_dirent(static_cast<unsigned char>(mode >> 12U));
}

inline bool DirentBlock::next(Dirent& dirent) {
  while (position_ + name_at < size_) {
    const unsigned char* record = bytes_.get() + position_;
    const std::size_t length = length_of(position_);
    // No kernel writes these; following them would loop, or leave the block.
    if (length <= name_at || length > size_ - position_) break;
    const char* name = reinterpret_cast<const char*>(record + name_at);
    const void* const end = std::memchr(name, '\0', length - name_at);
    if (end == nullptr) break;
    position_ += length;
    const std::size_t ordinal = ordinal_++;
    if (name[0] == '.' && (name[1] == '\0' || (name[1] == '.' && name[2] == '\0'))) continue;
    std::memcpy(&dirent.inode, record + inode_at, sizeof dirent.inode);
    dirent.name = {name, static_cast<std::size_t>(static_cast<const char*>(end) - name)};
    dirent.type = type_of_dirent(record[type_at]);
    dirent.traits = record[type_at] & 0xF0U;
    dirent.known = ordinal < known_.size() ? known_[ordinal].known : needs::none;
    dirent.metadata = dirent.known != needs::none ? &known_[ordinal].metadata : nullptr;
    return true;
  }
  position_ = size_;
  return false;
}

}  // namespace ffind::os
