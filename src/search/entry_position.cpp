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
#include "search/entry_position.h"

namespace ffind::search {

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

}  // namespace ffind::search
