// SPDX-License-Identifier: MIT
// Spells the paths of entries as they are printed and matched. Used by the workers of searchers,
// each with its own; copies no more than it must, since it is on the way of every match.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "ffind/entry.h"
#include "ffind/plan.h"

namespace ffind::search {

/// The path of one directory, and of the entry in it that was requested last. One thread's.
class EntryPath {
 public:
  /// Begins a directory below `root`: the caller appends its path from there, without slashes at
  /// its ends, to what is returned, and calls `end`.
  std::string& begin(const Root& root);
  void end();
  /// Goes on to the directory `name` in the present one, which must not be a root.
  void enter(std::string_view name);

  /// Points what is `wanted` of the entry's paths into this object; `entry.directory` in any case.
  void fill(Entry& entry, Needs wanted);

 private:
  const Root* root_ = nullptr;
  std::string text_;             ///< as printed, with a slash; behind it room for a name
  std::size_t length_ = 0;       ///< of the directory
  std::size_t below_root_ = 0;   ///< where in the text the path below the root begins
  std::size_t below_start_ = 0;  ///< the same below the root that was named
  std::string absolute_;
};

}  // namespace ffind::search
