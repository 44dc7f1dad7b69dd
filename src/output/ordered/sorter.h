// SPDX-License-Identifier: MIT
// --sort: each lane keeps what it makes of its matches, records or Matches, beside their keys and
// sorts them itself when its worker ends; what remains is to merge them. Made by Output.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <type_traits>
#include <vector>

#include "output/ordered/sort_store.h"
#include "output/output_style.h"
#include "output/pipeline.h"

namespace ffind::output {

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
