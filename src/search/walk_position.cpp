// SPDX-License-Identifier: MIT
// Paths by way of nodes, and what the reader knows of an entry. See walk_position.h.
#include "search/walk_position.h"

#include "text/paths.h"

namespace ffind::search {

EntryPlace WalkPosition::place_of(const Entry& entry) {
  // A root that is a file is named by its whole path; other names end with a NUL in their block.
  if (node_ == nullptr) return {.name = root_->open_path.c_str(), .is_root = true};
  EntryPlace place{.at = &node_->directory, .name = entry.name.data(), .followed = is_link_};
  // A reader that does without has left it closed, and no other thread has the node yet.
  if (!node_->directory.is_open()) place.error = opener_.open(*node_);
  place.reported = place.error != 0;
  return place;
}

void WalkPosition::load_paths(Entry& entry, Needs wanted) {
  if (node_ == nullptr) {
    entry.relative_path = entry.name;
    entry.absolute_path = root_->absolute;
    entry.present |= needs::directory | (wanted & (needs::relative_path | needs::absolute_path));
    return;
  }
  spell_directory();
  path_.fill(entry, wanted);
}

/// Spells the path of the directory once, when the first of its entries needs it.
void WalkPosition::spell_directory() {
  if (spelled_ == node_) return;
  if (spelled_ != nullptr && node_->parent() == spelled_ && spelled_->parent() != nullptr) {
    // The next link of a chain: in one of 20,000 directories, spelling each path from the root
    // would take longer than everything else.
    path_.enter(node_->name());
  } else {
    node_->append_relative_path(path_.begin(*root_));
    path_.end();
  }
  node_->add_reference();
  Node::release(spelled_);
  spelled_ = node_;
}

std::string WalkPosition::canonical_directory() {
  if (node_ == nullptr) return std::string(text::parent_of(root_->canonical));
  std::string path;
  node_->spell_canonical(path);
  if (path.size() > 1) path.pop_back();
  return path;
}

const Boundary* WalkPosition::boundary_at(const Entry& entry) {
  if (!has_boundaries_) return nullptr;
  if (node_ == nullptr || !boundaries_.may_be(entry.name)) return nullptr;
  return boundaries_.at(canonical_path(entry.name));
}

const std::string& WalkPosition::canonical_path(std::string_view name) {
  node_->spell_canonical(canonical_);
  return canonical_.append(name);
}

Needs WalkPosition::metadata_at_hand(const Entry& entry, Needs wanted, Metadata& metadata) {
  if ((wanted & reader_knows_) == 0) return needs::none;
  // What is mounted here belongs to another volume.
  if (is_link_ || node_ == nullptr || boundary_at(entry) != nullptr) return needs::none;
  return reader_.metadata(inode_, entry.type, wanted, metadata);
}

/// Of the directory that the entry is.
std::optional<bool> WalkPosition::empty_at_hand() {
  if (is_link_ || node_ == nullptr) return {};
  return reader_.is_empty(*node_, inode_);
}

}  // namespace ffind::search
