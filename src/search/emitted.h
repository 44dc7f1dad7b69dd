// SPDX-License-Identifier: MIT
// What a catalog has emitted, so that nothing is printed twice when it has to be searched again, or
// walked after all. Filled by the catalog's workers, looked at by the walker's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string_view>

#include "search/flat_set.h"

namespace ffind {

/// Stands for a path: eight bytes of memory where 840,000 paths would take 80 MB. That two of so
/// many have the same key happens in one of 50 million searches, and costs a result only in one
/// that was disturbed.
using PathKey = std::uint64_t;

/// The key of the directory `below` the root with that number in its task.
inline PathKey directory_key(std::size_t root, std::string_view below);
inline PathKey entry_key(PathKey directory, std::string_view name);

/// Thread-safe.
class EmittedSet {
 public:
  /// Whether to emit what has that key: everything, until `consult` was called, then what was not
  /// admitted before. One step, so that of two workers with the same path only one gets it.
  bool admit(PathKey key) {
    const std::lock_guard lock(mutex_);
    return keys_.insert(key) || !consulted_;
  }
  void consult() {
    const std::lock_guard lock(mutex_);
    consulted_ = true;
  }
  /// To be called only once nothing is admitted any more.
  bool contains(PathKey key) const { return keys_.contains(key); }

 private:
  struct Hash {
    std::size_t operator()(PathKey key) const { return static_cast<std::size_t>(key); }
  };

  std::mutex mutex_;
  FlatSet<PathKey, Hash> keys_;
  bool consulted_ = false;
};

namespace path_keys {

/// FNV-1a, which can go on from where it was.
inline PathKey append(PathKey key, std::string_view text) {
  for (const char c : text) key = (key ^ static_cast<unsigned char>(c)) * 0x100000001B3U;
  return key;
}

}  // namespace path_keys

inline PathKey directory_key(std::size_t root, std::string_view below) {
  // The root's number takes the place of a first character.
  const PathKey start = (0xCBF29CE484222325U ^ root) * 0x100000001B3U;
  return path_keys::append(path_keys::append(start, below), "/");
}

inline PathKey entry_key(PathKey directory, std::string_view name) {
  const PathKey key = path_keys::append(directory, name);
  const PathKey mixed = (key ^ key >> 32U) * 0x9E3779B97F4A7C15U;
  const PathKey spread = mixed ^ mixed >> 29U;
  return spread != 0 ? spread : 1;  // 0 marks a free slot
}

}  // namespace ffind
