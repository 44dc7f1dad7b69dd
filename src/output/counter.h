// SPDX-License-Identifier: MIT
// --count: the number of matches, or a table of counts and sizes by one key or several
// (count_keys.h). Made by Output.
//
// Each lane counts for itself, in a number (CountLane) or in Tallies (TableLane), which are added
// up when its worker waits or ends. pass_on() writes the table, sorted, as text, NDJSON or CSV.
//
//     --count    1234          --count=ext    COUNT  SIZE  EXT
//                                                12  1.2M  pdf
//                                                 3  340k  (none)
//                                                15  1.5M  total
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

#include "output/directory_sums.h"
#include "output/output_style.h"
#include "output/path_tree.h"
#include "output/pipeline.h"

namespace ffind::output {

/// Counts and sums by the texts of keys, with NULs between those of one row. Sizes are of regular
/// files; one with several names counts under each.
class Tallies {
 public:
  /// `is_own`: in a table by directories of a depth, it is directly in the directory.
  [[gnu::always_inline]] void add(std::string_view keys, const Space& space, bool is_own) {
    const PathTree::Index key = keys_.add(keys);
    at(sums_, key, keys_.size()) += space;
    if (is_own) at(own_, key, keys_.size()) += space;
  }
  /// Call for each match if it may have several rows, one for each element of a list.
  void add_to_total(const Space& space) { total_ += space; }
  void add(Tallies&& others);

  const PathTree& keys() const { return keys_; }
  /// By number of the keys; the count is 0 for paths that are only parents of keys.
  const std::vector<Space>& sums() const { return sums_; }
  /// The part of the sum that is directly in a directory of dir:N.
  Space own(PathTree::Index key) const { return key < own_.size() ? own_[key] : Space(); }
  /// Returns the sum of the rows if there is no total.
  Space total() const;

 private:
  static Space& at(std::vector<Space>& sums, PathTree::Index key, std::size_t size) {
    if (key >= sums.size()) sums.resize(size);
    return sums[key];
  }

  PathTree keys_;
  std::vector<Space> sums_;
  std::vector<Space> own_;  ///< only if there is a depth
  Space total_{};
};

class Counter final : public Collector {
 public:
  /// `style` and `next` outlive it.
  Counter(const OutputStyle& style, RecordStage& next);

  Needs needs() const override;
  std::unique_ptr<Lane> open_lane() override;
  void pass_on() override;

 private:
  friend class CountLane;
  friend class TableLane;
  void add(Tallies&& tallies);

  const OutputStyle& style_;
  RecordStage& next_;
  std::atomic<std::uint64_t> count_{0};
  std::mutex mutex_;
  Tallies tallies_;
};

}  // namespace ffind::output
