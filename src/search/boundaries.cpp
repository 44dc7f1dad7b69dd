// SPDX-License-Identifier: MIT
// Boundaries are the plan's, and the parts of the roots that another root covers or lists.
//
// Look-ups are by hash, since hosts of containers have thousands of mounts. Nearly all directories
// are rejected by their name (may_be_in), the others by their path (some_in), and only for an entry
// of the rest does the caller build a path for at().
#include "search/boundaries.h"

#include <string>
#include <utility>

#include "text/paths.h"

namespace ffind::search {

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
  index();
}

Boundaries::Boundaries(std::vector<Boundary> boundaries) : boundaries_(std::move(boundaries)) {
  index();
}

// The plan's boundaries come first, so a mount point that is also covered is the mount point.
void Boundaries::index() {
  for (const Boundary& boundary : boundaries_) {
    const std::string_view path = boundary.path;
    by_path_.emplace(path, &boundary);
    directories_.insert(path.substr(0, path.rfind('/') + 1));
    names_.insert(text::name_of(text::parent_of(path)));
  }
}

const Boundary* Boundaries::at(std::string_view canonical_path) const {
  const auto found = by_path_.find(canonical_path);
  return found != by_path_.end() ? found->second : nullptr;
}

const Boundary* Boundaries::holding(std::string_view canonical_path) const {
  for (; !canonical_path.empty(); canonical_path = text::parent_of(canonical_path)) {
    if (const Boundary* const found = at(canonical_path)) return found;
  }
  return nullptr;
}

}  // namespace ffind::search
