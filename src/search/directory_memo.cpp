// SPDX-License-Identifier: MIT
// A map that is dropped when it is full. See directory_memo.h.
#include "search/directory_memo.h"

namespace ffind::search {

bool DirectoryMemo::find(std::uint64_t id, CatalogDirectory& directory) {
  const std::lock_guard lock(mutex_);
  const auto found = directories_.find(id);
  if (found == directories_.end()) return false;
  directory = found->second;
  return true;
}

void DirectoryMemo::insert(std::uint64_t id, const CatalogDirectory& directory, unsigned pass) {
  // A node of the map with its place in the table, and what both members hold on the heap.
  const std::size_t bytes = sizeof directory + 64 + directory.path.size() + 16 +
                            directory.roots.size() * sizeof(std::uint32_t) + 16;
  const std::lock_guard lock(mutex_);
  if (pass != pass_) return;
  if (bytes_ + bytes > most_bytes) {
    directories_.clear();
    bytes_ = 0;
  }
  if (directories_.emplace(id, directory).second) bytes_ += bytes;
}

void DirectoryMemo::clear(unsigned pass) {
  const std::lock_guard lock(mutex_);
  directories_.clear();
  bytes_ = 0;
  pass_ = pass;
}

}  // namespace ffind::search
