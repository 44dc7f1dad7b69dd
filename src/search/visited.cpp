// SPDX-License-Identifier: MIT
// Linear probing over a power of two. See visited.h.
#include "search/visited.h"

#include <utility>

namespace ffind {
namespace {

std::size_t hash(const os::FileId& id) {
  // Fibonacci hashing: inode numbers come in runs, the high bits of the product do not.
  std::uint64_t mixed = id.inode * 0x9E3779B97F4A7C15U ^ id.device * 0xC2B2AE3D27D4EB4FU;
  return static_cast<std::size_t>(mixed ^ (mixed >> 29U));
}

}  // namespace

bool VisitedSet::insert(const os::FileId& id) {
  const std::lock_guard lock(mutex_);
  if ((count_ + 1) * 8 > slots_.size() * 7) grow();
  if (!place(id)) return false;
  ++count_;
  return true;
}

bool VisitedSet::place(const os::FileId& id) {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = hash(id) & mask;
  while (slots_[slot] != os::FileId{}) {
    if (slots_[slot] == id) return false;
    slot = (slot + 1) & mask;
  }
  slots_[slot] = id;
  return true;
}

void VisitedSet::grow() {
  std::vector<os::FileId> old(slots_.empty() ? 1024 : slots_.size() * 2);
  old.swap(slots_);
  for (const os::FileId& id : old) {
    if (id != os::FileId{}) place(id);
  }
}

}  // namespace ffind
