// SPDX-License-Identifier: MIT
// Sums of sizes by directory, for --usage, --count, --tree and the order "space" of --pick. Each
// numbers directories in its own way, a parent lower than what is in it. Sums that exceed the
// largest number count as that: two sparse files can reach it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ffind::output {

inline void add_up(std::uint64_t& sum, std::uint64_t bytes) {
  sum += std::min(bytes, UINT64_MAX - sum);
}

struct Space {
  std::uint64_t allocated = 0;
  std::uint64_t size = 0;
  std::uint64_t count = 0;  ///< of entries

  Space& operator+=(const Space& other) {
    add_up(allocated, other.allocated);
    add_up(size, other.size);
    count += other.count;
    return *this;
  }
  /// Stops at 0: a file may have grown since it was added.
  Space& operator-=(const Space& other) {
    allocated -= std::min(other.allocated, allocated);
    size -= std::min(other.size, size);
    count -= std::min(other.count, count);
    return *this;
  }
  bool empty() const { return count == 0; }
};

/// Adds the sum of each directory to that of its parent; `parent_of` is at least `sums.size()` for
/// one that has none.
template <typename ParentOf>
void add_to_parents(std::vector<std::uint64_t>& sums, ParentOf parent_of) {
  for (std::size_t directory = sums.size(); directory-- > 0;) {
    const std::size_t parent = parent_of(directory);
    if (parent < sums.size()) add_up(sums[parent], sums[directory]);
  }
}

}  // namespace ffind::output
