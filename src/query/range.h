// SPDX-License-Identifier: MIT
// Ranges as options write them (`10M`, `>10M`, `1k..2M`): what all units have in common. Used by
// size.cpp, date.cpp and the depth options.
#pragma once

#include <cstdint>
#include <limits>
#include <string_view>

#include "query/problem.h"

namespace ffind {

/// Both ends included; empty when first > last.
template <typename T>
struct Range {
  T first = std::numeric_limits<T>::min();
  T last = std::numeric_limits<T>::max();

  bool contains(T value) const { return first <= value && value <= last; }
  bool operator==(const Range&) const = default;
};

/// What both hold.
template <typename T>
Range<T> narrow(Range<T> a, Range<T> b) {
  return {a.first > b.first ? a.first : b.first, a.last < b.last ? a.last : b.last};
}

using SizeRange = Range<std::uint64_t>;
using TimeRange = Range<std::int64_t>;  ///< Nanoseconds
using DepthRange = Range<std::uint32_t>;

/// The time it is; passed in so that tests can fix it. The zone is the C library's (TZ).
struct Clock {
  std::int64_t now = 0;  ///< Nanoseconds
};

SizeRange parse_size_range(std::string_view text, const ValueSource& source);
TimeRange parse_time_range(std::string_view text, const Clock& clock, const ValueSource& source);
DepthRange parse_depth_range(std::string_view text, const ValueSource& source);

}  // namespace ffind
