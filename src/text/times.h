// SPDX-License-Identifier: MIT
// Times as text: RFC 3339 for programs, the local zone for people, formats that the user makes.
// Used by whatever lists files. How people write times for us to read is ranges.h's.
#pragma once

#include <array>
#include <chrono>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "ffind/entry.h"

namespace ffind::text {

/// Whether `time` is an end of what nanoseconds can say (see Nanoseconds): when that was is not
/// known, only that it is earlier or later than all others.
constexpr bool is_clamped(Nanoseconds time) {
  return time == std::numeric_limits<Nanoseconds>::min() ||
         time == std::numeric_limits<Nanoseconds>::max();
}

/// What the local zone is off UTC. Asking the C library each time would be half of what a line of a
/// long listing takes, so the answer is kept for a day at a time. Belongs to one thread.
class LocalZone {
 public:
  /// Seconds east of UTC at `seconds` since 1970.
  std::int64_t offset(std::int64_t seconds);

 private:
  struct Day {
    std::int64_t number = INT64_MIN;
    std::int32_t offset = 0;
    bool changes = false;  ///< in the middle of it
  };
  /// 4 KiB: the files of half a year without asking twice.
  std::array<Day, 256> days_{};
};

/// Appends `time` in UTC with nanoseconds, e.g. 2026-01-31T12:00:00.000000000Z (RFC 3339). Years
/// are those of int64 nanoseconds, 1677 to 2262. Thread-safe.
void append_rfc3339(std::string& out, Nanoseconds time);

/// In the local zone, with what that is off UTC: 2026-01-31T13:00:00+01:00.
void append_local_time(std::string& out, Nanoseconds time, LocalZone& zone);

/// The same to the minute, as long listings have it: 2026-01-31 13:00.
void append_local_minute(std::string& out, Nanoseconds time, LocalZone& zone);

/// Seconds since 1970 with nanoseconds: 1769860800.000000000.
void append_epoch(std::string& out, Nanoseconds time);

/// A format of strftime(3), as templates have it for times. Immutable and thread-safe.
class TimeFormat {
 public:
  TimeFormat() = default;
  /// `text` as strftime reads it; %f is the nanoseconds.
  explicit TimeFormat(std::string_view text);

  /// Where `text` has something that strftime does not know; npos if it has nothing such.
  static std::size_t find_unknown(std::string_view text);

  /// Appends `time` in the local zone.
  void append(std::string& out, Nanoseconds time) const;

 private:
  /// Each but the last is followed by nanoseconds. With a space behind, since strftime does not
  /// distinguish an empty text from one that does not fit.
  std::vector<std::string> parts_;
};

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
