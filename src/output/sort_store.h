// SPDX-License-Identifier: MIT
// Matches of one lane, to be sorted (sorter.h). Knows no threads.
//
//     KeyMaker    makes keys of entries: bytes that compare as the fields of --sort do.
//     SortStore   keeps matches with their keys in an Arena, and sorts them at the end. With a
//                 limit, few more are kept than can be among the first.
//
// A key is a head, made of the fields before `path` in --sort, and the path, so that no two matches
// are equal. No head is the beginning of another, so that a key compares as one text.
//
//     --sort -size,path    1 ~size (8 bytes, big-endian)                  │ path
//     --sort name          1 natural form of the folded name \0 name \0  │ path
//     unknown value        2                                              │ path
//
// The bytes of a reversed field are inverted, but for the first one, so that unknown values come
// last in either direction. If the path is reversed, the whole head is inverted, and keys are
// compared the other way round.
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

/// Makes the heads of keys. Belongs to one thread.
class KeyMaker {
 public:
  /// `accounts` outlive it. Keys after `path` are ignored.
  KeyMaker(const std::vector<SortKey>& keys, const Accounts* accounts);

  /// Metadata that `append_head` requires of each match.
  Needs needs() const { return needs_; }
  bool path_reversed() const { return path_reversed_; }

  /// Appends a head that is not the beginning of any other.
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

/// The key of a match.
struct StoredKey {
  std::string_view head;  ///< not the beginning of any other in the store
  std::string_view path;  ///< without NUL
};

/// A kept match: its key, and for the next stage a record (std::string_view) or a Match with that
/// path.
template <typename Kept>
struct Stored : StoredKey {
  Kept kept;
};

/// Compares keys; equal only if the matches cannot be distinguished.
class StoredOrder {
 public:
  explicit StoredOrder(bool reversed) : reversed_(reversed) {}

  /// Returns less than 0 if `a` comes first.
  int compare(const StoredKey& a, const StoredKey& b) const;
  /// Compares records, or the lengths of roots, if the keys are equal.
  template <typename Kept>
  int compare(const Stored<Kept>& a, const Stored<Kept>& b) const;
  bool reversed() const { return reversed_; }

 private:
  bool reversed_;
};

/// Belongs to one thread.
template <typename Kept>
class SortStore {
 public:
  /// Keeps the first `limit` matches.
  SortStore(StoredOrder order, std::size_t limit);

  /// Returns false if a match cannot be among the first: no record need be made of it.
  bool wants(const StoredKey& key) const;
  void add(const StoredKey& key, const Kept& kept);

  /// Call once, after the last add().
  void sort();
  /// After sort(): the matches in their order.
  std::size_t size() const { return items_.size(); }
  Stored<Kept> operator[](std::size_t index) const { return unpack(items_[index].packed); }

 private:
  struct Item {
    std::uint64_t word;  ///< eight bytes of the key
    const char* packed;
  };
  using Items = typename std::vector<Item>::iterator;
  /// Items whose keys have the first `common` bytes in common.
  struct Range {
    Items begin;
    Items end;
    std::size_t common;
    int words;  ///< number of words that were sorted by
  };

  static Stored<Kept> unpack(const char* packed);
  const char* pack(const Stored<Kept>& stored);
  void list_items();
  void sort_range(Range range, std::vector<Range>& later);
  void drop_the_last();
  bool comes_before(const Item& a, const Item& b) const {
    return order_.compare(unpack(a.packed), unpack(b.packed)) < 0;
  }

  const StoredOrder order_;
  const std::size_t limit_;
  const std::size_t enough_;  ///< at this number, matches after the limit are dropped
  Arena arena_;
  std::size_t count_ = 0;
  std::vector<Item> items_;
  const char* last_ = nullptr;  ///< the last that is kept; null until the limit was reached
};

extern template class SortStore<std::string_view>;
extern template class SortStore<Match>;

}  // namespace ffind::output
