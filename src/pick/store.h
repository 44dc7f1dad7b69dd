// SPDX-License-Identifier: MIT
// Everything that a search found, for a person to pick from: names by their directories, not whole
// paths, and what is needed to make the entries again. Filled by the lanes of
// PickSink, read by the narrower and the screen. Knows no query and makes no call.
//
// A million entries take 12 bytes each beside their names; a directory takes 30 beside its own,
// whatever its depth. Nothing moves once it is there, so readers need no lock.
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
#include <string>
#include <string_view>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "ffind/entry.h"
#include "ffind/late_loader.h"
#include "ffind/plan.h"
#include "ffind/sink.h"

namespace ffind::pick {

/// Segments, each as long as all before it; the memory of one is zero and taken from the system
/// only where it is written. One thread at a time reserves; an element may be read by others once
/// whoever wrote it has told them so (with release).
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
    void* const memory = std::calloc(segment_size(segment_of(index)), sizeof(T));
    // As operator new would, whose memory is not zero.
    if (const std::new_handler handler = std::get_new_handler(); memory == nullptr && handler) {
      handler();
    }
    if (memory == nullptr) throw std::bad_alloc();
    segment.store(static_cast<T*>(memory), std::memory_order_release);
  }

  T& operator[](std::uint64_t index) { return *find(index); }
  const T& operator[](std::uint64_t index) const { return *find(index); }
  /// Null where no room was made.
  T* look(std::uint64_t index) const {
    T* const segment = segments_[segment_of(index)].load(std::memory_order_acquire);
    return segment == nullptr ? nullptr : segment + (index - segment_begin(segment_of(index)));
  }
  /// The first index of the segment that `index` is in, and behind its last.
  static std::uint64_t begin_of(std::uint64_t index) { return segment_begin(segment_of(index)); }
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
  T* find(std::uint64_t index) const {
    const unsigned segment = segment_of(index);
    return segments_[segment].load(std::memory_order_relaxed) + (index - segment_begin(segment));
  }

  std::array<std::atomic<T*>, 48 - first_bits> segments_{};
};

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

/// Thread-safe.
class PickSink final : public Sink {
 public:
  /// More issues than this are only counted.
  static constexpr std::size_t most_issues = 10'000;

  explicit PickSink(std::shared_ptr<EntryStore> store) : store_(std::move(store)) {}

  /// What the lanes ask each entry for.
  static constexpr Needs needs = needs::type | needs::directory | needs::origin;

  std::unique_ptr<Lane> open_lane() override;
  void report(const Issue& issue) override;
  void notice(const std::string& path, const std::string& text) override;

  /// From now on no more entries are taken: the search is to stop.
  void stop() { stopped_.store(true, std::memory_order_relaxed); }
  bool stopped() const { return stopped_.load(std::memory_order_relaxed); }

  /// From now on lanes of the calling thread call `meanwhile` between blocks of entries, for a
  /// search in the thread that has to draw.
  void set_meanwhile(std::function<void()> meanwhile) {
    meanwhile_ = std::move(meanwhile);
    drawing_thread_ = std::this_thread::get_id();
  }
  void do_meanwhile() const {
    if (meanwhile_ && std::this_thread::get_id() == drawing_thread_) meanwhile_();
  }

  /// How many issues were reported.
  std::size_t issue_count() const { return issue_count_.load(std::memory_order_relaxed); }
  struct Notice {
    std::string path;
    std::string text;
  };
  /// What was kept, in the order in which it was reported; kept no longer.
  std::vector<Issue> take_issues();
  std::vector<Notice> take_notices();

 private:
  const std::shared_ptr<EntryStore> store_;
  std::atomic<bool> stopped_{false};
  std::atomic<std::size_t> issue_count_{0};
  std::function<void()> meanwhile_;
  std::thread::id drawing_thread_;
  std::mutex mutex_;  ///< guards what follows
  std::vector<Issue> issues_;
  std::vector<Notice> notices_;
};

/// Belongs to one thread. Entries of one directory should be read one after the other: its path is
/// spelled once.
class EntryReader {
 public:
  /// `at_once`: what of the paths and the metadata that are known an entry has from the beginning;
  /// the rest of that is found when it is required. `loader` reads what is not known; null:
  /// nothing is loaded, and what is not known has failed. Both outlive it.
  EntryReader(EntryStore& store, Needs at_once, LateLoader* loader);
  EntryReader(const EntryReader&) = delete;
  EntryReader& operator=(const EntryReader&) = delete;

  /// Valid until the next call.
  Entry& read(EntryId id);
  /// How many entries something was loaded of.
  std::size_t loads() const { return loads_; }

 private:
  class Loader;
  struct Level {
    DirectoryId directory;
    std::size_t end;  ///< of its path in text_
  };

  void turn_to(DirectoryId id);
  void spell_name();
  void spell_absolute();

  /// What of an entry comes from the store and what from `late_`.
  class Loader final : public EntryLoader {
   public:
    explicit Loader(EntryReader& reader) : reader_(reader) {}
    void load(Entry& entry, Needs wanted) override;
    bool read_contents(Entry& entry, ContentReader& reader) override;
    bool attribute(Entry& entry, std::string_view name, AttributeValue* value) override;
    std::optional<bool> holds_name(Entry& entry, std::string_view name) override;
    void accounts_failed(Entry& entry) override;

   private:
    EntryReader& reader_;
  };

  LateLoader* late();
  void fill_known(Entry& entry, Needs wanted) const;

  EntryStore& store_;
  const Needs at_once_;
  LateLoader* const late_;
  Loader loader_{*this};
  std::size_t loads_ = 0;

  Entry entry_;
  EntryId id_ = 0;
  DirectoryId directory_ = no_directory;
  const Root* root_ = nullptr;
  std::vector<Level> levels_;  ///< from the root to the directory
  std::vector<DirectoryId> way_;
  /// "./", the path of the directory with a slash, the name; behind that room.
  std::string text_;
  std::size_t begin_ = 0;        ///< of the path in it, the "./" in case it would begin with "-"
  std::size_t below_root_ = 0;   ///< where the path below the root begins
  std::size_t below_start_ = 0;  ///< the same below the root that was named
  std::size_t length_ = 0;       ///< up to the name
  bool spelled_ = false;         ///< the name is behind it
  std::string absolute_;         ///< of the directory with a slash, and perhaps a name
  std::size_t absolute_length_ = 0;  ///< of the directory's; 0: not known yet
  bool late_turned_ = false;         ///< the late loader is at this directory
};

}  // namespace ffind::pick
