// SPDX-License-Identifier: MIT
// The list of --pick: which entries of the store match what was typed, in the order that is shown.
// A PickList is a snapshot; a Narrower makes new ones while the user types and the search goes on.
//
//     set_query ──▶ Judge: slices of the store ──▶ its threads ──matches──────────────▶ list()
//                                                     │ undecided                        ▲
//                                                     ▼                                  │
//                            LateLoads: threads that may be stuck in the kernel ─matches─┤
//                                                     ▲ values to sort by                │
//     set_order ──▶ ListOrder: ordering thread, sorts what matches ──────────────────────┘
//
// The Narrower owns the Judge (judge.h) and the ListOrder (order.h). It knows neither the terminal
// nor the query language: what was typed comes as a matcher.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "ffind/entry.h"
#include "pick/ranking.h"
#include "pick/space_sums.h"
#include "pick/store.h"

namespace ffind::pick {

/// Orders of the list, as a key goes through them. `match` is the best match first, and the order
/// found if the query has nothing to rank by; `space` has directories with all that was found below
/// them, the largest first; `found` is the order of the search.
enum class PickOrder : std::uint8_t { match, name, path, size, space, modified, found };
inline constexpr std::size_t pick_orders = 7;

struct PickSort {
  PickOrder order = PickOrder::match;
  bool reversed = false;
  bool operator==(const PickSort&) const = default;
};

/// Entries in a slice of the store, the part that is judged at a time.
inline constexpr std::uint32_t slice_size = 16384;

/// The matches in one slice. Immutable once it is shared.
struct SliceMatches {
  std::uint32_t looked_at = 0;             ///< entries that were judged, from the slice's first on
  bool all = false;                        ///< all of those match, and `matches` is empty
  std::vector<std::uint16_t> matches{};    ///< their places in the slice, ascending
  std::vector<std::uint16_t> undecided{};  ///< likewise: may match, once more is known of them
  std::vector<Rank> ranks{};               ///< of the matches; empty if nothing ranks them

  std::uint32_t size() const {
    return all ? looked_at : static_cast<std::uint32_t>(matches.size());
  }
};

/// A directory that the list is of.
struct ListPlace {
  DirectoryId directory = no_directory;  ///< no_directory: everything that was found
  bool directly = false;                 ///< without what is in the directories in it
  bool by_level = false;                 ///< likewise, as SpaceSums::level() has it

  bool operator==(const ListPlace&) const = default;
};

/// Immutable: any number of threads may read it.
class PickList {
 public:
  struct State {
    std::uint64_t generation = 0;  ///< of the query, as Narrower::set_query returned it
    std::size_t looked_at = 0;     ///< entries that were judged for it
    std::size_t found = 0;         ///< entries in the store then
    std::size_t undecided = 0;     ///< entries that something is still to be read of
    /// Everything that was found is judged, except for entries on volumes that do not answer, and
    /// the order is the requested one.
    bool complete = false;
    PickSort sort{};             ///< of this list; the one before while sorting
    bool apart = false;          ///< nothing matches as typed: these have the letters apart
    bool lacks_threads = false;  ///< entries that something is to be read of stay unread
    /// Only the first 1,000 are in the order: see Narrower::sort_rest().
    bool best_only = false;
    ListPlace place{};
  };

  PickList() = default;
  /// In the order found, up to the first slice that was not judged yet (null).
  PickList(State state, const std::vector<std::shared_ptr<const SliceMatches>>& slices);
  /// In the order of `sorted`. `sums` are those that it is sorted by, or null.
  PickList(State state, std::shared_ptr<const std::vector<EntryId>> sorted,
           std::shared_ptr<const SpaceSums> sums);

  std::size_t size() const { return size_; }
  EntryId operator[](std::size_t row) const;
  /// Returns the row of `id`, if it matches. Takes a millisecond for a million that are sorted.
  std::optional<std::size_t> row_of(EntryId id) const;
  const State& state() const { return state_; }
  /// Null unless the list is in the order of space.
  const SpaceSums* sums() const { return sums_.get(); }
  /// Returns the bytes of the largest entry; 0 if the list is in another order.
  std::uint64_t largest() const;

 private:
  /// The matches of one slice: its first entry, and the row of its first match.
  struct Part {
    std::shared_ptr<const SliceMatches> matches;
    EntryId first_id;
    std::size_t first_row;
  };

  State state_{};
  std::size_t size_ = 0;
  std::vector<Part> parts_{};  ///< none of them empty
  std::shared_ptr<const std::vector<EntryId>> sorted_{};
  std::shared_ptr<const SpaceSums> sums_{};
};

/// The query.
struct Narrowing {
  Criteria typed{};
  /// Everything that matches now matched the query before, with letters apart, too.
  bool grew = false;
  /// Take over once everything that was found is judged, nothing more will be found, and nothing
  /// matches; without a matcher nothing does.
  Criteria apart{};
  ListPlace place{};
};

/// Starts a thread that gets no signals of the terminal. Throws std::system_error with `purpose` if
/// the system has none.
std::thread start_thread(const std::string& purpose, std::function<void()> run);

/// A thread that a volume may hold up. It is abandoned then, so `run` owns what it uses.
class AbandonableThread {
 public:
  /// Returns false if the system has no thread.
  bool start(const std::string& purpose, std::function<void()> run);
  bool runs() const { return thread_.joinable(); }
  /// Waits for the end. A thread that runs longer is abandoned; returns false if it was, now or
  /// earlier.
  bool end_by(std::chrono::steady_clock::time_point time);

 private:
  std::thread thread_;
  std::future<void> ended_;
  bool abandoned_ = false;
};

/// Thread-safe but for list(), and no call blocks: none waits for a thread that reads files. Throws
/// what start_thread() throws.
class Narrower {
 public:
  struct Options {
    unsigned threads = 1;  ///< that judge
    /// That read files: 16 read a server that takes 10 ms for an entry 7 times as fast as 2 do, and
    /// a local disk as fast.
    unsigned late_threads = 16;
    LateLoaderFactory late{};  ///< null: nothing is loaded
    /// The list has changed; called by its threads, often. Must be quick, and must not call the
    /// narrower.
    std::function<void()> changed{};
  };
  /// Counts so far, for tests.
  struct Work {
    std::size_t judged = 0;  ///< entries, by what is in the store
    unsigned late_threads = 0;
  };

  Narrower(std::shared_ptr<EntryStore> store, const Options& options);
  ~Narrower();
  Narrower(const Narrower&) = delete;
  Narrower& operator=(const Narrower&) = delete;

  /// Drops the pass that runs and starts the next. Returns the query's generation; the first is 1,
  /// and everything matches generation 0.
  std::uint64_t set_query(Narrowing narrowing);
  void set_order(PickSort sort);
  /// Sorts the matches after the best 1,000 as well, of the present query. A ranked list does
  /// without until a row is reached that is among those: for 900,000 that takes 70 ms.
  void sort_rest();
  /// Call when nothing more will be found.
  void search_is_over();

  /// Returns the newest list: the one of the query before until there is something to show of a
  /// new one.
  std::shared_ptr<const PickList> list();
  Work work() const;

  /// Ends its threads. Returns false if some are held up by a volume that does not answer. They are
  /// left behind with everything they use, so the process must end without destroying anything that
  /// the late loaders refer to.
  bool stop();

 private:
  struct Parts;
  const std::shared_ptr<Parts> parts_;
};

}  // namespace ffind::pick
