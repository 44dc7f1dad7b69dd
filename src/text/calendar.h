// SPDX-License-Identifier: MIT
// Instants, and what the clock on the wall shows at them, in the C library's time zone (TZ). Called
// by everything that reads or writes a time. Must not know how one is written.
//
// A wall time is counted like an instant, in seconds since 1970-01-01T00:00:00, but of the local
// clock: the two differ by the zone's offset. Where clocks are put forward some wall times never
// come, where they are put back some come twice.
#pragma once

#include <chrono>
#include <compare>
#include <cstdint>

#include "ffind/entry.h"

namespace ffind::text {

inline constexpr std::int64_t nanoseconds_a_second = 1'000'000'000;
inline constexpr std::int64_t seconds_a_day = 86400;

/// Rounded towards the past, so that times before 1970 run forward as well.
constexpr std::int64_t floor_divide(std::int64_t value, std::int64_t by) {
  return value / by - (value % by < 0 ? 1 : 0);
}

/// What `floor_divide` leaves: 0 to `by` - 1.
constexpr std::int64_t floor_remainder(std::int64_t value, std::int64_t by) {
  return (value % by + by) % by;
}

/// Wider than Nanoseconds, so that dates beyond its ends can be computed with and clamped at last.
struct Instant {
  std::int64_t seconds = 0;      ///< since 1970-01-01T00:00:00 UTC
  std::int32_t nanoseconds = 0;  ///< 0 to 999,999,999, also before 1970

  auto operator<=>(const Instant&) const = default;
};

Instant instant_of(Nanoseconds nanoseconds);
Nanoseconds clamped(Instant instant);
Instant nanosecond_before(Instant instant);
Instant nanosecond_after(Instant instant);

using WallSeconds = std::int64_t;
using Day = std::chrono::year_month_day;

WallSeconds wall_time_at(std::int64_t seconds);

/// Seconds that the local zone is east of UTC.
inline std::int64_t offset_at(std::int64_t seconds) {
  return wall_time_at(seconds) - seconds;
}

/// The first second at which the wall clock shows `wall` or, where it skips that, something later.
/// This makes days begin where they do, also when clocks jump at midnight.
std::int64_t first_second_of(WallSeconds wall);

/// The last second at which the wall clock shows `wall` or, where it skips that, the one before it
/// jumps.
std::int64_t last_second_of(WallSeconds wall);

/// `wall` at its day's 00:00.
WallSeconds midnight(Day day);
Day day_of(WallSeconds wall);

/// The same day of the month so many months ago, or that month's last day.
Day months_before(Day day, int months);

}  // namespace ffind::text
