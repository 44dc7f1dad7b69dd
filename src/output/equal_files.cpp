// SPDX-License-Identifier: MIT
// All by sorting: equal sizes, inodes and hashes are runs, and what is not wanted is moved out of
// the way in place.
#include "output/equal_files.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace ffind::output {
namespace {

/// Calls `use(begin, end)` for each longest range of `items` that are equal to their first one.
template <typename Items, typename Equal, typename Use>
void for_each_run(const Items& items, Equal equal, Use use) {
  for (std::size_t begin = 0, end = 0; begin < items.size(); begin = end) {
    for (end = begin + 1; end < items.size() && equal(items[begin], items[end]);) ++end;
    use(begin, end);
  }
}

}  // namespace

/// Sorts the names, moves those that are wanted to the front, and lists their inodes.
void EqualFiles::match_sizes() {
  const auto key = [](const FileName& name) {
    return std::tie(name.size, name.device, name.inode, name.directory);
  };
  std::sort(names_.begin(), names_.end(),
            [&](const FileName& a, const FileName& b) { return key(a) < key(b); });
  candidates_.reserve(names_.size());  // growing would take twice the memory
  std::size_t kept = 0;
  const auto has_size = [](const FileName& a, const FileName& b) { return a.size == b.size; };
  for_each_run(names_, has_size, [&](std::size_t begin, std::size_t end) {
    if (names_[begin].is_same_file(names_[end - 1])) return;
    for (std::size_t i = begin; i < end; ++i) {
      if (i == begin || !names_[kept - 1].is_same_file(names_[i])) {
        candidates_.push_back({static_cast<Index>(kept), 0});
      }
      names_[kept++] = names_[i];
      ++candidates_.back().names;
    }
  });
  names_.resize(kept, FileName{});
}

std::vector<EqualFiles::Index> EqualFiles::in_order(bool unread_only) const {
  std::vector<Index> order;
  order.reserve(candidates_.size());
  for (Index i = 0; i < candidates_.size(); ++i) {
    if (!unread_only || candidates_[i].whole == 0) order.push_back(i);
  }
  const auto key = [this](Index index) {
    const FileName& name = file(candidates_[index]);
    return std::tie(name.directory, name.inode);
  };
  std::sort(order.begin(), order.end(), [&](Index a, Index b) { return key(a) < key(b); });
  return order;
}

void EqualFiles::match_hashes() {
  std::erase_if(candidates_, [](const Candidate& one) { return one.left_out; });
  const auto key = [this](const Candidate& one) {
    return std::tuple(file(one).size, one.hash, one.first_name);
  };
  std::sort(candidates_.begin(), candidates_.end(),
            [&](const Candidate& a, const Candidate& b) { return key(a) < key(b); });
  auto kept = candidates_.begin();
  for (const auto& [begin, end] : groups()) {
    const auto first = candidates_.begin();
    kept = std::copy(first + begin, first + end, kept);
  }
  candidates_.erase(kept, candidates_.end());
}

std::vector<std::pair<EqualFiles::Index, EqualFiles::Index>> EqualFiles::groups() const {
  std::vector<std::pair<Index, Index>> found;
  const auto equal = [this](const Candidate& a, const Candidate& b) { return are_equal(a, b); };
  for_each_run(candidates_, equal, [&](std::size_t begin, std::size_t end) {
    if (end - begin > 1) found.emplace_back(begin, end);
  });
  return found;
}

}  // namespace ffind::output
