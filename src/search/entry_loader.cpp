// SPDX-License-Identifier: MIT
// What an entry of the walk is asked for beyond its directory: where it lies, what a link leads to,
// whether it is a boundary. The other half of Worker; see worker.h.
#include <cerrno>
#include <functional>

#include "search/worker.h"

#include "text/paths.h"

namespace ffind {

EntryWorker::Place Worker::place_of(const Entry& entry) {
  // A root that is a file is named by its whole path; other names end with a NUL in their block.
  if (node_ == nullptr) return {.name = root_->open_path.c_str(), .is_root = true};
  Place place{.at = &node_->directory, .name = entry.name.data(), .followed = is_link_};
  if (!node_->directory.is_open()) {
    if (open_error_ == 0) open_here();
    place.error = open_error_;
    place.reported = open_error_ != 0;
  }
  return place;
}

/// Opens the directory that a catalog told of, for what only the kernel knows. No other thread has
/// it yet. Where that fails, all of its entries go without, for one line. Relative to its parent
/// where that is open: in a chain of 20,000 directories whose sizes were asked for, opening each by
/// its path took 34 s.
void Worker::open_here() {
  open_error_ = open_child(*node_->parent(), std::string(node_->name()), {}, node_->directory);
  if (open_error_ == 0) {
    frontier_.descriptor_opened();
  } else if (open_error_ == EXDEV) {
    leave_out(name_of(*node_));
  } else if (!node_->reported) {
    pass_over(name_of(*node_), "", open_error_);
  }
}

Needs Worker::metadata_at_hand(const Entry& entry, Needs wanted, Metadata& metadata) {
  if (!from_catalog_ || is_link_ || node_ == nullptr) return needs::none;
  // What is mounted here is another volume's to tell.
  if (boundary_at(entry) != nullptr) return needs::none;
  return catalog_->metadata(inode_, entry.type, wanted, metadata);
}

/// Of the directory that the entry is.
std::optional<bool> Worker::empty_at_hand() {
  if (!catalog_ || is_link_ || node_ == nullptr || !node_->number) return {};
  const os::DirectoryNumber number = walker_.catalog_->child(node_->number, inode_, !from_catalog_);
  if (!number) return {};
  if (!spare_catalog_) spare_catalog_ = walker_.catalog_->open_reader();
  if (!spare_catalog_->begin(number, &node_->number)) return {};
  os::DirentBlock& block = spare_block();
  os::Dirent dirent;
  spare_catalog_->read(block);
  const bool empty = !block.next(dirent);
  if (spare_catalog_->error() != 0) return {};
  return empty;
}

/// Replaces a symbolic link by what it leads to; a link that leads nowhere stays one.
void Worker::follow(Entry& entry) {
  Needs wanted = needs::type | ((state_.matcher().needs() | state_.sink_needs()) & needs::metadata);
  if (scope_.unique) wanted |= needs::identity;
  Metadata metadata{};
  Needs got = needs::none;
  const Place place = place_of(entry);
  ++statistics_.stats;
  const int error = file_system_.stat_target(place.at, place.name, link_flags(), wanted, metadata,
                                             got, leads_elsewhere_);
  if (error == 0) {
    entry.metadata = metadata;
    entry.present = (entry.present & needs::directory) | got;
    entry.type = os::type_of_mode(metadata.mode);
    is_link_ = true;
  } else if (error == EXDEV && node_ != nullptr) {
    // Whoever answers there may be dead, so what it leads to stays unknown.
    leave_out(path_of(*node_).append(entry.name));
  } else if (!is_gone(error)) {
    report_entry(entry, "follow link", error);
  }
}

void Worker::load_paths(Entry& entry, Needs wanted) {
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
void Worker::spell_directory() {
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

const std::string& Worker::canonical_path(std::string_view name) {
  canonical_ = root_->canonical;
  if (canonical_.empty() || canonical_.back() != '/') canonical_ += '/';
  const std::size_t root_length = canonical_.size();
  node_->append_relative_path(canonical_);
  if (canonical_.size() > root_length) canonical_ += '/';
  canonical_ += name;
  return canonical_;
}

std::string Worker::canonical_directory() {
  if (node_ == nullptr) {
    return std::string(text::parent_of(root_->canonical));
  }
  std::string path = canonical_path({});
  if (path.size() > 1) path.pop_back();
  return path;
}

const Boundary* Worker::boundary_at(const Entry& entry) {
  const Boundaries& boundaries = walker_.boundaries_;
  if (boundaries.empty() || node_ == nullptr || !boundaries.may_be(entry.name)) return nullptr;
  return boundaries.at(canonical_path(entry.name));
}

/// What was read with the name. Of a mount point or firmlink that may be of what it covers.
void Worker::take_metadata(const os::Dirent& dirent) {
  if (boundary_at(entry_) != nullptr) return;
  entry_.metadata = *dirent.metadata;
  entry_.present |= dirent.known;
}

bool Worker::is_listed(const Entry& entry) {
  const Boundary* const boundary = boundary_at(entry);
  return boundary == nullptr || boundary->listed;
}

/// Before the catalog of this volume was given up.
bool Worker::was_emitted() {
  if (node_ == nullptr) return false;
  const Root* const first = walker_.task_.roots.data();
  const Root* const end = first + walker_.task_.roots.size();
  // A root that was taken for a file has no number, and no catalog was read for it.
  const bool planned = !std::less<>{}(root_, first) && std::less<>{}(root_, end);
  if (!planned) return false;
  const auto root = static_cast<std::size_t>(root_ - first);
  std::string below;
  node_->append_relative_path(below);
  return walker_.emitted_->contains(entry_key(directory_key(root, below), entry_.name));
}

bool Worker::first_visit(Entry& entry) {
  // Listed, but not visited here: a bind mount may show what lies elsewhere below the root.
  if (boundary_at(entry) != nullptr || (leads_elsewhere_ && !scope_.cross_volumes)) return true;
  if (!entry.require(needs::identity)) return true;
  return state_.visited().insert({entry.metadata.device, entry.metadata.inode});
}

}  // namespace ffind
