// SPDX-License-Identifier: MIT
// Slots by the upper half of their hashes:
//
//     slots_   [ 1 | 4 | . | 7 | 8 | . | . | 12 | . ]   in the order of the hashes, . is free
//     find()   from place_of(hash) on, up to the first that is free or not smaller
//     grow()   from the end: each slot moves to its new place, which is never below the old one
#include "output/link_table.h"

#include <algorithm>
#include <memory>
#include <new>
#include <utility>

namespace ffind::output {
namespace {

std::uint64_t hash_of(std::uint64_t inode) {
  return inode * std::uint64_t{0x9E3779B97F4A7C15};
}

}  // namespace

std::size_t LinkTable::first_not_before(std::uint64_t hash) const {
  std::size_t at = place_of(hash);
  while (at < size_ && slots_[at].row != 0 && slots_[at].hash < hash) ++at;
  return at;
}

LinkTable::Slot& LinkTable::find(std::uint64_t inode) {
  const std::uint64_t hash = hash_of(inode);
  std::size_t at = first_not_before(hash);
  if (at < size_ && slots_[at].row != 0 && slots_[at].hash == hash) return slots_[at];
  if ((used_ + 1) * 16 > places_ * 15) {
    grow();
    at = first_not_before(hash);
  }
  std::size_t end = at;
  while (end < size_ && slots_[end].row != 0) ++end;
  if (end == size_) resize(size_ + 1);
  std::move_backward(slots_.get() + at, slots_.get() + end, slots_.get() + end + 1);
  ++used_;
  return slots_[at] = {hash};
}

void LinkTable::prefetch(std::uint64_t inode) const {
  __builtin_prefetch(slots_.get() + place_of(hash_of(inode)));
}

void LinkTable::resize(std::size_t size) {
  void* const grown = std::realloc(slots_.get(), size * sizeof(Slot));
  if (grown == nullptr) throw std::bad_alloc();
  static_cast<void>(slots_.release());
  slots_.reset(static_cast<Slot*>(grown));
  std::uninitialized_fill(slots_.get() + size_, slots_.get() + size, Slot{});
  size_ = size;
}

/// Moves all slots to the end and then, from the first on, to their new places.
void LinkTable::grow() {
  constexpr std::size_t few = 65536;  // a MiB; by eighths, 80,000 inodes took 1 % of the search
  places_ += places_ < few ? places_ + 64 : places_ / 8;
  std::size_t end = 0;
  for (std::size_t at = 0; at < size_; ++at) {
    if (slots_[at].row != 0) end = std::max(end, place_of(slots_[at].hash)) + 1;
  }
  std::size_t at = size_;
  resize(std::max({places_, end, size_}));
  std::size_t from = size_;
  for (; at > 0; --at) {
    if (slots_[at - 1].row != 0 && --from != at - 1)
      slots_[from] = std::exchange(slots_[at - 1], {});
  }
  end = 0;
  for (; from < size_; ++from) {
    const Slot slot = std::exchange(slots_[from], {});
    end = std::max(end, place_of(slot.hash));
    slots_[end++] = slot;
  }
}

}  // namespace ffind::output
