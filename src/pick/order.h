// SPDX-License-Identifier: MIT
// Entries in one order, kept so: what is new is sorted and merged, and what matches at the moment
// is filtered out of it. Used by the narrower's ordering thread. Makes no call: values by which it
// orders must be in the store.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "pick/list.h"
#include "pick/store.h"

namespace ffind::pick {

/// A set of entries by their numbers.
class EntrySet {
 public:
  bool contains(EntryId id) const {
    const std::size_t word = id / 64;
    return word < words_.size() && (words_[word] >> (id % 64) & 1U) != 0;
  }
  void add(EntryId id) {
    const std::size_t word = id / 64;
    if (word >= words_.size()) words_.resize(word + 1 + word / 2);
    words_[word] |= std::uint64_t{1} << (id % 64);
  }

 private:
  std::vector<std::uint64_t> words_;
};

/// What has to be known of an entry to order it so.
Needs needs_of(PickOrder order);

/// A value: a copy that grows leaves others as they are.
class Ordering {
 public:
  Ordering(const EntryStore& store, PickOrder order) : store_(store), order_(order) {}

  bool contains(EntryId id) const { return members_.contains(id); }
  /// Adds what it does not contain yet, ascending by number. Once `stop` is true nobody wants to
  /// have it any more, and its order is any.
  void add(std::vector<EntryId> ids, const std::atomic<bool>& stop);
  /// Those of `wanted` that it contains, in their order. What is unknown comes last either way.
  std::vector<EntryId> filter(const EntrySet& wanted, std::size_t size, bool reversed) const;

 private:
  void sort(std::vector<EntryId>& ids, const std::atomic<bool>& stop) const;
  void sort_by_name(std::vector<EntryId>& ids, const std::atomic<bool>& stop) const;
  void sort_by_path(std::vector<EntryId>& ids) const;
  void sort_by_value(std::vector<EntryId>& ids) const;
  bool comes_before(EntryId a, EntryId b) const;
  /// Whether both have the same value, and only their paths decide.
  bool equal_values(EntryId a, EntryId b) const;
  bool is_known(EntryId id) const;
  std::uint64_t value_of(EntryId id) const;
  bool path_before(EntryId a, EntryId b) const;

  const EntryStore& store_;
  PickOrder order_;
  std::vector<EntryId> sorted_;
  EntrySet members_;
};

}  // namespace ffind::pick
