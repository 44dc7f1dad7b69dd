// SPDX-License-Identifier: MIT
// What one lane found, with its keys: packed one behind the other, sorted at the end, and no more
// of it kept than can come out first. Used by the sorter. Knows no entries and no threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ffind/entry.h"
#include "output/path_tree.h"
#include "output/pipeline.h"
#include "output/record_fields.h"

namespace ffind::output {

/// Makes the keys of matches. The key of a match has a head, made here, and ends with its path,
/// which all keys end with, so that no two matches are equal. Belongs to one thread.
class KeyMaker {
 public:
  /// `accounts` outlive it. What is behind `path` in `keys` is ignored.
  KeyMaker(const std::vector<SortKey>& keys, const Accounts* accounts);

  /// What `append_head` will ask each match for.
  Needs needs() const { return needs_; }
  bool path_reversed() const { return path_reversed_; }

  /// No head of a match is the beginning of another's.
  void append_head(std::string& out, Entry& entry);

 private:
  void append(std::string& out, const SortKey& key, Entry& entry);
  bool append_value(std::string& out, const RecordField& field, const FieldValue& value);
  void append_folded(std::string& out, std::string_view text);

  std::vector<SortKey> keys_;
  bool path_reversed_ = false;
  Needs needs_ = needs::directory;
  FieldScratch scratch_;
  std::string folded_;
};

/// What matches are sorted by: the head and, behind it, the path.
struct StoredKey {
  std::string_view head;  ///< of all heads in a store, none is the beginning of another
  std::string_view path;  ///< without NUL
};

/// What is kept of a match: its key, and for the next stage a record (std::string_view) or a Match
/// with that path.
template <typename Kept>
struct Stored : StoredKey {
  Kept kept;
};

/// Which of two comes first; equal only if they cannot be distinguished.
class StoredOrder {
 public:
  explicit StoredOrder(bool path_reversed) : path_reversed_(path_reversed) {}

  /// Less than 0 where `a` comes first.
  int compare(const StoredKey& a, const StoredKey& b) const;
  /// Of two with the same key the one with the lesser record, or the shorter root.
  template <typename Kept>
  int compare(const Stored<Kept>& a, const Stored<Kept>& b) const;
  bool path_reversed() const { return path_reversed_; }

 private:
  bool path_reversed_;
};

/// Belongs to one thread.
template <typename Kept>
class SortStore {
 public:
  /// Of more than `limit` matches the first are kept.
  SortStore(StoredOrder order, std::uint64_t limit);

  /// False for what certainly is not among the first: no record need be made.
  bool wants(const StoredKey& key) const;
  void add(const StoredKey& key, const Kept& kept);

  /// To be called once, when there are no more.
  void sort();
  /// After that: in their order.
  std::size_t size() const { return items_.size(); }
  Stored<Kept> operator[](std::size_t index) const { return unpack(items_[index].packed); }
  /// Prefetches it.
  void expect(std::size_t index) const;

 private:
  struct Item {
    std::uint64_t word;  ///< eight bytes of the key: those that are being sorted by
    const char* packed;
  };
  struct Range {
    std::size_t begin;
    std::size_t end;
    std::size_t word;
  };

  static Stored<Kept> unpack(const char* packed);
  void pack(const Stored<Kept>& stored);
  void list_items();
  void sort_items();
  void sort_range(const Range& range, std::vector<Range>& later);
  Range fetch_next(Range range);
  void sort_by_kept(const Range& range);
  void drop_the_last();
  std::uint64_t word_of(const StoredKey& key, std::size_t index) const;
  static bool ends_with(const StoredKey& key, std::size_t index);

  const StoredOrder order_;
  const std::uint64_t limit_;
  const std::uint64_t enough_;  ///< so many, and those behind the limit are dropped
  Arena arena_;
  std::uint64_t count_ = 0;
  std::vector<Item> items_;
  const char* last_ = nullptr;  ///< of those kept; null while fewer than the limit were seen
};

extern template class SortStore<std::string_view>;
extern template class SortStore<Match>;

}  // namespace ffind::output
