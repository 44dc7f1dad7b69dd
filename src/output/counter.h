// SPDX-License-Identifier: MIT
// --count: the number of matches, or a table of counts and sizes by directory (each one, or those
// of a depth with everything below them), kind, extension, owner, group or type. Made by Output.
//
// Each lane counts for itself, in a number (CountLane) or in Tallies (TableLane), which are added
// up when its worker waits or ends. pass_on() writes the table, sorted, as text or NDJSON.
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

/// Sizes are of regular files; one with several names counts under each.
struct Tally {
  Space sum{};
  Space own{};  ///< of `sum`, if a directory counts with all below it: what is directly in it
};

/// Returns the directory `levels` above `path`, which has no slash at its end.
std::string_view directory_above(std::string_view path, std::uint32_t levels);

/// Counts by key, a path or a word. The empty key is for matches without one.
class Tallies {
 public:
  Tally& operator[](std::string_view key) { return at(keys_.add(key)); }
  void add(const Tallies& others);

  const PathTree& keys() const { return keys_; }
  /// By number of the key; the count is 0 for paths that are only parents of keys.
  const std::vector<Tally>& tallies() const { return tallies_; }

 private:
  Tally& at(PathTree::Index key) {
    if (key >= tallies_.size()) tallies_.resize(keys_.size());
    return tallies_[key];
  }

  PathTree keys_;
  std::vector<Tally> tallies_;
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
  void add(const Tallies& tallies);

  const OutputStyle& style_;
  RecordStage& next_;
  const RecordField* const field_;  ///< the key; null for the number alone
  std::atomic<std::uint64_t> count_{0};
  std::mutex mutex_;
  Tallies tallies_;
};

}  // namespace ffind::output
