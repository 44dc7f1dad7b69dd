// SPDX-License-Identifier: MIT
// A table of inodes with several links, for --usage: where each counts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>

#include "ffind/entry.h"

namespace ffind::output {

/// The first path so far of each inode with several links, in 16 bytes and a sixteenth to a sixth
/// of free slots; up to a half in tables of less than a MiB.
///
/// A list in the order of the hashes, with gaps: each slot is in its place by proportion, or in one
/// of those after it, none of which is free. So the table grows in place, from its end, and an
/// inode that is missing is known to be so at the first larger hash.
class LinkTable {
 public:
  struct Slot {
    std::uint64_t hash = 0;  ///< of the inode; no two have the same
    DirectoryToken row = 0;  ///< 0: free
    std::uint32_t name = 0;  ///< offset in the row's link_names
  };
  /// Returns the slot of the inode, a new one with row 0 if there was none; the caller sets it.
  /// Valid until the next call.
  Slot& find(std::uint64_t inode);
  /// Loads what a find() of the inode needs into the cache.
  void prefetch(std::uint64_t inode) const;

 private:
  struct Free {
    void operator()(Slot* slots) const { std::free(slots); }
  };
  std::size_t place_of(std::uint64_t hash) const { return ((hash >> 32U) * places_) >> 32U; }
  std::size_t first_not_before(std::uint64_t hash) const;
  void resize(std::size_t size);
  void grow();

  /// `places_`, and those beyond that the last ones need. From realloc(), which moves the pages of
  /// a large table, so that old and new are never there together.
  std::unique_ptr<Slot[], Free> slots_;
  std::size_t size_ = 0;
  std::size_t places_ = 0;
  std::size_t used_ = 0;
};

}  // namespace ffind::output
