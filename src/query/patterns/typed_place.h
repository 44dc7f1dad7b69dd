// SPDX-License-Identifier: MIT
// The way back from a normalised pattern to the one that was typed, for the caret of a message.
// Called by glob.cpp and regex.cpp where a pattern cannot be read. Knows neither.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

namespace ffind::query {

/// Where in `typed` that begins which is at `place` once `normalise` is through with it: behind the
/// longest beginning that becomes no more than `place`. Cut only at `ends`, so that a longer
/// beginning never becomes less.
template <typename Normalise>
std::size_t place_in_typed(std::string_view typed, const std::vector<std::size_t>& ends,
                           std::size_t place, Normalise normalise) {
  const auto behind = std::partition_point(ends.begin(), ends.end(), [&](std::size_t end) {
    return normalise(typed.substr(0, end)).size() <= place;
  });
  return behind == ends.begin() ? 0 : behind[-1];
}

}  // namespace ffind::query
