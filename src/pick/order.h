// SPDX-License-Identifier: MIT
// Orders of the list.
//
//     EntrySet    a bit for each entry of the store.
//     Ordering    all entries that ever matched in one order, not only those that match now: a
//                 query that widens again finds them sorted. New ones are sorted and merged; a
//                 list is made by marking the matches in an EntrySet and going through the
//                 ordering once. Makes no system call: the values must be in the store.
//     ListOrder   the ordering thread of a Narrower. It keeps one Ordering for each PickOrder,
//                 requests missing values from LateLoads, and publishes a sorted list whenever the
//                 matches have changed. For PickOrder::match it needs no Ordering: the matches have
//                 ranks.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "pick/judge.h"
#include "pick/list.h"
#include "pick/space_sums.h"
#include "pick/store.h"

namespace ffind::pick {

/// Returns the metadata that entries are ordered by.
Needs needs_of(PickOrder order);

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

/// A value: a copy that grows leaves others as they are.
class Ordering {
 public:
  /// `sums`: for PickOrder::space.
  Ordering(const EntryStore& store, PickOrder order, std::shared_ptr<const SpaceSums> sums = {})
      : store_(store), order_(order), sums_(std::move(sums)) {}

  bool contains(EntryId id) const { return members_.contains(id); }
  /// Returns true to stop.
  using Stop = std::function<bool()>;

  /// Adds those of `ids` that it does not contain yet. They ascend. Once `stop` is true the result
  /// is not used, and may be in any order.
  void add(std::vector<EntryId> ids, const Stop& stop);
  /// Returns those of `wanted` that it contains, in their order; `size` is a guess at how many.
  /// Entries with an unknown value come last, reversed or not.
  std::vector<EntryId> filter(const EntrySet& wanted, std::size_t size, bool reversed) const;
  bool comes_before(EntryId a, EntryId b) const;
  /// Null unless the order is by space.
  const std::shared_ptr<const SpaceSums>& sums() const { return sums_; }

 private:
  void sort(std::vector<EntryId>& ids, const Stop& stop) const;
  void sort_by_name(std::vector<EntryId>& ids, const Stop& stop) const;
  void sort_by_path(std::vector<EntryId>& ids) const;
  void sort_by_value(std::vector<EntryId>& ids) const;
  /// True if both have the same value, so that their paths decide.
  bool equal_values(EntryId a, EntryId b) const;
  /// nullopt if it is not known.
  std::optional<std::uint64_t> value_of(EntryId id) const;
  bool path_before(EntryId a, EntryId b) const;

  const EntryStore& store_;
  PickOrder order_;
  std::shared_ptr<const SpaceSums> sums_;
  std::vector<EntryId> sorted_;
  EntrySet members_;
};

/// Call with NarrowShared::mutex, except where it says so.
class ListOrder {
 public:
  ListOrder(NarrowShared& shared, const Judge& judge, LateLoads& late)
      : shared_(shared), judge_(judge), late_(late) {}

  void set(PickSort sort);
  /// Call after Judge::set_query().
  void query_has_changed();
  /// The thread's life. Call without the lock.
  void run();
  /// Sorts the matches after the best, too, of the present query.
  void sort_rest();
  void values_were_loaded(std::size_t count);
  /// Call when nothing is left to load: values that are still missing will stay unknown.
  void loads_are_done();

  /// Returns the newest list: see Narrower::list().
  std::shared_ptr<const PickList> list();

 private:
  using Clock = std::chrono::steady_clock;
  using Sorted = std::shared_ptr<const std::vector<EntryId>>;

  /// State that a list is made of.
  struct Input {
    Clock::time_point began{};
    std::uint64_t version = 0;
    std::uint64_t order_generation = 0;
    bool values_are_known = false;
    std::size_t values = 0;  ///< that had come
    bool sums_are_due = false;
    Slices slices{};
    PickList::State made_of{};
    std::size_t matches = 0;
    PickSort sort{};
    std::shared_ptr<const Ordering> ordering{};
    PickSort shown{};
    std::shared_ptr<const Ordering> shown_ordering{};  ///< null if that needs no sorting
  };
  /// Changes that an ordering needs for a list.
  struct Growth {
    std::shared_ptr<const Ordering> ordering{};
    std::vector<EntryId> to_read{};  ///< their values are to be requested
    bool is_shown = false;           ///< the list may be in this order
    bool complete = false;
  };
  struct SortedList {
    PickSort sort{};
    bool complete = false;  ///< if everything is judged
    Sorted sorted{};        ///< null: in the order found
    bool best_only = false;
  };

  bool has_to_sort(PickOrder order) const;
  bool is_outdated() const;
  bool is_other(const Input& from) const;
  bool has_work() const;
  void order_once(std::unique_lock<std::mutex>& lock);
  Input input();
  SortedList in_shown_order(const Input& input, const std::vector<EntryId>& matches) const;
  void publish(std::unique_lock<std::mutex>& lock, const Input& input, SortedList list,
               const std::vector<EntryId>& to_read);
  Growth sort(const Input& from, const std::vector<EntryId>& matches) const;
  Growth sum(Input& from, std::vector<EntryId>& matches) const;
  std::vector<EntryId> unread(std::size_t begin, std::size_t end) const;
  void rank_once(std::unique_lock<std::mutex>& lock);
  Sorted ranked(const Slices& slices, std::size_t count, bool reversed, bool whole) const;
  std::shared_ptr<const Ordering> ordering_of(PickOrder order);
  static Sorted in_order(const Ordering& ordering, bool reversed,
                         const std::vector<EntryId>& matches);

  NarrowShared& shared_;
  const Judge& judge_;
  LateLoads& late_;
  PickSort wanted_;
  PickSort shown_;
  Sorted sorted_;                         ///< matches in the shown order; null for the order found
  PickList::State sorted_state_;          ///< of the matches in sorted_
  std::shared_ptr<const PickList> list_;  ///< the newest one; null if the next must be new
  std::uint64_t list_version_ = 0;        ///< of NarrowShared, when that was made
  std::uint64_t ordered_version_ = 0;     ///< of NarrowShared, when sorted_ was made
  std::uint64_t ordered_generation_ = 0;
  std::size_t values_wanted_ = 0;         ///< that are being loaded
  std::size_t values_taken_ = 0;          ///< that have come since the beginning
  Clock::time_point sums_due_{};          ///< when sums of what has come are made at last
  bool again_ = false;                    ///< there are new values
  bool sorts_rest_ = false;               ///< of a ranked list, too
  bool rest_is_left_ = false;             ///< of that only the best are sorted
  std::uint64_t best_version_ = 0;        ///< NarrowShared::version of which the best are published
  std::uint64_t ranked_generation_ = 0;   ///< query that was last ranked
  Clock::time_point judging_deadline_{};  ///< of that: what is judged then is ranked
  std::array<std::shared_ptr<const Ordering>, pick_orders> orderings_;

  // For the ordering thread alone, without the lock.
  EntrySet requested_;             ///< entries whose values it has requested in the present order
  std::size_t requested_end_ = 0;  ///< likewise for sums: all entries below it
  std::uint64_t requested_generation_ = 0;
};

}  // namespace ffind::pick
