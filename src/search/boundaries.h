// SPDX-License-Identifier: MIT
// Where the search of a task ends on the way down. Asked by searchers for each directory that they
// are about to enter.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ffind/plan.h"

namespace ffind::search {

/// Paths below the roots of a task that are not entered: mount points, and parts of the volume that
/// another root covers. Found by name first: one comparison for nearly every
/// directory. Immutable.
class Boundaries {
 public:
  explicit Boundaries(const Task& task);
  const std::vector<Boundary>& all() const { return boundaries_; }
  bool empty() const { return boundaries_.empty(); }
  /// Some of them are not even listed; nearly never.
  bool hide_some() const { return hide_some_; }
  bool may_be(std::string_view name) const;
  const Boundary* at(std::string_view canonical_path) const;

 private:
  std::vector<Boundary> boundaries_;
  std::uint64_t lengths_ = 0;  ///< bit n: some mount point's name has n bytes (63: or more)
  bool hide_some_ = false;
};

/// Volumes that were met and not entered although options would enter them. Thread-safe.
class LeftOut {
 public:
  /// One that the plan does not know: it was mounted since.
  void add_unknown(std::string path) { add({.path = std::move(path), .left_out = true}); }
  void add(Boundary boundary) {
    const std::lock_guard lock(mutex_);
    boundaries_.push_back(std::move(boundary));
  }
  void append_to(std::vector<Boundary>& all) {
    const std::lock_guard lock(mutex_);
    all.insert(all.end(), boundaries_.begin(), boundaries_.end());
  }

 private:
  std::mutex mutex_;
  std::vector<Boundary> boundaries_;
};

}  // namespace ffind::search
