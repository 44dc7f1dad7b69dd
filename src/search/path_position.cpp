// SPDX-License-Identifier: MIT
// EntryPath keeps printed path, slash and entry name in one string: relative paths are views of its
// end, and only the absolute path is a copy.
//
//     src/mnt/usb/a/b/x.c         root "src/mnt/usb/", a volume mounted below the named root "src/"
//     │   │       │   └ length_         the entry's name; what is before it is Entry::directory
//     │   │       └ below_root_         from here on, after Root::absolute: the absolute path
//     │   └ below_start_                from here on: the relative path
//     └ text_
//
// begin() and end() set the directory, enter() goes to one below it, fill() appends a name.
//
// PathPosition opens its directory below the root without following links: in a single step by its
// path, a link that replaced a directory since it was found could lead anywhere.
#include "search/path_position.h"

#include <algorithm>

namespace ffind::search {

std::string root_name(const Root& root) {
  return root.below.empty() ? root.open_path : root.printed.substr(0, root.printed.size() - 1);
}

std::string& EntryPath::begin(const Root& root) {
  root_ = &root;
  text_ = root.printed;
  return text_;
}

void EntryPath::end() {
  below_root_ = root_->printed.size();
  below_start_ = below_root_ - (root_->below.empty() ? 0 : root_->below.size() + 1);
  if (text_.size() > root_->printed.size()) text_ += '/';
  // Only a root that was not typed, the current directory, has an empty prefix: "-rf" below it.
  if (root_->printed.empty() && text_.starts_with('-')) {
    text_.insert(0, "./");
    below_root_ += 2;
    below_start_ += 2;
  }
  length_ = text_.size();
}

void EntryPath::enter(std::string_view name) {
  text_.resize(length_);
  text_.append(name) += '/';
  length_ = text_.size();
}

void EntryPath::fill(Entry& entry, Needs wanted) {
  entry.present |= needs::directory;
  if ((wanted & (needs::relative_path | needs::absolute_path)) == 0) {
    entry.directory = std::string_view(text_).substr(0, length_);
    return;
  }
  text_.resize(length_);
  text_ += entry.name;
  entry.directory = std::string_view(text_).substr(0, length_);
  entry.relative_path = std::string_view(text_).substr(below_start_);
  entry.present |= needs::relative_path;
  if ((wanted & needs::absolute_path) == 0) return;
  absolute_ = root_->absolute;
  if (absolute_.empty() || absolute_.back() != '/') absolute_ += '/';
  absolute_ += std::string_view(text_).substr(below_root_);
  entry.absolute_path = absolute_;
  entry.present |= needs::absolute_path;
}

bool PathPosition::turn_to(const Root& root, std::string_view below) {
  if (root_ == &root && below_ == below) return false;
  leave();
  root_ = &root;
  below_ = below;
  spelled_ = false;
  error_ = 0;
  has_boundaries_ = !boundaries_.empty() && boundaries_.some_in(text::with_slash(canonical()));
  return true;
}

void PathPosition::leave() {
  root_ = nullptr;
  opened_.close();
}

void PathPosition::load_paths(Entry& entry, Needs wanted) {
  if (!spelled_) {
    path_.begin(*root_) += below_;
    path_.end();
    spelled_ = true;
  }
  path_.fill(entry, wanted);
}

const Boundary* PathPosition::boundary_at(const Entry& entry) {
  return has_boundaries_ ? boundaries_.at(text::join_paths(canonical(), entry.name)) : nullptr;
}

/// The latest one if several have this path.
const Trashed* PathPosition::trashed(const Entry& entry) {
  const auto& trash = reach_.state.matcher().scope().trash;
  if (trash == nullptr) return nullptr;
  const std::string path = text::join_paths(text::join_paths(root_->absolute, below_), entry.name);
  const auto found = std::lower_bound(
      trash->entries.begin(), trash->entries.end(), path,
      [](const Trashed& one, std::string_view other) { return path_less(one.path, other); });
  return found != trash->entries.end() && found->path == path ? &*found : nullptr;
}

EntryPlace PathPosition::place_of(const Entry& entry) {
  if (const Trashed* const is_in_trash = trashed(entry))
    return {.name = is_in_trash->place.c_str()};
  if (root_->is_file) return {.name = root_->open_path.c_str(), .is_root = true};
  if (error_ == 0 && !opened_.is_open()) {
    error_ = reach_.opener.open_below(*root_, below_, flags_, opened_);
    // Nothing in that directory can be read: reported once.
    if (error_ != 0)
      reach_.issues.pass_over(below_.empty() ? root_name(*root_) : root_->printed + below_,
                              DirectoryStep::open, error_);
  }
  if (error_ != 0) return {.name = "", .error = error_, .reported = true};
  name_ = entry.name;
  // The search has resolved links and checked that they may be followed: an entry that is still a
  // link is dangling, or its target must not be read.
  return {.at = &opened_,
          .name = name_.c_str(),
          .followed = follow_ && entry.type != FileType::symlink};
}

}  // namespace ffind::search
