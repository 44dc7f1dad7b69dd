// SPDX-License-Identifier: MIT
// A set in one block of memory: what searchers remember by the hundred thousand (directories that
// were visited, paths that were printed). Knows nothing of either.
#pragma once

#include <cstddef>
#include <vector>

namespace ffind {

/// Open addressing with linear probing over a power of two: 450,000 keys of 16 bytes in 8 MiB,
/// where a std::unordered_set takes 25. `Key{}` marks a free slot and cannot be in the set. `Hash`
/// must spread well over its low bits. One thread at a time.
template <typename Key, typename Hash>
class FlatSet {
 public:
  /// True when `key` was not in the set.
  bool insert(const Key& key) {
    if ((count_ + 1) * 8 > slots_.size() * 7) grow();
    Key& slot = slots_[place_of(key)];
    if (slot == key) return false;
    slot = key;
    ++count_;
    return true;
  }

  bool contains(const Key& key) const { return count_ != 0 && slots_[place_of(key)] == key; }

 private:
  /// Where `key` is, or would be.
  std::size_t place_of(const Key& key) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t slot = Hash()(key) & mask;
    while (slots_[slot] != Key{} && slots_[slot] != key) slot = (slot + 1) & mask;
    return slot;
  }

  void grow() {
    std::vector<Key> old(slots_.empty() ? 1024 : slots_.size() * 2);
    old.swap(slots_);
    for (const Key& key : old) {
      if (key != Key{}) slots_[place_of(key)] = key;
    }
  }

  std::vector<Key> slots_;
  std::size_t count_ = 0;
};

}  // namespace ffind
