// SPDX-License-Identifier: MIT
// Order of the output; made by Output.
//
//     Sorter       --sort, and matches that AskingStage asks about: each lane keeps records or
//                  Matches with their keys in a SortStore and sorts them when its worker ends, so
//                  that lanes are sorted concurrently. pass_on() merges these runs.
//     EarlyOrder   for a terminal: results that are complete within 100 ms are written sorted by
//                  path; those of longer searches as they are found.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "ffind/entry.h"
#include "output/output_style.h"
#include "output/pipeline.h"
#include "output/sort_store.h"

namespace ffind::output {

/// Thread-safe.
class EarlyOrder {
 public:
  /// Perceived as instantaneous.
  static constexpr Nanoseconds moment = 100'000'000;
  /// Longer output is not sorted: it is not read as a whole, and need not wait for the search.
  static constexpr std::size_t most_bytes = std::size_t{1} << 20U;

  /// `begin` of the search, on the monotonic clock. `next` outlives it. With `by_names`, a
  /// directory's entries follow it at once, as in fd; else a Trash is last.
  EarlyOrder(RecordStage& next, Nanoseconds begin, bool by_names = false)
      : next_(next), begin_(begin), by_names_(by_names) {}

  /// Returns true if records go to the next stage as they are found.
  bool is_over() const { return over_.load(std::memory_order_acquire); }
  /// Keeps a record, or passes it on if is_over(). Returns false if no more are wanted.
  bool take(std::string_view path, std::string_view record);
  /// Call from time to time.
  void stream_if_due();
  /// Passes on the kept records in the order in which they were found: the moment has passed.
  void stream();
  /// Passes on the kept records sorted: the search ended in time.
  void finish();

 private:
  /// A path and its record, one after the other in `texts_`.
  struct Kept {
    std::size_t begin;
    std::size_t path_size;
    std::size_t record_size;
  };

  std::string_view path_of(const Kept& kept) const;
  bool pass_on();

  RecordStage& next_;
  const Nanoseconds begin_;
  const bool by_names_;
  std::atomic<bool> over_{false};
  std::mutex mutex_;  ///< guards what follows
  std::string texts_;
  std::vector<Kept> kept_;
};

/// Kept is std::string_view, a record, or Match.
template <typename Kept>
class Sorter final : public Collector {
 public:
  using Next = std::conditional_t<std::is_same_v<Kept, Match>, MatchStage, RecordStage>;

  /// `style` and `next` outlive it.
  Sorter(const OutputStyle& style, Next& next);

  Needs needs() const override;
  std::unique_ptr<Lane> open_lane() override;
  void pass_on() override;

 private:
  class SortLane;
  void adopt(SortStore<Kept> sorted);

  const OutputStyle& style_;
  Next& next_;
  const StoredOrder order_;
  std::mutex mutex_;
  std::vector<SortStore<Kept>> runs_;  ///< of lanes that have ended
};

extern template class Sorter<std::string_view>;
extern template class Sorter<Match>;

}  // namespace ffind::output
