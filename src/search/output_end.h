// SPDX-License-Identifier: MIT
// A worker's end of the output: its lane, the limit, and the counts that others see. A part of
// every worker.
#pragma once

#include <cstdint>
#include <memory>

#include "search/counts.h"
#include "search/state.h"

namespace ffind::search {

/// Belongs to its thread.
class OutputEnd {
 public:
  OutputEnd(SearchState& state, Counts& counts)
      : state_(state), counts_(counts), lane_(state.sink().open_lane()) {}

  /// If it is admitted; with a ticket, where there is a limit.
  void emit(Entry& entry) {
    if (state_.asks()) {
      ++counts_.asked;
      if (state_.stopped() || !state_.admits(entry)) return;
    }
    if (!state_.take_ticket()) return;
    // Whoever reads them may take his time.
    if (++counts_.matches == many) state_.it_lasts();
    ++unwritten_;
    if (!lane_->emit(entry)) state_.stop();
  }
  /// To be called between blocks of entries.
  void flush_if_due() {
    counts_.publish();
    lane_->flush_if_due();
  }
  Nanoseconds held_up() const { return lane_->held_up(); }
  /// Passes on what was emitted.
  void flush() {
    counts_.publish();
    lane_->flush();
    state_.records_written(unwritten_);
    unwritten_ = 0;
  }

 private:
  static constexpr std::uint64_t many = 100;

  SearchState& state_;
  Counts& counts_;
  const std::unique_ptr<Lane> lane_;
  std::uint64_t unwritten_ = 0;  ///< records emitted since the last flush
};

}  // namespace ffind::search
