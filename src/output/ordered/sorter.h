// SPDX-License-Identifier: MIT
// --sort: each lane keeps its records beside their keys and sorts them itself when its worker
// ends; what remains is to merge them. Made by Output.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "output/ordered/gatherer.h"
#include "output/ordered/sort_store.h"
#include "output/output_style.h"

namespace ffind {

class Sorter final : public Gatherer {
 public:
  /// `style` outlives it.
  explicit Sorter(const OutputStyle& style);

  Needs needs() const override;
  std::unique_ptr<Lane> open_lane() override;
  void pass_on(Receiver& receiver) override;

 private:
  friend class SortLane;
  void adopt(SortStore sorted);

  const OutputStyle& style_;
  const StoredOrder order_;
  std::mutex mutex_;
  std::vector<SortStore> runs_;  ///< of the lanes that are gone
};

}  // namespace ffind
