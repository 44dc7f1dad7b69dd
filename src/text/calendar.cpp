// SPDX-License-Identifier: MIT
// Wall time to instant and back. The C library answers one direction well (localtime_r); the other
// is searched for here, because mktime leaves open what it does with times that come twice or
// never.
#include "text/calendar.h"

#include <time.h>

#include <algorithm>
#include <limits>

namespace ffind::text {
namespace {

/// TZ can say offsets of up to 24 hours and an hour of summer time, so an instant lies strictly
/// between its wall time less this and plus this. Clocks have never changed twice in such a time.
constexpr std::int64_t more_than_any_offset = 26 * 3600;

}  // namespace

Instant instant_of(Nanoseconds nanoseconds) {
  const std::int64_t seconds = floor_divide(nanoseconds, nanoseconds_a_second);
  // Not nanoseconds - seconds * 10^9: that product overflows in the first second of the range.
  const std::int64_t rest = nanoseconds % nanoseconds_a_second;
  return {seconds, static_cast<std::int32_t>(rest < 0 ? rest + nanoseconds_a_second : rest)};
}

Nanoseconds clamped(Instant instant) {
  using Limits = std::numeric_limits<Nanoseconds>;
  if (instant <= instant_of(Limits::min())) return Limits::min();
  if (instant >= instant_of(Limits::max())) return Limits::max();
  // In the first second of the range the product alone would overflow.
  if (instant.seconds < 0) {
    return (instant.seconds + 1) * nanoseconds_a_second +
           (instant.nanoseconds - nanoseconds_a_second);
  }
  return instant.seconds * nanoseconds_a_second + instant.nanoseconds;
}

Instant nanosecond_before(Instant instant) {
  if (instant.nanoseconds > 0) return {instant.seconds, instant.nanoseconds - 1};
  return {instant.seconds - 1, static_cast<std::int32_t>(nanoseconds_a_second - 1)};
}

Instant nanosecond_after(Instant instant) {
  if (instant.nanoseconds + 1 < nanoseconds_a_second) {
    return {instant.seconds, instant.nanoseconds + 1};
  }
  return {instant.seconds + 1, 0};
}

WallSeconds wall_time_at(std::int64_t seconds) {
  using Limits = std::numeric_limits<time_t>;
  // Where time_t has 32 bits, the zone's rules end with it.
  const auto time =
      static_cast<time_t>(std::clamp<std::int64_t>(seconds, Limits::min(), Limits::max()));
  struct tm civil {};
  if (localtime_r(&time, &civil) == nullptr) return seconds;
  const Day day{std::chrono::year{civil.tm_year + 1900},
                std::chrono::month{static_cast<unsigned>(civil.tm_mon + 1)},
                std::chrono::day{static_cast<unsigned>(civil.tm_mday)}};
  const WallSeconds wall = midnight(day) + civil.tm_hour * 3600 + civil.tm_min * 60 + civil.tm_sec;
  return wall + (seconds - std::int64_t{time});
}

std::int64_t first_second_of(WallSeconds wall) {
  std::int64_t before = wall - more_than_any_offset;
  std::int64_t behind = wall + more_than_any_offset;
  const std::int64_t old_offset = offset_at(before);
  const std::int64_t new_offset = offset_at(behind);

  // The larger offset gives the earlier instant: the first of two where a wall time comes twice.
  for (const std::int64_t offset :
       {std::max(old_offset, new_offset), std::min(old_offset, new_offset)}) {
    if (wall_time_at(wall - offset) == wall) return wall - offset;
  }

  // It never comes: the clock jumps over it, so the first second with the new offset is meant.
  while (behind - before > 1) {
    const std::int64_t middle = before + (behind - before) / 2;
    (offset_at(middle) == old_offset ? before : behind) = middle;
  }
  return behind;
}

std::int64_t last_second_of(WallSeconds wall) {
  const std::int64_t old_offset = offset_at(wall - more_than_any_offset);
  const std::int64_t new_offset = offset_at(wall + more_than_any_offset);
  for (const std::int64_t offset :
       {std::min(old_offset, new_offset), std::max(old_offset, new_offset)}) {
    if (wall_time_at(wall - offset) == wall) return wall - offset;
  }
  return first_second_of(wall) - 1;
}

WallSeconds midnight(Day day) {
  return std::int64_t{std::chrono::sys_days{day}.time_since_epoch().count()} * seconds_a_day;
}

Day day_of(WallSeconds wall) {
  const std::int64_t days = floor_divide(wall, seconds_a_day);
  return std::chrono::sys_days{std::chrono::days{days}};
}

Day months_before(Day day, int months) {
  const Day same = day - std::chrono::months{months};
  return same.ok() ? same : Day{same.year() / same.month() / std::chrono::last};
}

}  // namespace ffind::text
