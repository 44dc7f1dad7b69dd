// SPDX-License-Identifier: MIT
// Directories opened below their roots. See catalog_position.h.
#include "search/catalog_position.h"

#include "text/paths.h"

namespace ffind::search {

bool CatalogPosition::turn_to(const Root& root, std::string_view below) {
  if (root_ == &root && below_.data() == below.data() && below_.size() == below.size()) {
    return false;
  }
  close();
  root_ = &root;
  below_ = below;
  spelled_ = false;
  return true;
}

void CatalogPosition::close() {
  if (opened_.is_open()) opener_.file_system().close(opened_);
}

void CatalogPosition::load_paths(Entry& entry, Needs wanted) {
  if (!spelled_) {
    path_.begin(*root_) += below_;
    path_.end();
    spelled_ = true;
  }
  path_.fill(entry, wanted);
}

const Boundary* CatalogPosition::boundary_at(const Entry& entry) {
  if (boundaries_.empty() || !boundaries_.may_be(entry.name)) return nullptr;
  return boundaries_.at(text::join_paths(canonical_directory(), entry.name));
}

std::string CatalogPosition::canonical_directory() {
  return text::join_paths(root_->canonical, below_);
}

EntryPlace CatalogPosition::place_of(const Entry& entry) {
  if (!placed_) place_ = find_place(entry);
  placed_ = true;
  return place_;
}

/// In its directory, opened below the root without following a link: by its path, what took the
/// place of a directory since the catalog was read could lead anywhere.
EntryPlace CatalogPosition::find_place(const Entry& entry) {
  if (!opened_.is_open()) {
    const int error = opener_.open_below(*root_, std::string(below_), flags_, opened_);
    if (error != 0) return {.name = "", .error = error};
  }
  name_ = entry.name;
  return {.at = &opened_, .name = name_.c_str()};
}

}  // namespace ffind::search
