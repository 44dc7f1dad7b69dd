// SPDX-License-Identifier: MIT
// Entries that the search found, for the list to show and for the output of what was picked. Knows
// no query and makes no system call, except through a LateLoader.
//
//     Segments      arrays that grow while others read them: nothing in them ever moves.
//     EntryStore    names by their directories instead of whole paths. A million entries take 12
//                   bytes each plus their names; a directory takes 30 plus its name, at any depth.
//                   Metadata is in columns, which only take memory for entries that some was read
//                   of.
//     PickSink      the sink of the search: its lanes gather entries and publish them by the
//                   thousand.
//     StoreCursor   makes an Entry again, as the search offered it: for the matcher of the prompt,
//                   for details, and for the lanes that write what was picked.
//
// Lanes write under a mutex and then raise the size with release; readers see everything below a
// size that they have read, and need no lock.
//
//     EntryId ─▶ Record {directory, name place, type}     12 bytes
//     DirectoryId ─▶ Directory {parent, name place, depth, origin} ─▶ ... ─▶ root (no parent)
//     names_      all names, one after the other
//     columns_    size, modified, inode, ...: one array each, by EntryId
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <new>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "ffind/entry.h"
#include "ffind/plan.h"
#include "ffind/searcher.h"
#include "text/sizes.h"

namespace ffind::pick {

/// Each segment is as long as all before it. Its memory is zero, and the system provides a page
/// only when it is written. One thread at a time reserves; other threads may read an element once
/// its writer has published it (with release).
///
///     index      0 .. 2^b-1   2^b .. 2^(b+1)-1   2^(b+1) .. 2^(b+2)-1   ...     b is first_bits
///     segment    0            1                  2
///
/// So the segment of an index is the position of its highest bit, and 48 - b pointers reach 2^47
/// elements. An array that grows by copying could not be read without a lock.
template <typename T, unsigned first_bits>
class Segments {
  static_assert(std::is_trivially_destructible_v<T>);

 public:
  Segments() = default;
  ~Segments() {
    for (std::atomic<T*>& segment : segments_) std::free(segment.load(std::memory_order_relaxed));
  }
  Segments(const Segments&) = delete;
  Segments& operator=(const Segments&) = delete;

  /// Makes room for the element `index`. Throws std::bad_alloc.
  void reserve(std::uint64_t index) {
    std::atomic<T*>& segment = segments_[segment_of(index)];
    if (segment.load(std::memory_order_relaxed) != nullptr) return;
    void* const memory =
        std::calloc(text::at_most(SIZE_MAX, segment_size(segment_of(index))), sizeof(T));
    // As operator new does, but that does not give zeroed memory.
    if (const std::new_handler handler = std::get_new_handler(); memory == nullptr && handler) {
      handler();
    }
    if (memory == nullptr) throw std::bad_alloc();
    segment.store(static_cast<T*>(memory), std::memory_order_release);
  }

  /// The element must have been published to this thread: the load of its segment needs no ordering
  /// then.
  T& operator[](std::uint64_t index) const {
    const unsigned segment = segment_of(index);
    return segments_[segment].load(std::memory_order_relaxed)[index - segment_begin(segment)];
  }
  /// Returns null if no room was made for the element.
  T* look(std::uint64_t index) const {
    T* const segment = segments_[segment_of(index)].load(std::memory_order_acquire);
    return segment == nullptr ? nullptr : segment + (index - segment_begin(segment_of(index)));
  }
  static std::uint64_t end_of(std::uint64_t index) {
    return segment_begin(segment_of(index)) + segment_size(segment_of(index));
  }

 private:
  static unsigned segment_of(std::uint64_t index) {
    return static_cast<unsigned>(std::bit_width(index >> first_bits));
  }
  static std::uint64_t segment_begin(unsigned segment) {
    return segment == 0 ? 0 : std::uint64_t{1} << (first_bits + segment - 1);
  }
  static std::uint64_t segment_size(unsigned segment) {
    return std::uint64_t{1} << (first_bits + (segment == 0 ? 0 : segment - 1));
  }
  std::array<std::atomic<T*>, 48 - first_bits> segments_{};
};

/// Number of an entry, in the order of publication.
using EntryId = std::uint32_t;
using DirectoryId = std::uint32_t;
inline constexpr DirectoryId no_directory = static_cast<DirectoryId>(-1);

/// The system's mark for bundles.
enum class BundleMark : std::uint8_t { unknown, no, yes };

/// Thread-safe. Ids are valid below a `size()` that the reading thread has seen.
class EntryStore {
 public:
  /// Immutable once it is published. The same directory found below two roots is two: paths are
  /// printed as their root is.
  struct Directory {
    std::uint64_t name_place;
    DirectoryId parent;    ///< no_directory for a root, which has no name
    std::uint32_t depth;   ///< of the entries in it
    std::uint32_t origin;  ///< number of the root that it was found from
    std::uint16_t name_size;
  };

  /// Entries that a lane has gathered.
  struct Gathered {
    struct Item {
      DirectoryId directory;
      std::uint16_t name_size;
      FileType type;
      BundleMark mark = BundleMark::unknown;
    };
    std::string names{};  ///< one after the other
    std::vector<Item> items{};
    /// Metadata of entries that came with some, by their index in `items`.
    struct Known {
      std::size_t item;
      Needs present;
      Metadata metadata;
    };
    std::vector<Known> known{};
    bool empty() const { return items.empty(); }
  };

  EntryStore();

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
  /// Returns the number of directories; grows before `size` does.
  std::size_t directories() const { return directory_count_.load(std::memory_order_acquire); }
  /// Returns the number of the directory `name` in `parent`; no_directory if nothing was found in
  /// it.
  DirectoryId find_directory(DirectoryId parent, std::string_view name) const;
  std::string_view name_of(const Directory& directory) const {
    return {&names_[directory.name_place], directory.name_size};
  }
  /// Returns the root that `directory` was found from: a copy, valid as long as the store.
  const Root& root_of(const Directory& directory) const { return *origins_[directory.origin]; }

  /// Returns the path as printed. For single entries; to read many, use a StoreCursor.
  std::string path(EntryId id) const;
  /// Returns the path of a directory as printed, with a slash, or its end if it is longer than
  /// `most` bytes: whole names, the first of which may exceed that. Takes no longer for a longer
  /// path.
  std::string directory_end(DirectoryId id, std::size_t most) const;

  /// Takes an entry out of lists and sums, with everything in it: it is in the Trash. For any
  /// thread.
  void take_out(EntryId id);
  /// Returns how many were taken out.
  std::size_t taken_out() const { return taken_out_.load(std::memory_order_acquire); }
  bool is_taken_out(EntryId id) const;

  // Metadata, for the entries that some was read of.

  /// Copies known metadata of `id` into `metadata`, up to `wanted`. Returns what was copied; sets
  /// `failed` to what could not be read earlier.
  Needs known(EntryId id, Needs wanted, Metadata& metadata, Needs& failed) const;
  /// Keeps metadata, and the fact that `failed` could not be read. For any thread.
  void remember(EntryId id, Needs present, Needs failed, const Metadata& metadata);

  // For lanes.

  /// Returns the number of a root, which is identified by its address.
  std::uint32_t origin_of(const Root& root);
  /// Returns the number of the directory `name` in `parent`, or of a root (no_directory, ""); a new
  /// one if it has none. `depth` is that of the entries in it.
  DirectoryId add_directory(std::uint32_t origin, DirectoryId parent, std::string_view name,
                            std::uint32_t depth);
  /// Publishes gathered entries, and empties `gathered`. Returns false if the store is full.
  bool publish(Gathered& gathered);
  /// Sets a function to be called after each publish, by the publishing thread, even if that began
  /// before this call. It must not publish itself. May be null.
  void when_it_grows(std::function<void()> grown);

 private:
  /// Place and size of the name in names_, with 40 bits for the place: a terabyte. Fields are
  /// ordered by size so that no byte is padding.
  struct Record {
    DirectoryId directory;
    std::uint32_t name_place;  ///< lower bits
    std::uint16_t name_size;
    std::uint8_t name_place_high;
    std::uint8_t type;  ///< the bundle mark is in its upper half
  };
  static_assert(sizeof(Record) == 12);
  static constexpr unsigned mark_shift = 4;
  static constexpr std::uint8_t type_bits = (1U << mark_shift) - 1;
  /// Numbers in for_each_column().
  static constexpr std::size_t most_columns = 22;
  /// The first segment has 4,096 entries; a page that is never written takes no memory.
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

  mutable std::mutex mutex_;  ///< of writers; guards the members below
  std::uint64_t names_end_ = 0;
  std::vector<DirectoryId> slots_;  ///< by hash of origin, parent and name; free if no_directory
  std::deque<std::pair<const Root*, Root>> roots_;  ///< with the addresses that lanes know
  std::shared_ptr<const std::function<void()>> grown_;
  Segments<const Root*, 4> origins_;  ///< read without the lock, too

  std::atomic<std::size_t> taken_out_{0};
  mutable std::mutex out_mutex_;  ///< guards the next two
  std::set<EntryId> out_;
  std::set<DirectoryId> out_directories_;

  std::mutex columns_mutex_;  ///< for reserving in the members below
  /// Present metadata in the lower half, failed in the upper.
  Column states_;
  std::array<Column, most_columns> columns_;
};

/// Sink of the search for a list. Keeps issues and notices until the screen is gone.
/// Thread-safe.
class PickSink final : public Sink {
 public:
  /// Issues after these are only counted.
  static constexpr std::size_t most_issues = 10'000;

  explicit PickSink(std::shared_ptr<EntryStore> store) : store_(std::move(store)) {}

  /// Metadata that the lanes require of each entry.
  static constexpr Needs needs = needs::type | needs::directory | needs::origin;

  std::unique_ptr<Lane> open_lane() override;
  void report(const Issue& issue) override;
  void notice(const std::string& path, const std::string& text) override;

  /// Takes no more entries from now on, which stops the search.
  void stop() { stopped_.store(true, std::memory_order_relaxed); }
  bool stopped() const { return stopped_.load(std::memory_order_relaxed); }

  std::size_t issue_count() const { return issue_count_.load(std::memory_order_relaxed); }
  /// Returns the first notice or, if nothing was found, the first issue, as a text; or nothing.
  std::string reason() const;
  /// Passes on what was kept: notices and then issues, in the order of reports.
  void pass_on(Sink& to);

 private:
  const std::shared_ptr<EntryStore> store_;
  std::atomic<bool> stopped_{false};
  std::atomic<std::size_t> issue_count_{0};
  mutable std::mutex mutex_;  ///< guards the members below
  std::vector<Issue> issues_;
  std::vector<std::pair<std::string, std::string>> notices_;  ///< paths and texts
};

/// Belongs to one thread. Entries of one directory should be read one after the other, since its
/// path is put together once.
class StoreCursor final : private EntryLoader {
 public:
  /// `at_once`: paths and known metadata that each entry has from the beginning; the rest is looked
  /// up when it is required. `loader` reads what the store does not know; if it is null, that
  /// fails. Both outlive it.
  StoreCursor(EntryStore& store, Needs at_once, LateLoader* loader);
  StoreCursor(const StoreCursor&) = delete;
  StoreCursor& operator=(const StoreCursor&) = delete;

  /// Valid until the next call.
  Entry& read(EntryId id);

 private:
  struct Level {
    DirectoryId directory;
    std::size_t end;  ///< of its path in text_
  };

  void turn_to(DirectoryId id);
  void spell_name();
  void spell_absolute();

  // EntryLoader, for the present entry: from the store, and the rest from `late_`.
  void load(Entry& entry, Needs wanted) override;
  bool read_contents(Entry& entry, ContentSink& sink) override;
  bool attribute(Entry& entry, std::string_view name, AttributeValue* value) override;
  std::optional<bool> holds_name(Entry& entry, std::string_view name) override;
  void report_unknown(Entry& entry, Unknown what) override;

  template <typename Call>
  auto ask_late(Entry& entry, Needs wanted, Call call);
  LateLoader* late();
  void fill_known(Entry& entry, Needs wanted) const;

  EntryStore& store_;
  const Needs at_once_;
  LateLoader* const late_;

  Entry entry_;
  EntryId id_ = 0;
  DirectoryId directory_ = no_directory;
  const Root* root_ = nullptr;
  std::vector<Level> levels_;  ///< from the root to the directory
  std::vector<DirectoryId> way_;
  /// "./", the path of the directory with a slash, the name, and room for longer names.
  std::string text_;
  std::size_t begin_ = 0;  ///< of the path in text_: 0, with the "./", if it would begin with "-"
  std::size_t below_root_ = 0;       ///< begin of the path below the root
  std::size_t below_start_ = 0;      ///< begin of the path below the root as named
  std::size_t length_ = 0;           ///< length before the name
  std::string absolute_;             ///< of the directory with a slash, and perhaps a name
  std::size_t absolute_length_ = 0;  ///< length of the directory in it; 0 if it is not there yet
  bool late_turned_ = false;         ///< the late loader was turned to this directory
};

}  // namespace ffind::pick
