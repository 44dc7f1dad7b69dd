// SPDX-License-Identifier: MIT
// Everything that a search found, for a person to pick from: names by their directories, not whole
// paths, and what is needed to make the entries again (entry_reader.h). Filled by the lanes of
// PickSink, read by the narrower and the screen. Knows no query and makes no call.
//
// A million entries take 12 bytes each beside their names; a directory takes 30 beside its own,
// whatever its depth. Nothing moves once it is there, so readers need no lock.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "ffind/entry.h"
#include "ffind/plan.h"
#include "output/pick/segments.h"

namespace ffind::output {

/// The number of an entry: entries are numbered as they are published.
using EntryId = std::uint32_t;
using DirectoryId = std::uint32_t;
inline constexpr DirectoryId no_directory = static_cast<DirectoryId>(-1);

/// Whether the system marks an entry as a bundle.
enum class BundleMark : std::uint8_t { unknown, no, yes };

/// Thread-safe. Reads are valid for ids below a `size()` that the reading thread has seen.
class EntryStore {
 public:
  struct Directory {
    std::uint64_t name_place;
    DirectoryId parent;    ///< no_directory: a root, which has no name
    std::uint32_t depth;   ///< of the entries in it
    std::uint32_t origin;  ///< number of the root that it was found from
    std::uint16_t name_size;
  };

  /// What a lane has gathered.
  struct Gathered {
    struct Item {
      DirectoryId directory;
      std::uint16_t name_size;
      FileType type;
      BundleMark mark = BundleMark::unknown;
    };
    std::string names{};  ///< one behind the other
    std::vector<Item> items{};
    /// Of those whose metadata came with them, by their number among the items.
    struct Known {
      std::size_t item;
      Needs present;
      Metadata metadata;
    };
    std::vector<Known> known{};
    bool empty() const { return items.empty(); }
  };

  EntryStore();

  /// How many entries there are.
  std::size_t size() const { return size_.load(std::memory_order_acquire); }

  std::string_view name(EntryId id) const {
    const Record& record = records_[id];
    return {&names_[place_of(record)], record.name_size};
  }
  FileType type(EntryId id) const { return static_cast<FileType>(records_[id].type & type_bits); }
  BundleMark bundle_mark(EntryId id) const {
    return static_cast<BundleMark>(records_[id].type >> mark_shift);
  }
  DirectoryId directory_of(EntryId id) const { return records_[id].directory; }
  const Directory& directory(DirectoryId id) const { return directories_[id]; }
  /// How many directories there are; grows before `size` does.
  std::size_t directories() const { return directory_count_.load(std::memory_order_acquire); }
  std::string_view name_of(const Directory& directory) const {
    return {&names_[directory.name_place], directory.name_size};
  }
  /// The root that `directory` was found from: a copy, which stays.
  const Root& root_of(const Directory& directory) const { return *origins_[directory.origin]; }
  std::uint32_t depth(EntryId id) const { return directory(directory_of(id)).depth; }

  /// Appends the path as it is printed. For one entry now and then; who reads many has an
  /// EntryReader.
  void append_path(std::string& out, EntryId id) const;
  /// The path of its directory with a slash, as it is printed, or the end of it if it is longer
  /// than `most` bytes: whole names, the last of which may exceed that. Takes no longer for a
  /// longer path.
  std::string directory_end(EntryId id, std::size_t most) const;

  // Metadata: kept for those entries only that somebody has read it of.

  /// What is known of `id` of needs::metadata, copied into `metadata`; in `failed` what could not
  /// be read. No more than `wanted` is copied.
  Needs known(EntryId id, Needs wanted, Metadata& metadata, Needs& failed) const;
  /// Keeps `present`, and that `failed` could not be read. By any thread.
  void remember(EntryId id, Needs present, Needs failed, const Metadata& metadata);

  // For lanes.

  /// The number of the root `root`, known by its address.
  std::uint32_t origin_of(const Root& root);
  /// The number of a directory `name` in `parent`, or of a root (no_directory, ""), which none had
  /// before and it keeps. `depth`: of the entries in it.
  DirectoryId add_directory(std::uint32_t origin, DirectoryId parent, std::string_view name,
                            std::uint32_t depth);
  /// Publishes what was gathered, and empties it. False when no more entries can be numbered.
  bool publish(Gathered& gathered);
  /// `grown` is called after each publish, by the thread that published, which may have begun
  /// before this call. Must not publish itself. Null: nothing is called.
  void when_it_grows(std::function<void()> grown);

 private:
  struct Record {
    DirectoryId directory;
    std::uint32_t name_place;  ///< lower bits
    std::uint16_t name_size;
    std::uint8_t name_place_high;
    std::uint8_t type;  ///< and in its upper half the bundle mark
  };
  static_assert(sizeof(Record) == 12);
  static constexpr unsigned mark_shift = 4;
  static constexpr std::uint8_t type_bits = (1U << mark_shift) - 1;
  static constexpr std::size_t most_columns = 14;
  using Column = Segments<std::atomic<std::uint64_t>, 12>;

  static std::uint64_t place_of(const Record& record) {
    return std::uint64_t{record.name_place_high} << 32U | record.name_place;
  }
  std::uint64_t add_name(std::string_view name);
  std::size_t slot_of(std::uint32_t origin, DirectoryId parent, std::string_view name) const;
  void grow_slots();

  Segments<Record, 12> records_;
  Segments<char, 16> names_;
  Segments<Directory, 8> directories_;
  std::atomic<std::size_t> size_{0};
  std::atomic<std::size_t> directory_count_{0};

  std::mutex mutex_;  ///< of those who write; guards what follows
  std::uint64_t names_end_ = 0;
  std::vector<DirectoryId> slots_;  ///< by hash of origin, parent and name; no_directory: free
  std::deque<Root> roots_;
  std::vector<const Root*> root_addresses_;
  std::shared_ptr<const std::function<void()>> grown_;
  Segments<const Root*, 4> origins_;  ///< read without the lock, too

  std::mutex columns_mutex_;  ///< for making room in what follows
  /// Which metadata are present in the lower and failed in the upper half.
  Column states_;
  std::array<Column, most_columns> columns_;
};

}  // namespace ffind::output
