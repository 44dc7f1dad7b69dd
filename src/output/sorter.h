// SPDX-License-Identifier: MIT
// --sort: each lane keeps what it makes of its matches, records or Matches, beside their keys and
// sorts them itself when its worker ends; what remains is to merge them. Made by Output.
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
  /// A person takes this for at once.
  static constexpr Nanoseconds moment = 100'000'000;
  /// Of more than this nobody reads all, and the search need not wait for it.
  static constexpr std::size_t most_bytes = std::size_t{1} << 20U;

  /// `begin`: of the search, on the monotonic clock. `next` outlives it.
  EarlyOrder(RecordStage& next, Nanoseconds begin) : next_(next), begin_(begin) {}

  /// Whether records go to the next stage as they are found.
  bool is_over() const { return over_.load(std::memory_order_acquire); }
  /// Keeps a record, or passes it on if it is over. False: no more are wanted.
  bool take(std::string_view path, std::string_view record);
  /// Called from time to time.
  void stream_if_due();
  /// The moment has passed: what was kept goes out in the order in which it was found.
  void stream();
  /// Nothing more was found in time: what was kept goes out sorted.
  void finish();

 private:
  /// One behind the other in `texts_`.
  struct Kept {
    std::size_t begin;
    std::size_t path_size;
    std::size_t record_size;
  };

  std::string_view path_of(const Kept& kept) const;
  std::string_view record_of(const Kept& kept) const;
  bool pass_on();

  RecordStage& next_;
  const Nanoseconds begin_;
  std::atomic<bool> over_{false};
  std::mutex mutex_;  ///< guards what follows
  std::string texts_;
  std::vector<Kept> kept_;
};

/// Kept: std::string_view, a record, or Match.
template <typename Kept>
class Sorter final : public Collector {
 public:
  using Next = std::conditional_t<std::is_same_v<Kept, Match>, MatchStage, RecordStage>;

  /// Both outlive it.
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
  std::vector<SortStore<Kept>> runs_;  ///< of the lanes that are gone
};

extern template class Sorter<std::string_view>;
extern template class Sorter<Match>;

}  // namespace ffind::output
