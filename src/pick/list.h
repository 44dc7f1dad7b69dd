// SPDX-License-Identifier: MIT
// What of the store matches what was typed, in the order in which it is shown: a snapshot that
// never changes. Made by the narrower, read by the screen. Knows no entries but their numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "pick/store.h"

namespace ffind::pick {

/// What the list is ordered by; `found`: as the search found it.
enum class PickOrder : std::uint8_t { found, name, path, size, modified };

/// So many entries, by their numbers, are judged at a time.
inline constexpr std::uint32_t slice_size = 16384;

/// What of one slice matches. Immutable once it is shared.
struct SliceMatches {
  std::uint32_t looked_at = 0;             ///< its first so many entries were judged
  bool all = false;                        ///< all of those match, and `matches` is empty
  std::vector<std::uint16_t> matches{};    ///< ascending, by their places in the slice
  std::vector<std::uint16_t> undecided{};  ///< likewise: may match, once something was read of them

  std::uint32_t size() const {
    return all ? looked_at : static_cast<std::uint32_t>(matches.size());
  }
};

/// Immutable: any number of threads may read it.
class PickList {
 public:
  struct State {
    std::uint64_t generation = 0;  ///< of the query, as Narrower::set_query returned it
    std::size_t looked_at = 0;     ///< entries that were judged for it
    std::size_t found = 0;         ///< of so many that there were then
    std::size_t undecided = 0;     ///< of which something is still to be read
    /// Nothing of what was found is left to be judged, but for what lies on volumes that do not
    /// answer, and the order is the one that was asked for.
    bool complete = false;
    PickOrder order = PickOrder::found;  ///< that the list is in; the one before while sorting
    bool reversed = false;
  };

  PickList() = default;
  /// In the order found, up to the first slice that was not judged yet (null).
  PickList(State state, const std::vector<std::shared_ptr<const SliceMatches>>& slices);
  /// In that of `sorted`.
  PickList(State state, std::shared_ptr<const std::vector<EntryId>> sorted);

  /// How many match.
  std::size_t size() const { return size_; }
  EntryId operator[](std::size_t row) const;
  /// Where `id` is, if it matches. Takes a millisecond for a million that are sorted.
  std::optional<std::size_t> row_of(EntryId id) const;
  const State& state() const { return state_; }

 private:
  struct Part {
    std::shared_ptr<const SliceMatches> matches;
    EntryId first_id;
    std::size_t first_row;
  };

  State state_{};
  std::size_t size_ = 0;
  std::vector<Part> parts_{};  ///< none of them empty
  std::shared_ptr<const std::vector<EntryId>> sorted_{};
};

}  // namespace ffind::pick
