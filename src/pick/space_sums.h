// SPDX-License-Identifier: MIT
// Space that the entries of a store take, directories with all that was found below them: the order
// "space" of the list, and the column that shows it.
//
// Rules of --usage: allocated bytes, hard links of an inode once per volume, under the first of
// their paths in byte order. They differ in one point: the entry of a hard link shows its own
// space, wherever the inode counts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "ffind/entry.h"
#include "pick/store.h"

namespace ffind::pick {

/// A snapshot. Immutable and thread-safe.
class SpaceSums {
 public:
  /// Metadata that sums are made of.
  static constexpr Needs needs = needs::allocated | needs::links | needs::identity;

  /// Adds up the first `count` entries, by what the store knows of them. `values` is kept only.
  SpaceSums(const EntryStore& store, std::size_t count, std::size_t values);

  /// Returns the number of entries that were added up.
  std::size_t count() const { return count_; }
  /// Returns the number of values that had been loaded before.
  std::size_t values() const { return values_; }
  /// Returns the bytes of an entry; nullopt if it is not known.
  std::optional<std::uint64_t> of(EntryId id) const;
  /// Returns the bytes of all entries.
  std::uint64_t total() const { return total_; }
  /// Returns the root if only one was named, else no_directory.
  DirectoryId only_root() const { return only_root_; }
  /// Returns the root of the volume mounted at an entry, or no_directory.
  DirectoryId volume_at(EntryId id) const;
  /// True for each directory that has its entries on the level of `place`: that one, and
  /// directories in it that have no entry themselves. no_directory: the level of the roots.
  std::vector<bool> level(DirectoryId place) const;

 private:
  const EntryStore& store_;
  const std::size_t count_;
  const std::size_t values_;
  std::uint64_t total_ = 0;
  DirectoryId only_root_ = no_directory;
  std::vector<std::pair<EntryId, std::uint64_t>> directories_;  ///< ascending by id
  std::vector<std::pair<EntryId, DirectoryId>> volumes_;        ///< by the entry that leads there
  std::vector<bool> has_entry_;                                 ///< by DirectoryId
};

}  // namespace ffind::pick
