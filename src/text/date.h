// SPDX-License-Identifier: MIT
// What one end of a range of times says. Dates are read by date.cpp, words and durations by
// time_range.cpp, which uses both.
#pragma once

#include "text/calendar.h"
#include "text/scanner.h"

namespace ffind::text {

/// A date is a span, as long as its last part; with a fraction of a second it is that nanosecond.
/// A local time that comes twice (clocks are put back) is from the first of the two to the second;
/// one that never comes (they are put forward) is an empty span at the jump.
struct Moment {
  Instant begin;
  Instant end;          ///< the first instant behind it
  bool is_age = false;  ///< a duration: `begin` is all there is
};

/// What lies from the wall time `begin` up to, not including, `behind`. To its last second: clocks
/// that go back at 00:01 (St. John's had them do so) show the end of the day before once more.
Moment moment_of(WallSeconds begin, WallSeconds behind);

/// Both read up to the end of `scanner` and throw UsageError for what they cannot read. The first
/// digits must be there: four for a date, or an '@'.
Moment read_date(Scanner scanner);
Moment read_epoch(Scanner scanner);

}  // namespace ffind::text
