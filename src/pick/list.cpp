// SPDX-License-Identifier: MIT
#include "pick/list.h"

#include <algorithm>
#include <utility>

namespace ffind::pick {

PickList::PickList(State state, const std::vector<std::shared_ptr<const SliceMatches>>& slices)
    : state_(state) {
  parts_.reserve(slices.size());
  for (std::size_t slice = 0; slice < slices.size(); ++slice) {
    // What is behind a gap would move down once that is closed.
    if (!slices[slice]) break;
    if (slices[slice]->size() == 0) continue;
    parts_.push_back({slices[slice], static_cast<EntryId>(slice * slice_size), size_});
    size_ += slices[slice]->size();
  }
}

PickList::PickList(State state, std::shared_ptr<const std::vector<EntryId>> sorted)
    : state_(state), size_(sorted->size()), sorted_(std::move(sorted)) {}

EntryId PickList::operator[](std::size_t row) const {
  if (sorted_) return (*sorted_)[row];
  if (state_.reversed) row = size_ - 1 - row;
  const auto behind = std::upper_bound(
      parts_.begin(), parts_.end(), row,
      [](std::size_t wanted, const Part& part) { return wanted < part.first_row; });
  const Part& part = *std::prev(behind);
  const std::size_t place = row - part.first_row;
  return part.first_id +
         (part.matches->all ? static_cast<EntryId>(place) : part.matches->matches[place]);
}

std::optional<std::size_t> PickList::row_of(EntryId id) const {
  if (sorted_) {
    const auto found = std::find(sorted_->begin(), sorted_->end(), id);
    if (found == sorted_->end()) return {};
    return static_cast<std::size_t>(found - sorted_->begin());
  }
  const auto behind =
      std::upper_bound(parts_.begin(), parts_.end(), id,
                       [](EntryId wanted, const Part& part) { return wanted < part.first_id; });
  if (behind == parts_.begin()) return {};
  const Part& part = *std::prev(behind);
  const EntryId place = id - part.first_id;
  std::size_t row = part.first_row;
  if (part.matches->all) {
    if (place >= part.matches->looked_at) return {};
    row += place;
  } else {
    const std::vector<std::uint16_t>& matches = part.matches->matches;
    const auto found = std::lower_bound(matches.begin(), matches.end(), place);
    if (found == matches.end() || *found != place) return {};
    row += static_cast<std::size_t>(found - matches.begin());
  }
  return state_.reversed ? size_ - 1 - row : row;
}

}  // namespace ffind::pick
