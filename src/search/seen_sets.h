// SPDX-License-Identifier: MIT
// Sets of what a search has seen, so that nothing is entered or emitted twice: VisitedSet has the
// directories that were visited, EmittedSet the paths that a catalog emitted before it was searched
// again, or given up for a walk. Both are shared by workers and keep hundreds of thousands of keys
// in a FlatSet.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string_view>
#include <vector>

#include "os/files.h"

namespace ffind::search {

/// Hash set with open addressing and linear probing over a power of two: 450,000 keys of 16 bytes
/// take 8 MiB, 25 in a std::unordered_set. `Key{}` marks a free slot and cannot be in the set.
/// `Hash` must spread well over its low bits. Not thread-safe.
template <typename Key, typename Hash>
class FlatSet {
 public:
  /// Returns true if `key` was not in the set.
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
  /// Index of the slot that has `key`, or would get it.
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

/// Directories visited, for --unique. Thread-safe, but for `reserve`. No file
/// system numbers a directory {0, 0}.
///
/// The walk that comes to a directory first lists and enters it, with one exception: the root of a
/// mounted volume is listed by the walk around it, or through a link, and entered by its own task.
/// Whichever of them came second would else leave out what the first one does not do. So these
/// roots are reserved before the search.
class VisitedSet {
 public:
  /// Returns true if `id` was not in the set.
  bool insert(const os::FileId& id) {
    const std::lock_guard lock(mutex_);
    return ids_.insert(id);
  }
  /// Leaves entering `id` to the task whose root it is. A named root counts as listed. Call before
  /// the search.
  void reserve(const os::FileId& id, bool named) {
    roots_.insert(id);
    if (named && ids_.insert(id)) named_.insert(id);
  }
  bool is_reserved(const os::FileId& id) const { return roots_.contains(id); }
  bool is_named(const os::FileId& id) const { return named_.contains(id); }
  /// Returns true if the root `id` was not entered.
  bool enter_root(const os::FileId& id) {
    const std::lock_guard lock(mutex_);
    return (roots_.contains(id) ? entered_ : ids_).insert(id);
  }

 private:
  struct Hash {
    std::size_t operator()(const os::FileId& id) const {
      // Fibonacci hashing: inode numbers come in runs, the high bits of the product do not.
      const std::uint64_t mixed = id.inode * 0x9E3779B97F4A7C15U ^ id.device * 0xC2B2AE3D27D4EB4FU;
      return static_cast<std::size_t>(mixed ^ (mixed >> 29U));
    }
  };

  using Ids = FlatSet<os::FileId, Hash>;

  std::mutex mutex_;
  Ids ids_;
  Ids roots_;    ///< reserved; unchanged during the search
  Ids named_;    ///< of these, the named ones
  Ids entered_;  ///< of these, those entered
};

/// Hash of a path: eight bytes of memory, while 840,000 paths would take 80 MB. Two of that many
/// have the same key in one of 50 million searches, which costs a result only if that search was
/// disturbed.
using PathKey = std::uint64_t;

/// FNV-1a, continued from `key`.
inline PathKey continue_key(PathKey key, std::string_view text) {
  for (const char c : text) key = (key ^ static_cast<unsigned char>(c)) * 0x100000001B3U;
  return key;
}

/// Returns the key of the directory `below` the root with that number in its task.
inline PathKey directory_key(std::size_t root, std::string_view below) {
  // The root's number takes the place of a first character.
  const PathKey start = (0xCBF29CE484222325U ^ root) * 0x100000001B3U;
  return continue_key(continue_key(start, below), "/");
}

inline PathKey entry_key(PathKey directory, std::string_view name) {
  const PathKey key = continue_key(directory, name);
  const PathKey mixed = (key ^ key >> 32U) * 0x9E3779B97F4A7C15U;
  const PathKey spread = mixed ^ mixed >> 29U;
  return spread != 0 ? spread : 1;  // 0 marks a free slot
}

/// Paths that a catalog emitted: filled by its workers, read by the walker's. Thread-safe.
class EmittedSet {
 public:
  /// Returns whether to emit the path with that key: always before `consult` was called, afterwards
  /// if it was not admitted before. One step, so that only one of two workers with the same path
  /// gets it.
  bool admit(PathKey key) {
    const std::lock_guard lock(mutex_);
    return keys_.insert(key) || !consulted_;
  }
  /// From now on, `admit` refuses what was admitted.
  void consult() {
    const std::lock_guard lock(mutex_);
    consulted_ = true;
  }
  /// Call only after the last `admit`: takes no lock.
  bool contains(PathKey key) const { return keys_.contains(key); }

 private:
  struct Hash {
    std::size_t operator()(PathKey key) const { return static_cast<std::size_t>(key); }
  };

  std::mutex mutex_;
  FlatSet<PathKey, Hash> keys_;
  bool consulted_ = false;
};

}  // namespace ffind::search
