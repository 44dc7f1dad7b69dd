// SPDX-License-Identifier: MIT
// For a person at a terminal: results that are all there within a moment go out sorted by path.
// Made by Output, fed by its lanes; what takes longer goes out as it is found.
#pragma once

#include <atomic>
#include <cstddef>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "ffind/entry.h"
#include "output/pipeline.h"

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

}  // namespace ffind::output
