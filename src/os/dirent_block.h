// SPDX-License-Identifier: MIT
// A block of directory entries in memory, in the layout of Linux's getdents64 (man 2 getdents):
// what the kernel wrote is read where it lies, other readers pack the same records. Filled by os,
// read by search. One thread.
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

/// What some readers report about an entry beyond its type: bits.
using Traits = std::uint8_t;

namespace traits {
inline constexpr Traits none = 0;
/// Another volume is mounted here. Without this bit nothing follows.
inline constexpr Traits mount_point = 0x10;
/// Touching it mounts something.
inline constexpr Traits trigger = 0x20;
/// A directory that people are shown as one file: the bundle bit of macOS's Finder.
inline constexpr Traits bundle = 0x40;
/// Whether the bundle bit is set was looked at.
inline constexpr Traits bundle_known = 0x80;
}  // namespace traits

/// A decoded record. `name` is NUL-terminated in the block.
struct Dirent {
  std::string_view name;
  std::uint64_t inode = 0;
  FileType type = FileType::unknown;
  Traits traits = traits::none;
  /// What the reader learned on the way; null when nothing.
  const Metadata* metadata = nullptr;
  Needs known = needs::none;  ///< what of `metadata` holds a value
};

class DirentBlock {
 public:
  /// 64 KiB: larger buffers gained nothing, and two of them still fit a core's cache.
  static constexpr std::size_t capacity = std::size_t{64} * 1024;
  DirentBlock() : bytes_(new unsigned char[capacity]) {}

  unsigned char* data() { return bytes_.get(); }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  /// Readers told more of its entries than names, numbers and types.
  bool knows_more() const { return !known_.empty(); }
  /// More than half full: the directory may well have more.
  bool crowded() const { return size_ > capacity / 2; }

  /// How many bytes of records a reader may put here at a time, if they are not one entry. With
  /// less than `capacity` the directory is read in parts, of which the rest is to wait at little
  /// cost. Readers that hold whole directories anyway do not respect it.
  std::size_t room() const { return room_; }
  void set_room(std::size_t room) { room_ = room; }

  void clear() {
    size_ = position_ = ordinal_ = appended_ = 0;
    known_.clear();
  }
  /// Says how many bytes of records a kernel put at `data()`.
  void filled(std::size_t size) {
    clear();
    size_ = size;
  }
  /// Packs one record; false when it does not fit. `known` says what of `metadata` holds a value.
  /// `name` may lie in this block's own bytes, `name_at` or more behind where the record begins.
  bool append(std::string_view name, std::uint64_t inode, FileType type,
              const Metadata* metadata = nullptr, Needs known = needs::none,
              Traits traits = traits::none);

  /// d_off of the last record: where the directory goes on, for file systems that have a fixed
  /// number for "nowhere". Call on a filled, not yet read block.
  std::int64_t last_offset() const;

  /// Moves the second half of what `next` has not given out into `rest`, for `assign`; false where
  /// there are less than two. What readers told beyond names, numbers and types stays behind.
  bool split(std::string& rest);
  /// The same with all of it; false where there is none.
  bool give_up_rest(std::string& rest);
  void assign(std::string_view records) {
    std::memcpy(data(), records.data(), records.size());
    filled(records.size());
  }

  /// The next entry, without "." and ".."; false at the end of the block.
  bool next(Dirent& dirent);
  /// Has `next` begin with the first entry again.
  void rewind() { position_ = ordinal_ = 0; }

 private:
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
  std::vector<Known> known_;  ///< of the entries that were appended, up to the last with any
  std::size_t appended_ = 0;
};

/// d_type as Linux, the BSDs and macOS number it: the type bits of st_mode, moved down by 12.
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
/// The type bits of st_mode.
FileType type_of_mode(std::uint32_t mode);

inline bool DirentBlock::next(Dirent& dirent) {
  while (position_ + name_at < size_) {
    const unsigned char* record = bytes_.get() + position_;
    std::uint16_t length = 0;
    std::memcpy(&length, record + length_at, sizeof length);
    // No kernel writes these three; going on would never end, or end outside.
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
