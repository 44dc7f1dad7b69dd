// SPDX-License-Identifier: MIT
// Times of the system as ours. Used by everything in os that reads a timespec, from a call or out
// of foreign bytes. Pure.
#pragma once

#include <cstdint>
#include <limits>

#include "ffind/entry.h"

namespace ffind::os {

/// Nanoseconds of a timespec, clamped to what they can say (years 1677 to 2262). A fraction that is
/// none counts as 0.
inline Nanoseconds nanoseconds(std::int64_t seconds, std::int64_t fraction) {
  constexpr std::int64_t second = 1'000'000'000;
  constexpr std::int64_t end = std::numeric_limits<std::int64_t>::max() / second;
  if (fraction < 0 || fraction >= second) fraction = 0;
  if (seconds >= end) return std::numeric_limits<Nanoseconds>::max();
  if (seconds < -end) return std::numeric_limits<Nanoseconds>::min();
  return seconds * second + fraction;
}

}  // namespace ffind::os
