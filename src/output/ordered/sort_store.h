// SPDX-License-Identifier: MIT
// What one lane found, with its keys: packed one behind the other, sorted at the end, and no more
// of it kept than can come out first. Used by the sorter. Knows bytes, no entries and no threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace ffind {

/// A match as it is kept. Its key is the head and, behind it, the path.
struct Stored {
  std::string_view head;  ///< of all heads in a store, none is the beginning of another
  std::string_view path;  ///< without NUL
  std::string_view record;
};

/// Which of two comes first; equal are only such as nobody can tell apart.
class StoredOrder {
 public:
  explicit StoredOrder(bool path_reversed) : path_reversed_(path_reversed) {}

  /// Less than 0 where `a` comes first. Looks at no record.
  int compare_keys(const Stored& a, const Stored& b) const;
  int compare(const Stored& a, const Stored& b) const;
  bool path_reversed() const { return path_reversed_; }

 private:
  bool path_reversed_;
};

/// Bytes in blocks that stay where they are.
class Arena {
 public:
  char* allocate(std::size_t size);
  /// All that is used of each block, in the order in which it was allocated.
  std::vector<std::string_view> blocks() const;

 private:
  struct Block {
    std::unique_ptr<char[]> bytes;
    std::size_t used;
    std::size_t size;
  };
  std::vector<Block> blocks_;
};

/// Belongs to one thread.
class SortStore {
 public:
  /// Of more than `limit` matches the first are kept.
  SortStore(StoredOrder order, std::uint64_t limit);

  /// False for what certainly is not among the first: no record need be made.
  bool wants(std::string_view head, std::string_view path) const;
  void add(std::string_view head, std::string_view path, std::string_view record);

  /// To be called once, when there are no more.
  void sort();
  /// After that: in their order.
  std::size_t size() const { return items_.size(); }
  Stored operator[](std::size_t index) const { return unpack(items_[index].packed); }
  /// Says that it will soon be asked for.
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

  static Stored unpack(const char* packed);
  static const char* end_of(const Stored& stored);
  void pack(const Stored& stored);
  void list_items();
  void sort_items();
  void sort_range(const Range& range, std::vector<Range>& later);
  Range fetch_next(Range range);
  void sort_by_record(const Range& range);
  void drop_the_last();
  std::uint64_t word_of(const Stored& stored, std::size_t index) const;
  static bool ends_with(const Stored& stored, std::size_t index);

  const StoredOrder order_;
  const std::uint64_t limit_;
  const std::uint64_t enough_;  ///< so many, and those behind the limit are dropped
  Arena arena_;
  std::uint64_t count_ = 0;
  std::vector<Item> items_;
  const char* last_ = nullptr;  ///< of those kept; null while fewer than the limit were seen
};

}  // namespace ffind
