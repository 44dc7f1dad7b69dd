// SPDX-License-Identifier: MIT
// The set of directories already visited, for --unique. Shared by all workers of a search.
#pragma once

#include <cstddef>
#include <mutex>

#include "os/os.h"
#include "search/flat_set.h"

namespace ffind {

/// Thread-safe. No file system numbers a directory {0, 0}.
class VisitedSet {
 public:
  /// True when `id` was not in the set.
  bool insert(const os::FileId& id) {
    const std::lock_guard lock(mutex_);
    return ids_.insert(id);
  }

 private:
  struct Hash {
    std::size_t operator()(const os::FileId& id) const {
      // Fibonacci hashing: inode numbers come in runs, the high bits of the product do not.
      const std::uint64_t mixed = id.inode * 0x9E3779B97F4A7C15U ^ id.device * 0xC2B2AE3D27D4EB4FU;
      return static_cast<std::size_t>(mixed ^ (mixed >> 29U));
    }
  };

  std::mutex mutex_;
  FlatSet<os::FileId, Hash> ids_;
};

}  // namespace ffind
