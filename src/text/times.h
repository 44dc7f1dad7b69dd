// SPDX-License-Identifier: MIT
// Times as text (RFC 3339 for programs, the local zone for people, the user's own formats), and the
// calendar that writing and reading times share: instants, wall time, days. ranges.h has the
// parser.
#pragma once

#include <array>
#include <chrono>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ffind/entry.h"

namespace ffind::text {

/// True if the year has four digits in every zone (0 to 9999, less two days at each end): dates of
/// other times are not written, since RFC 3339 has none.
constexpr bool has_date(Instant time) {
  return time.seconds >= -62'167'046'400 && time.seconds < 253'402'128'000;
}

/// Cache of the local zone's offset from UTC, by day: calling the C library each time would be half
/// of the time of a line of a long listing. Used by one thread.
class LocalZone {
 public:
  /// Seconds east of UTC at `seconds` since 1970.
  std::int64_t offset(std::int64_t seconds);

 private:
  struct Day {
    std::int64_t number = INT64_MIN;
    std::int32_t offset = 0;
    bool changes = false;  ///< the offset changes during the day
  };
  /// 4 KiB, for the files of more than half a year.
  std::array<Day, 256> days_{};
};

/// Appends `time` in UTC with nanoseconds: 2026-01-31T12:00:00.000000000Z (RFC 3339).
/// Thread-safe. The time has_date(), here and in the next three that append.
void append_rfc3339(std::string& out, Instant time);
/// Reads a time of RFC 3339, with any offset and up to nine digits of a second; nullopt for any
/// other text.
std::optional<Instant> rfc3339_time(std::string_view text);

/// Appends `time` in the local zone, with its offset: 2026-01-31T13:00:00+01:00.
void append_local_time(std::string& out, Instant time, LocalZone& zone);

/// The same to the minute, for long listings: 2026-01-31 13:00.
void append_local_minute(std::string& out, Instant time, LocalZone& zone);

/// Appends "20 s ago", "59 min ago", "3 h ago", "12 d ago" or "7 mo ago", rounded down, or the
/// local date of what is a year old or in the future: at most 10 columns.
void append_age(std::string& out, Instant time, Instant now, LocalZone& zone);

/// Appends seconds since 1970 with nanoseconds: 1769860800.000000000.
void append_epoch(std::string& out, Instant time);

/// A format of strftime(3), for times in templates. Immutable, thread-safe.
class TimeFormat {
 public:
  TimeFormat() = default;
  /// `text`: as for strftime, and %f for nanoseconds.
  explicit TimeFormat(std::string_view text);

  /// Position of a conversion that strftime does not know; npos if there is none.
  static std::size_t find_unknown(std::string_view text);

  /// Appends `time` in the local zone. Returns false for a year beyond 32 bits.
  bool append(std::string& out, Instant time) const;

 private:
  /// Formats between the conversions of `ours_`, f and P. Each ends with a space, since strftime
  /// returns 0 both for an empty result and for one that does not fit.
  std::vector<std::string> parts_;
  std::string ours_;
};

inline constexpr std::int64_t nanoseconds_a_second = 1'000'000'000;
inline constexpr std::int64_t seconds_a_day = 86400;

/// Rounds down, so that times before 1970 run forward too.
constexpr std::int64_t floor_divide(std::int64_t value, std::int64_t by) {
  return value / by - (value % by < 0 ? 1 : 0);
}

/// Remainder of floor_divide(): 0 to `by` - 1.
constexpr std::int64_t floor_remainder(std::int64_t value, std::int64_t by) {
  return (value % by + by) % by;
}

/// `time` moved by seconds and by nanoseconds; an end of the range stops it.
Instant moved(Instant time, std::int64_t seconds, std::int64_t nanoseconds = 0);
inline Instant nanosecond_before(Instant time) {
  return moved(time, 0, -1);
}
inline Instant nanosecond_after(Instant time) {
  return moved(time, 0, 1);
}

using WallSeconds = std::int64_t;
using Day = std::chrono::year_month_day;

WallSeconds wall_time_at(std::int64_t seconds);

/// Offset of the local zone, in seconds east of UTC.
inline std::int64_t offset_at(std::int64_t seconds) {
  return wall_time_at(seconds) - seconds;
}

/// The first second at which the wall clock shows `wall` or, if it skips that, a later time. So
/// days begin at the right second even if clocks jump at midnight.
std::int64_t first_second_of(WallSeconds wall);

/// The last second at which the wall clock shows `wall` or, if it skips that, the second before the
/// jump.
std::int64_t last_second_of(WallSeconds wall);

/// Wall time of the day's 00:00.
WallSeconds midnight(Day day);
Day day_of(WallSeconds wall);

/// The same day of the month `months` earlier, or that month's last day.
Day months_before(Day day, int months);

}  // namespace ffind::text
