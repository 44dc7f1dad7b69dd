// SPDX-License-Identifier: MIT
// Where the search of a task ends on the way down. Asked by searchers for each directory that they
// are about to enter.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "ffind/plan.h"

namespace ffind {

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

}  // namespace ffind
