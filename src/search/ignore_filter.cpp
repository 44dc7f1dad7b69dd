// SPDX-License-Identifier: MIT
// From a directory's ignore files to its entries. See ignore_filter.h.
#include "search/ignore_filter.h"

#include <algorithm>
#include <utility>

namespace ffind::search {

/// Files are read as directories are opened: with room made for their descriptors.
int IgnoreFilter::read(const os::Directory* at, const std::string& path, bool follow,
                       std::string& text) {
  return opener_.with_room(
      [&] { return read_ignore_file(opener_.file_system(), at, path, follow, text); });
}

int IgnoreFilter::find(const std::string& path) {
  return find_path(opener_.file_system(), path);
}

void IgnoreFilter::report(std::string path, int error) {
  issues_.report(std::move(path), "read ignore file", error);
}

void IgnoreFilter::take_rules(Node& node, os::DirentBlock& block) {
  if (node.ignore_known) return;
  node.ignore_known = true;
  IgnoreFiles::Place place;
  if (node.directory.is_open()) place.at = &node.directory;
  place.canonical = [&] {
    std::string path;
    node.spell_canonical(path);
    if (path.size() > 1) path.pop_back();
    return path;
  };
  place.shown = [&] { return node.printed_path(); };
  IgnoreFiles::Place others_place = place;
  if (node.directory.at_end) {
    place.may_have_rules = place.may_be_top = others_place.may_have_rules = false;
    const std::vector<std::string>& names = scope_.ignore_files;
    os::Dirent dirent;
    while (block.next(dirent)) {
      if (dirent.name == ".gitignore") place.may_have_rules = true;
      if (dirent.name == ".git") place.may_be_top = true;
      if (std::find(names.begin(), names.end(), dirent.name) != names.end()) {
        others_place.may_have_rules = true;
      }
    }
    block.rewind();
  }
  IgnoreChains outer;
  if (node.parent() != nullptr) {
    outer = node.parent()->ignore;
  } else {
    const Root& root = node.root();
    const std::size_t below = root.below.empty() ? 0 : root.below.size() + 1;
    const std::string top = root.canonical.substr(0, root.canonical.size() - below);
    const std::string around = top.empty() ? "/" : top;
    if (scope_.gitignore.enabled) outer.git = files_.around(root.canonical, around);
    outer.others = others_.around(root.canonical, around);
  }
  if (scope_.gitignore.enabled) node.ignore.git = files_.within(place, outer.git);
  node.ignore.others = others_.within(others_place, outer.others);
}

bool IgnoreFilter::ignores(Entry& entry) {
  if (scope_.gitignore.enabled && entry.name == ".git") return true;
  const IgnoreChains& chains = node_->ignore;
  if (chains.empty()) return false;
  if (entry.type == FileType::unknown) entry.require(needs::type);
  if (!path_known_) {
    path_known_ = true;
    path_needed_ = need_path(chains.git.get()) || need_path(chains.others.get());
    path_.clear();
    if (path_needed_) node_->spell_canonical(path_);
    path_length_ = path_.size();
  }
  if (path_needed_) {
    path_.resize(path_length_);
    path_ += entry.name;
  }
  return is_ignored(chains, scope_, entry.name, entry.type == FileType::directory, path_);
}

}  // namespace ffind::search
