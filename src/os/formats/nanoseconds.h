// SPDX-License-Identifier: MIT
// Times of the system as ours. Used by everything in os that reads a timespec, from a call or out
// of foreign bytes. Pure.
#pragma once

#include <cstdint>
#include <limits>

#include "ffind/entry.h"

namespace ffind::os {

/// Nanoseconds of a timespec, clamped to the range of int64: 1677-09-21T00:12:43.145224192Z to
/// 2262-04-11T23:47:16.854775807Z. An invalid fraction counts as 0.
inline Nanoseconds nanoseconds(std::int64_t seconds, std::int64_t fraction) {
  constexpr std::int64_t second = 1'000'000'000;
  using Limits = std::numeric_limits<Nanoseconds>;
  if (fraction < 0 || fraction >= second) fraction = 0;
  Nanoseconds time = 0;
  // Counted from the end of a second before 1970: only so does the first second of the range fit.
  const std::int64_t whole = seconds < 0 ? seconds + 1 : seconds;
  const std::int64_t rest = seconds < 0 ? fraction - second : fraction;
  if (__builtin_mul_overflow(whole, second, &time) || __builtin_add_overflow(time, rest, &time)) {
    return seconds < 0 ? Limits::min() : Limits::max();
  }
  return time;
}

}  // namespace ffind::os
