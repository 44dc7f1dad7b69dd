// SPDX-License-Identifier: MIT
// --count: how many matches there are, or a table of how many in each directory, or below those of
// a depth, of each kind or with each extension, and how large they are. Made by Output.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

#include "output/output_style.h"
#include "output/path_tree.h"
#include "output/pipeline.h"

namespace ffind::output {

struct Tally {
  std::uint64_t count = 0;
  std::uint64_t size = 0;  ///< of regular files; one with several names counts under each
  // Of those, what lies directly in a directory that stands for all that is below it.
  std::uint64_t own_count = 0;
  std::uint64_t own_size = 0;

  /// Sizes that no number holds count as the largest: two sparse files can have them.
  Tally& operator+=(const Tally& other);
};

/// The directory that lies so many levels above `path`, which has no slash at its end.
std::string_view directory_above(std::string_view path, std::uint32_t levels);

/// What was counted by, a path or a word, and how often. An empty one is what has none.
class Tallies {
 public:
  Tally& operator[](std::string_view key) { return at(keys_.add(key)); }
  void add(const Tallies& others);

  const PathTree& keys() const { return keys_; }
  /// By number; none was counted of what keys only go on from.
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
  /// Both outlive it.
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
  const RecordField* const field_;  ///< null: only the number
  std::atomic<std::uint64_t> count_{0};
  std::mutex mutex_;
  Tallies tallies_;
};

}  // namespace ffind::output
