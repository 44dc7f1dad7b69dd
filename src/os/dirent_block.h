// SPDX-License-Identifier: MIT
// A block of directory entries in memory, in the layout of Linux's getdents64 (man 2 getdents):
// what the kernel wrote is read where it lies, other readers pack the same records. Filled by os,
// read by search. One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

#include "ffind/entry.h"

namespace ffind::os {

/// A decoded record. `name` is NUL-terminated in the block.
struct Dirent {
  std::string_view name;
  std::uint64_t inode = 0;
  FileType type = FileType::unknown;
  /// What the reader learned on the way, with the needs it answers; null when nothing.
  const Metadata* metadata = nullptr;
};

class DirentBlock {
 public:
  /// 64 KiB: larger buffers gained nothing, and two of them still fit a core's cache.
  static constexpr std::size_t capacity = std::size_t{64} * 1024;
  /// What a reader answers about each entry when it fills in metadata.
  static constexpr Needs metadata_needs = needs::metadata & ~needs::created;

  DirentBlock() : bytes_(new unsigned char[capacity]) {}

  unsigned char* data() { return bytes_.get(); }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  /// More than half full: the directory may well have more.
  bool crowded() const { return size_ > capacity / 2; }

  void clear() {
    size_ = position_ = ordinal_ = 0;
    metadata_.clear();
  }
  /// Says how many bytes of records a kernel put at `data()`.
  void filled(std::size_t size) {
    clear();
    size_ = size;
  }
  /// Packs one record; false when it does not fit.
  bool append(std::string_view name, std::uint64_t inode, FileType type,
              const Metadata* metadata = nullptr);

  /// d_off of the last record: where the directory goes on, for file systems that have a fixed
  /// number for "nowhere". Call on a filled, not yet read block.
  std::int64_t last_offset() const;

  /// The next entry, without "." and ".."; false at the end of the block.
  bool next(Dirent& dirent);

 private:
  static constexpr std::size_t inode_at = 0;
  static constexpr std::size_t offset_at = 8;
  static constexpr std::size_t length_at = 16;
  static constexpr std::size_t type_at = 18;
  static constexpr std::size_t name_at = 19;

  std::unique_ptr<unsigned char[]> bytes_;
  std::size_t size_ = 0;
  std::size_t position_ = 0;
  std::size_t ordinal_ = 0;
  std::vector<Metadata> metadata_;
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
    if (length <= name_at) break;  // no kernel writes that; going on would never end
    position_ += length;
    const char* name = reinterpret_cast<const char*>(record + name_at);
    const std::size_t ordinal = ordinal_++;
    if (name[0] == '.' && (name[1] == '\0' || (name[1] == '.' && name[2] == '\0'))) continue;
    std::memcpy(&dirent.inode, record + inode_at, sizeof dirent.inode);
    dirent.name = std::string_view(name);
    dirent.type = type_of_dirent(record[type_at]);
    dirent.metadata = ordinal < metadata_.size() ? &metadata_[ordinal] : nullptr;
    return true;
  }
  position_ = size_;
  return false;
}

}  // namespace ffind::os
