// SPDX-License-Identifier: MIT
// Times: durations, words and dates to the nanosecond, in zones whose clocks jump. The zones are
// spelled out as POSIX rules, so no time zone data is needed; instants come from timegm.
#include <time.h>

#include <cstdlib>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "catch.h"
#include "fakes/instants.h"
#include "ffind/entry.h"
#include "text/ranges.h"

namespace date_test {

namespace {

using namespace ffind;
using namespace ffind::text;

const char* const berlin = "CET-1CEST,M3.5.0,M10.5.0/3";
const char* const sao_paulo = "<-03>3<-02>,M11.1.0/0,M2.3.0/0";  // summer begins and ends at 00:00
const char* const beirut = "EET-2EEST,M3.5.0/0,M10.5.0/0";
const char* const azores = "<-01>1<+00>,M3.5.0/0,M10.5.0/1";             // 01:00 becomes 00:00
const char* const lord_howe = "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0";    // by half an hour
const char* const st_johns = "NST3:30NDT2:30,M4.1.0/0:01,M11.1.0/0:01";  // 00:01 becomes 23:01
const char* const kolkata = "IST-5:30";

const ValueSource source{"--modified", "--modified 7d"};
constexpr Nanoseconds second = 1'000'000'000;
constexpr Nanoseconds minute = 60 * second;
constexpr Nanoseconds hour = 60 * minute;
constexpr Nanoseconds day = 24 * hour;
using Limits = std::numeric_limits<Instant>;
constexpr Nanoseconds min = std::numeric_limits<Nanoseconds>::min();
constexpr Nanoseconds max = std::numeric_limits<Nanoseconds>::max();

/// Sets TZ while it lives.
class Zone {
 public:
  explicit Zone(const char* rules) {
    if (const char* before = std::getenv("TZ")) before_ = before;
    setenv("TZ", rules, 1);
    tzset();
  }
  ~Zone() {
    if (before_)
      setenv("TZ", before_->c_str(), 1);
    else
      unsetenv("TZ");
    tzset();
  }
  Zone(const Zone&) = delete;
  Zone& operator=(const Zone&) = delete;

 private:
  std::optional<std::string> before_;
};

Nanoseconds utc(int year, int month, int day_of_month, int hours = 0, int minutes = 0,
                int seconds = 0) {
  struct tm civil {};
  civil.tm_year = year - 1900;
  civil.tm_mon = month - 1;
  civil.tm_mday = day_of_month;
  civil.tm_hour = hours;
  civil.tm_min = minutes;
  civil.tm_sec = seconds;
  return Nanoseconds{timegm(&civil)} * second;
}

struct Row {
  std::string_view text;
  Nanoseconds first;
  Nanoseconds last;
};

void check(const char* zone, Nanoseconds now, const std::vector<Row>& rows) {
  const Zone guard(zone);
  for (const Row& row : rows) {
    CAPTURE(zone, row.text);
    const TimeRange range = parse_time_range(row.text, Clock{after_1970(now)}, source);
    CHECK(range.first == (row.first == min ? Limits::min() : after_1970(row.first)));
    CHECK(range.last == (row.last == max ? Limits::max() : after_1970(row.last)));
  }
}

/// Saturday, 2026-01-31 12:00:05.25 UTC.
const Nanoseconds now = utc(2026, 1, 31, 12, 0, 5) + second / 4;

}  // namespace

TEST_CASE("Durations are measured back from now") {
  check("UTC0", now,
        {
            {"7d", now - 7 * day, max},
            {"<7d", now - 7 * day, max},
            {"-7d", now - 7 * day, max},
            {"<=7d", now - 7 * day, max},
            {">7d", min, now - 7 * day - 1},
            {"+7d", min, now - 7 * day - 1},
            {">=7d", min, now - 7 * day},
            {"2h30m", now - 2 * hour - 30 * minute, max},
            {"2h 30min", now - 2 * hour - 30 * minute, max},
            {"30m2h", now - 2 * hour - 30 * minute, max},
            {"90s", now - 90 * second, max},
            {"1w", now - 7 * day, max},
            {"2weeks", now - 14 * day, max},
            {"1 day", now - day, max},
            {"10mins", now - 10 * minute, max},
            {"0s", now, max},
            {"2026d", now - 2026 * day, max},
            {"2026 d", now - 2026 * day, max},
        });
}

TEST_CASE("Months and years go by the calendar, to the end of a shorter month") {
  const Nanoseconds tail = 12 * hour + 5 * second + second / 4;
  check("UTC0", now,
        {
            {"1mo", utc(2025, 12, 31) + tail, max},
            {"2mo", utc(2025, 11, 30) + tail, max},
            {"11mo", utc(2025, 2, 28) + tail, max},
            {"23mo", utc(2024, 2, 29) + tail, max},
            {"1y", utc(2025, 1, 31) + tail, max},
            {"1y1mo", utc(2024, 12, 31) + tail, max},
            {"1month1d", utc(2025, 12, 30) + tail, max},
            {"56y1mo", utc(1969, 12, 31) + tail, max},
        });
  check("UTC0", utc(2024, 2, 29, 6),
        {{"1y", utc(2023, 2, 28, 6), max}, {"4y", utc(2020, 2, 29, 6), max}});
  // The same time on the wall: summer time lies between.
  check(berlin, utc(2026, 5, 15, 10), {{"3mo", utc(2026, 2, 15, 11), max}});
  // A local time that was skipped: the jump. 02:30 became 03:00 CEST.
  check(berlin, utc(2026, 4, 29, 0, 30), {{"1mo", utc(2026, 3, 29, 1), max}});
}

TEST_CASE("Spans of durations, in either order") {
  check("UTC0", now,
        {
            {"7d..2d", now - 7 * day, now - 2 * day},
            {"2d..now", now - 2 * day, now},
            {"2d..7d", now - 7 * day, now - 2 * day},
            {"7d..", now - 7 * day, max},
            {"..7d", min, now - 7 * day},
            {"2026-01-01..7d", utc(2026, 1, 1), now - 7 * day},
            {"7d..2026-01-30", now - 7 * day, utc(2026, 1, 31) - 1},
            {"2d..today", now - 2 * day, utc(2026, 2, 1) - 1},
        });
}

TEST_CASE("Words") {
  check("UTC0", now,
        {
            {"now", now, now},
            {">now", now + 1, max},
            {"..now", min, now},
            {"today", utc(2026, 1, 31), utc(2026, 2, 1) - 1},
            {"Today", utc(2026, 1, 31), utc(2026, 2, 1) - 1},
            {">=today", utc(2026, 1, 31), max},
            {"yesterday", utc(2026, 1, 30), utc(2026, 1, 31) - 1},
            {"saturday", utc(2026, 1, 31), utc(2026, 2, 1) - 1},
            {"friday", utc(2026, 1, 30), utc(2026, 1, 31) - 1},
            {"mon", utc(2026, 1, 26), utc(2026, 1, 27) - 1},
            {"Monday", utc(2026, 1, 26), utc(2026, 1, 27) - 1},
            {"thurs", utc(2026, 1, 29), utc(2026, 1, 30) - 1},
            {"sun", utc(2026, 1, 25), utc(2026, 1, 26) - 1},
            {"monday..today", utc(2026, 1, 26), utc(2026, 2, 1) - 1},
        });
  // now is a Saturday
  check("UTC0", now,
        {
            {"this week", utc(2026, 1, 26), utc(2026, 2, 2) - 1},
            {"last week", utc(2026, 1, 19), utc(2026, 1, 26) - 1},
            {"Last-Week", utc(2026, 1, 19), utc(2026, 1, 26) - 1},
            {"this month", utc(2026, 1, 1), utc(2026, 2, 1) - 1},
            {"last month", utc(2025, 12, 1), utc(2026, 1, 1) - 1},
            {"this year", utc(2026, 1, 1), utc(2027, 1, 1) - 1},
            {"last year", utc(2025, 1, 1), utc(2026, 1, 1) - 1},
            {"<this week", min, utc(2026, 1, 26) - 1},
            {">last year", utc(2026, 1, 1), max},
            {"last week..this week", utc(2026, 1, 19), utc(2026, 2, 2) - 1},
        });
  // On Sundays and Mondays, and at the end of March.
  check("UTC0", utc(2026, 2, 1, 12), {{"this week", utc(2026, 1, 26), utc(2026, 2, 2) - 1}});
  check("UTC0", utc(2026, 2, 2, 0), {{"this week", utc(2026, 2, 2), utc(2026, 2, 9) - 1}});
  check("UTC0", utc(2024, 3, 31, 12), {{"last month", utc(2024, 2, 1), utc(2024, 3, 1) - 1}});
  check(berlin, utc(2026, 3, 29, 12),
        {{"this week", utc(2026, 3, 22, 23), utc(2026, 3, 29, 22) - 1}});  // an hour short
  // Just past midnight in Kolkata it is still the day before in UTC.
  check(kolkata, utc(2026, 1, 30, 18, 30),
        {{"today", utc(2026, 1, 30, 18, 30), utc(2026, 1, 31, 18, 30) - 1}});
}

TEST_CASE("A date is its whole span") {
  const Nanoseconds noon = utc(2026, 1, 31, 12);
  check("UTC0", now,
        {
            {"2026", utc(2026, 1, 1), utc(2027, 1, 1) - 1},
            {"2026-01", utc(2026, 1, 1), utc(2026, 2, 1) - 1},
            {"2026-12", utc(2026, 12, 1), utc(2027, 1, 1) - 1},
            {"2026-02", utc(2026, 2, 1), utc(2026, 3, 1) - 1},
            {"2024-02-29", utc(2024, 2, 29), utc(2024, 3, 1) - 1},
            {"2026-01-31", utc(2026, 1, 31), utc(2026, 2, 1) - 1},
            {"2026-01-31T12", noon, noon + hour - 1},
            {"2026-01-31T12:00", noon, noon + minute - 1},
            {"2026-01-31 12:00:05", noon + 5 * second, noon + 6 * second - 1},
            {"2026-01-31t12:00:05", noon + 5 * second, noon + 6 * second - 1},
            {"2026-01-31T12:00:05.25", now, now},
            {"2026-01-31T12:00:05,250000000", now, now},
            {"2026-01-31T12:00:05.2500000009", now, now},
            {"1969-12-31T23:59:59.999999999", -1, -1},
            {"1970-01-01", 0, day - 1},
            {"=2026-01-31", utc(2026, 1, 31), utc(2026, 2, 1) - 1},
        });
}

TEST_CASE("Before and after a date") {
  check("UTC0", now,
        {
            {">2026-01-31", utc(2026, 2, 1), max},
            {"+2026-01-31", utc(2026, 2, 1), max},
            {"<2026-01-31", min, utc(2026, 1, 31) - 1},
            {"-2026-01-31", min, utc(2026, 1, 31) - 1},
            {">=2026-01", utc(2026, 1, 1), max},
            {"<=2026-01", min, utc(2026, 2, 1) - 1},
            {"2026-01..2026-03", utc(2026, 1, 1), utc(2026, 4, 1) - 1},
            {"2026-01 .. 2026-03", utc(2026, 1, 1), utc(2026, 4, 1) - 1},
            {"2025..2025", utc(2025, 1, 1), utc(2026, 1, 1) - 1},
            {"2026-01-15..2026-01", utc(2026, 1, 15), utc(2026, 2, 1) - 1},
            {"2026..", utc(2026, 1, 1), max},
            {"..2026", min, utc(2027, 1, 1) - 1},
            {"@5..2026-01-01 12:00:05.5", 5 * second, utc(2026, 1, 1, 12, 0, 5) + second / 2},
        });
}

TEST_CASE("A time zone overrides the local one") {
  const Nanoseconds noon = utc(2026, 1, 31, 12);
  check(berlin, now,
        {
            {"2026-01-31T12:00:00", noon - hour, noon - hour + second - 1},
            {"2026-01-31T12:00:00Z", noon, noon + second - 1},
            {"2026-01-31T12:00:00z", noon, noon + second - 1},
            {"2026-01-31T12:00:00+02:00", noon - 2 * hour, noon - 2 * hour + second - 1},
            {"2026-01-31T12:00:00-0530", noon + 11 * hour / 2, noon + 11 * hour / 2 + second - 1},
            {"2026-01-31 12:00:00 +0200", noon - 2 * hour, noon - 2 * hour + second - 1},
            {"2026-01-31T12:00:00.5Z", noon + second / 2, noon + second / 2},
            {"2026-01-31T12:00+02", noon - 2 * hour, noon - 2 * hour + minute - 1},
            {"2026-07-31T12Z", utc(2026, 7, 31, 12), utc(2026, 7, 31, 13) - 1},
        });
}

TEST_CASE("Seconds since 1970") {
  check(berlin, now,
        {
            {"@0", 0, second - 1},
            {"@1769860805", now - second / 4, now + 3 * second / 4 - 1},
            {"@1769860805.25", now, now},
            {"@-1", -second, -1},
            {"@-1.5", -3 * second / 2, -3 * second / 2},
            {"@-0.000000001", -1, -1},
            {">=@9223372036", 9223372036 * second, max},
            {">@0", second, max},
            {"@1..@2", second, 3 * second - 1},
        });
}

TEST_CASE("Dates reach as far as they can be written") {
  const auto check_instants = [](std::string_view text, Instant first, Instant last) {
    const Zone zone("UTC0");
    CAPTURE(text);
    const TimeRange range = parse_time_range(text, Clock{after_1970(now)}, source);
    CHECK(range.first == first);
    CHECK(range.last == last);
  };
  constexpr Instant beginning = std::numeric_limits<Instant>::min();
  constexpr Instant end = std::numeric_limits<Instant>::max();
  check_instants("2300", {10'413'792'000}, {10'445'327'999, 999'999'999});
  check_instants(">2300", {10'445'328'000}, end);
  check_instants("<1600", beginning, {-11'676'096'001, 999'999'999});
  check_instants("1600..1600-01-01", {-11'676'096'000}, {-11'676'009'601, 999'999'999});
  check_instants("0000..9999", {-62'167'219'200}, {253'402'300'799, 999'999'999});
  check_instants("2262-04-11T23:47:16.854775808Z", {9'223'372'036, 854'775'808},
                 {9'223'372'036, 854'775'808});
  check_instants("10000y", {-313'799'659'195, 250'000'000}, end);
  check_instants("@-9223372037", {-9'223'372'037}, {-9'223'372'037, 999'999'999});
  check_instants(">=@9223372036854775807.5", {INT64_MAX, 500'000'000}, end);
  check_instants("<@-9223372036854775807", beginning, {INT64_MIN, 999'999'999});
}

TEST_CASE("Days are as long as the clock on the wall makes them") {
  check(berlin, now,
        {
            {"2026-03-29", utc(2026, 3, 28, 23), utc(2026, 3, 29, 22) - 1},    // 23 hours
            {"2026-10-25", utc(2026, 10, 24, 22), utc(2026, 10, 25, 23) - 1},  // 25 hours
            {"2026-07", utc(2026, 6, 30, 22), utc(2026, 7, 31, 22) - 1},
            {"2026", utc(2025, 12, 31, 23), utc(2026, 12, 31, 23) - 1},
        });
  check(sao_paulo, now,
        {
            {"2018-11-03", utc(2018, 11, 3, 3), utc(2018, 11, 4, 3) - 1},
            {"2018-11-04", utc(2018, 11, 4, 3), utc(2018, 11, 5, 2) - 1},  // begins at 01:00
            {"2018-02-17", utc(2018, 2, 17, 2), utc(2018, 2, 18, 3) - 1},  // 23:00 comes twice
            {"2018-02-18", utc(2018, 2, 18, 3), utc(2018, 2, 19, 3) - 1},
            {"2018-11", utc(2018, 11, 1, 3), utc(2018, 12, 1, 2) - 1},
            {">2018-11-03", utc(2018, 11, 4, 3), max},
            {"<2018-11-04", min, utc(2018, 11, 4, 3) - 1},
        });
  check(beirut, now, {{"2026-03-29", utc(2026, 3, 28, 22), utc(2026, 3, 29, 21) - 1}});
  check(azores, now, {{"2026-10-25", utc(2026, 10, 25, 0), utc(2026, 10, 26, 1) - 1}});
  check(sao_paulo, utc(2018, 11, 4, 12),
        {{"today", utc(2018, 11, 4, 3), utc(2018, 11, 5, 2) - 1},
         {"yesterday", utc(2018, 11, 3, 3), utc(2018, 11, 4, 3) - 1}});
}

TEST_CASE("A day whose end comes once more after midnight reaches to the second") {
  const Nanoseconds end = utc(2009, 11, 1, 3, 30);  // the second midnight; the first was 02:30
  check(st_johns, now,
        {
            {"2009-10-31", utc(2009, 10, 31, 2, 30), end - 1},
            {"2009-10-31T23", utc(2009, 11, 1, 1, 30), end - 1},
            {"2009-10", utc(2009, 10, 1, 2, 30), end - 1},
            {">2009-10-31", end, max},
            {"2009-11-01", utc(2009, 11, 1, 2, 30), utc(2009, 11, 2, 3, 30) - 1},
            {"2009-10-31..2009-10-31", utc(2009, 10, 31, 2, 30), end - 1},
        });
  check(st_johns, utc(2009, 11, 1, 12),
        {
            {"yesterday", utc(2009, 10, 31, 2, 30), end - 1},
            {"last month", utc(2009, 10, 1, 2, 30), end - 1},
        });
}

TEST_CASE("Local times that come twice reach from the first to the second") {
  check(berlin, now,
        {
            {"2026-10-25T02", utc(2026, 10, 25, 0), utc(2026, 10, 25, 2) - 1},
            {"2026-10-25T01", utc(2026, 10, 24, 23), utc(2026, 10, 25, 0) - 1},
            {"2026-10-25T02:30", utc(2026, 10, 25, 0, 30), utc(2026, 10, 25, 1, 31) - 1},
            {"2026-10-25T02:59", utc(2026, 10, 25, 0, 59), utc(2026, 10, 25, 2) - 1},
            {"2026-10-25T02:59:59", utc(2026, 10, 25, 0, 59, 59), utc(2026, 10, 25, 2) - 1},
            {"2026-10-25T02:00:00.5", utc(2026, 10, 25, 0) + second / 2,
             utc(2026, 10, 25, 1) + second / 2},
            {">2026-10-25T02:30", utc(2026, 10, 25, 1, 31), max},
            {"<2026-10-25T02:30", min, utc(2026, 10, 25, 0, 30) - 1},
            {"2026-10-25T01:59", utc(2026, 10, 24, 23, 59), utc(2026, 10, 25, 0) - 1},
            {"2026-10-25T03", utc(2026, 10, 25, 2), utc(2026, 10, 25, 3) - 1},
            {"2026-10-25T02:30+01:00", utc(2026, 10, 25, 1, 30), utc(2026, 10, 25, 1, 31) - 1},
        });
  // 02:00 +11 becomes 01:30 +10:30, so this hour has ninety minutes.
  check(lord_howe, now, {{"2026-04-05T01", utc(2026, 4, 4, 14), utc(2026, 4, 4, 15, 30) - 1}});
}

TEST_CASE("Local times that never come lie at the jump") {
  const Nanoseconds jump = utc(2026, 3, 29, 1);
  check(berlin, now,
        {
            {">2026-03-29T02:30", jump, max},
            {"<2026-03-29T02:30", min, jump - 1},
            {"2026-03-29T01..2026-03-29T02", utc(2026, 3, 29, 0), jump - 1},
            {"2026-03-29T02..2026-03-29T03", jump, utc(2026, 3, 29, 2) - 1},
        });
}

TEST_CASE("Errors of times point at the place") {
  struct Bad {
    std::string_view text;
    std::string_view what;
    std::size_t column;
  };
  const std::vector<Bad> rows = {
      {"", "a value is missing", 0},
      {"7", "a unit is missing, as in 7d", 1},
      {"12345", "a unit is missing", 5},
      {"7x", "unknown unit of time 'x'", 1},
      {"7M", "unknown unit of time 'M'", 1},
      {"2h30", "a unit is missing", 4},
      {"2h30m5q", "unknown unit of time 'q'", 6},
      {"1.5h", "a duration has no decimals", 1},
      {"31/01/2026", "dates are written 2026-01-31", 0},
      {"31.01.2026", "dates are written 2026-01-31", 0},
      {"2026-W05", "write a week as its days: 2026-01-26..2026-02-01", 5},
      {"2026-Jan-31", "dates are written 2026-01-31", 5},
      {"after today", "write > for after, >= for since and < for before, as in >yesterday", 0},
      {"Jan 31 2026", "'31 2026' is unexpected after 'Jan'; dates are written 2026-01-31", 4},
      {"yestrday", "unknown time 'yestrday'; did you mean 'yesterday'?", 0},
      {"7d x", "'x' is not a number", 3},
      {"10001y", "this is longer than 10,000 years", 0},
      {"1d99999999999d", "this is longer than 10,000 years", 2},
      {"99999999999999999999d", "this number is too large", 0},
      {"=7d", "exactly this duration would be one nanosecond", 1},
      {"noon", "unknown time 'noon'", 0},
      {"mo", "unknown time 'mo'", 0},
      {"last", "unknown time 'last'", 0},
      {"last day", "unknown time 'last day'", 0},
      {"lastweek", "unknown time 'lastweek'", 0},
      {"this week x", "'x' is unexpected after 'this week'", 10},
      {"mondays", "unknown time 'mondays'", 0},
      {"today 12:00", "'12:00' is unexpected after 'today'", 6},
      {"26-01-31", "a year has four digits", 0},
      {"20260-01", "a year has four digits", 0},
      {"2026-13", "a month goes up to 12", 5},
      {"2026-00", "a month is 01 to 12", 5},
      {"2026-1", "a month has two digits", 5},
      {"2026-", "a month has two digits", 5},
      {"2026-02-30", "2026-02 has no day 30", 8},
      {"2025-02-29", "2025-02 has no day 29", 8},
      {"2026-01-00", "2026-01 has no day 00", 8},
      {"2026-01-32", "a day goes up to 31", 8},
      {"2026/01/31", "dates are written 2026-01-31", 0},
      {"2026-01-31T", "an hour has two digits", 11},
      {"2026-01-31T25:00", "an hour goes up to 23", 11},
      {"2026-01-31T24:00", "an hour goes up to 23", 11},
      {"2026-01-31T12:60", "a minute goes up to 59", 14},
      {"2026-01-31T12:00:60", "a second goes up to 59", 17},
      {"2026-01-31T12:00:05.", "digits are missing", 20},
      {"2026-01-31T12:00:05+2", "a time zone is written", 20},
      {"2026-01-31T12:00:05+24:00", "no time zone is that far from UTC", 20},
      {"2026-01-31T12:00:05 CET", "'CET' is unexpected in a date", 20},
      {"2026-01-31 +02:00", "'+02:00' is unexpected in a date", 11},
      {"2026-01..2026-13", "a month goes up to 12", 14},
      {"2026-03..2026-01", "this is earlier than the first end", 9},
      {"2026-02..2026-01", "this is earlier than the first end", 9},
      {"7d..2026-01-01", "this is earlier than the first end", 4},
      {"today..7d", "this is earlier than the first end", 7},
      {"@", "a number is missing", 1},
      {"@x", "'x' is not a number", 1},
      {"@1.", "digits are missing", 3},
      {"@1x", "'x' is unexpected after", 2},
      {"@9223372036854775808", "this number is too large", 1},
      {"@-9223372036854775808.5", "this number is too large", 1},
  };
  const Zone zone("UTC0");
  for (const Bad& bad : rows) {
    CAPTURE(bad.text);
    std::string message;
    try {
      parse_time_range(bad.text, Clock{after_1970(now)}, source);
    } catch (const UsageError& error) {
      message = error.what();
    }
    CAPTURE(message);
    CHECK(message.rfind("--modified: " + std::string(bad.what), 0) == 0);
    const bool shown = message.find("'" + std::string(bad.text) + "'") == std::string::npos;
    CHECK((message.find("\n  " + std::string(bad.column, ' ') + "^\n") != std::string::npos) ==
          (shown && !bad.text.empty()));
  }
}

TEST_CASE("A time that the clocks left out is told, not searched for") {
  const Zone zone(berlin);
  for (const std::string_view text :
       {"2026-03-29T02", "2026-03-29T02:30", "=2026-03-29T02:30:05", "2026-03-29T02:30:00.5"}) {
    CAPTURE(text);
    CHECK_THROWS_WITH(parse_time_range(text, Clock{after_1970(now)}, source),
                      Catch::Matchers::ContainsSubstring("skipped when the clocks went forward"));
  }
}

}  // namespace date_test
