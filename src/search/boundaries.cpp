// SPDX-License-Identifier: MIT
// Boundaries are the plan's, and the parts of the roots that another root covers or lists.
//
// Both look-ups go through all of them, so entries are kept from them: a name whose length no
// boundary's name has is rejected by one bit, most others by their names (may_be), and only for the
// rest does the caller build a path for at().
#include "search/boundaries.h"

#include <algorithm>
#include <string>

#include "text/paths.h"

namespace ffind::search {
namespace {

std::uint64_t length_bit(std::string_view name) {
  return std::uint64_t{1} << std::min<std::size_t>(name.size(), 63);
}

}  // namespace

Boundaries::Boundaries(const Task& task) : boundaries_(task.boundaries) {
  for (const Root& root : task.roots) {
    for (const std::string& path : root.covered) {
      // Listed here, and entered by the other root.
      boundaries_.push_back({.path = path, .entered = true, .mount_point = false});
    }
    for (const std::string& path : root.listed_elsewhere) {
      boundaries_.push_back({.path = path, .entered = true, .listed = false, .mount_point = false});
      hide_some_ = true;
    }
  }
  for (const Boundary& boundary : boundaries_) lengths_ |= length_bit(text::name_of(boundary.path));
}

bool Boundaries::may_be(std::string_view name) const {
  if ((lengths_ & length_bit(name)) == 0) return false;
  return std::any_of(boundaries_.begin(), boundaries_.end(), [&](const Boundary& boundary) {
    return text::name_of(boundary.path) == name;
  });
}

// The plan's boundaries come first, so a mount point that is also covered is the mount point.
const Boundary* Boundaries::at(std::string_view canonical_path) const {
  for (const Boundary& boundary : boundaries_) {
    if (boundary.path == canonical_path) return &boundary;
  }
  return nullptr;
}

}  // namespace ffind::search
