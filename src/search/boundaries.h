// SPDX-License-Identifier: MIT
// Limits of a task: directories at which its search ends, because another task or root has them.
// Boundaries are fixed by the plan and queried by searchers for each directory to enter; LeftOut
// collects the volumes that were met and not entered.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "ffind/plan.h"

namespace ffind::search {

/// Paths below the roots of a task that are not entered: mount points, and parts of the volume that
/// another root covers. Found by path, after one look-up for each directory: few have any of them.
/// Immutable.
class Boundaries {
 public:
  explicit Boundaries(const Task& task);
  /// Any set of mount points.
  explicit Boundaries(std::vector<Boundary> boundaries);
  Boundaries(Boundaries&&) = default;  // a moved vector's strings stay where they are
  Boundaries& operator=(Boundaries&&) = delete;
  const std::vector<Boundary>& all() const { return boundaries_; }
  bool empty() const { return boundaries_.empty(); }
  /// True if some of them must not be listed either; rare.
  bool hide_some() const { return hide_some_; }
  /// Returns false if no directory of this name has a boundary in it.
  bool may_be_in(std::string_view name) const { return names_.contains(name); }
  /// Returns whether one is in the directory, whose path ends with a slash.
  bool some_in(std::string_view directory) const { return directories_.contains(directory); }
  /// Returns the boundary at that path, or null.
  const Boundary* at(std::string_view canonical_path) const;
  /// Returns the last of those at the path or above it, or null.
  const Boundary* holding(std::string_view canonical_path) const;

 private:
  void index();

  std::vector<Boundary> boundaries_;
  std::unordered_map<std::string_view, const Boundary*> by_path_;
  std::unordered_set<std::string_view> directories_;  ///< with a slash at the end
  std::unordered_set<std::string_view> names_;        ///< of the directories
  bool hide_some_ = false;
};

/// Volumes that were met and not entered although options would enter them, for the summary.
/// Thread-safe.
class LeftOut {
 public:
  /// Adds a volume that the plan does not know: mounted since.
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
