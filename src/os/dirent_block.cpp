// SPDX-License-Identifier: MIT
// Packing and splitting of records. Pure; built everywhere.
//
// A record written by append() is one that getdents64 could have written, except for its d_off,
// which is 0, and the Traits in its type. Lengths are checked wherever records are followed, since
// a kernel or a damaged file system is not trusted to write good ones.
#include "os/dirent_block.h"

namespace ffind::os {

bool DirentBlock::append(std::string_view name, std::uint64_t inode, FileType type,
                         const Metadata* metadata, Needs known, Traits traits) {
  // With a NUL, rounded up to a multiple of 8.
  const std::size_t length = (name_at + name.size() + 1 + 7) & ~std::size_t{7};
  if (size_ + length > capacity) return false;
  unsigned char* record = bytes_.get() + size_;
  std::memset(record, 0, name_at);
  std::memcpy(record + inode_at, &inode, sizeof inode);
  const auto stored_length = static_cast<std::uint16_t>(length);
  std::memcpy(record + length_at, &stored_length, sizeof stored_length);
  record[type_at] = static_cast<unsigned char>(dirent_of_type(type) | traits);
  // memmove: `name` may be in the bytes that this record is written over, as when repacking.
  std::memmove(record + name_at, name.data(), name.size());
  std::memset(record + name_at + name.size(), 0, length - name_at - name.size());
  size_ += length;
  if (known != needs::none) {
    // Entries before it without metadata get a blank, so that the index is that of the record.
    known_.resize(appended_);
    known_.push_back({*metadata, known});
  }
  ++appended_;
  return true;
}

std::int64_t DirentBlock::last_offset() const {
  std::int64_t offset = 0;
  for (std::size_t position = 0; position + name_at < size_;) {
    const std::size_t length = length_of(position);
    if (length <= name_at) return 0;
    std::memcpy(&offset, bytes_.get() + position + offset_at, sizeof offset);
    position += length;
  }
  return offset;
}

bool DirentBlock::split(std::string& rest) {
  std::size_t count = 0;
  std::size_t middle = position_;  // moves at half the speed of `position`
  for (std::size_t position = position_; position + name_at < size_; ++count) {
    const std::size_t length = length_of(position);
    if (length <= name_at || length > size_ - position) return false;
    position += length;
    if (count % 2 == 0) middle += length_of(middle);
  }
  if (count < 2) return false;
  rest.assign(reinterpret_cast<const char*>(bytes_.get()) + middle, size_ - middle);
  size_ = middle;
  return true;
}

bool DirentBlock::give_up_rest(std::string& rest) {
  if (position_ >= size_) return false;
  rest.assign(reinterpret_cast<const char*>(bytes_.get()) + position_, size_ - position_);
  size_ = position_;
  return true;
}

}  // namespace ffind::os
