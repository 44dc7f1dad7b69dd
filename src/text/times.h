// SPDX-License-Identifier: MIT
// Times as text: RFC 3339 for programs, the local zone for people, formats that the user makes.
// Used by whatever lists files. How people write times for us to read is range.h's.
#pragma once

#include <array>
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

}  // namespace ffind::text
