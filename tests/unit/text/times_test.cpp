// SPDX-License-Identifier: MIT
// Times as text, in UTC and in local zones, across every change of their clocks.
#include "text/times.h"
#include "fakes/instants.h"

#include <cstdlib>
#include <ctime>
#include <limits>
#include <optional>
#include <string>

#include "catch.h"

namespace times_test {

using namespace ffind;
using namespace ffind::text;

namespace {

constexpr Nanoseconds second = 1'000'000'000;

/// The local zone is another one as long as this lives.
class Zone {
 public:
  explicit Zone(const char* name) {
    if (const char* const before = std::getenv("TZ")) before_ = before;
    set(name);
  }
  ~Zone() { set(before_ ? before_->c_str() : nullptr); }
  Zone(const Zone&) = delete;
  Zone& operator=(const Zone&) = delete;

 private:
  static void set(const char* name) {
    if (name != nullptr) {
      ::setenv("TZ", name, 1);
    } else {
      ::unsetenv("TZ");
    }
    ::tzset();
  }
  std::optional<std::string> before_;
};

std::string rfc3339(Nanoseconds time) {
  std::string out;
  append_rfc3339(out, after_1970(time));
  return out;
}

std::string local(std::int64_t seconds, LocalZone& zone) {
  std::string out;
  append_local_time(out, {seconds}, zone);
  return out;
}

std::string local(std::int64_t seconds) {
  LocalZone zone;
  return local(seconds, zone);
}

std::string epoch(Nanoseconds time) {
  std::string out;
  append_epoch(out, after_1970(time));
  return out;
}

std::string formatted(std::string_view format, Nanoseconds time) {
  std::string out = "<";
  TimeFormat(format).append(out, after_1970(time));
  return out.substr(1);
}

}  // namespace

TEST_CASE("RFC 3339 has nanoseconds, before 1970 too") {
  CHECK(rfc3339(0) == "1970-01-01T00:00:00.000000000Z");
  CHECK(rfc3339(-1) == "1969-12-31T23:59:59.999999999Z");
  CHECK(rfc3339(951'827'696'000'000'001) == "2000-02-29T12:34:56.000000001Z");
  CHECK(rfc3339(std::numeric_limits<Nanoseconds>::max()) == "2262-04-11T23:47:16.854775807Z");
  CHECK(rfc3339(std::numeric_limits<Nanoseconds>::min()) == "1677-09-21T00:12:43.145224192Z");
}

TEST_CASE("seconds since 1970 read as a number") {
  CHECK(epoch(0) == "0.000000000");
  CHECK(epoch(1'500'000'000) == "1.500000000");
  CHECK(epoch(-500'000'000) == "-0.500000000");
  CHECK(epoch(std::numeric_limits<Nanoseconds>::min()) == "-9223372036.854775808");
}

TEST_CASE("local times have what their zone is off UTC") {
  const Zone zone("CET-1CEST,M3.5.0,M10.5.0/3");
  CHECK(local(1'769'860'800) == "2026-01-31T13:00:00+01:00");
  CHECK(local(1'785'499'200) == "2026-07-31T14:00:00+02:00");
  const Zone west("<-0330>3:30");
  CHECK(local(0) == "1969-12-31T20:30:00-03:30");
}

TEST_CASE("on the day on which clocks change each second has its own offset") {
  const Zone zone("CET-1CEST,M3.5.0,M10.5.0/3");
  LocalZone cached;
  // 2026-03-29 01:00 UTC and 2026-10-25 01:00 UTC; asked in both orders, from the same cache.
  for (int round = 0; round < 2; ++round) {
    CHECK(local(1'774'746'000 - 1, cached) == "2026-03-29T01:59:59+01:00");
    CHECK(local(1'774'746'000, cached) == "2026-03-29T03:00:00+02:00");
    CHECK(local(1'792'890'000, cached) == "2026-10-25T02:00:00+01:00");
    CHECK(local(1'792'890'000 - 1, cached) == "2026-10-25T02:59:59+02:00");
  }
}

TEST_CASE("what is kept of the zone is what the C library says, whatever is asked in between") {
  const char* const name = GENERATE(values<const char*>(
      {"UTC0", "CET-1CEST,M3.5.0,M10.5.0/3", "EST5EDT,M3.2.0,M11.1.0",
       "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", "<-01>1<+00>,M3.5.0/0,M10.5.0/1"}));
  INFO(name);
  const Zone zone(name);
  LocalZone cached;
  // 53 hours and some: days of all seasons, often several years that share a place in the cache.
  for (std::int64_t seconds = -2'000'000'000; seconds < 4'000'000'000; seconds += 191'234) {
    const auto moment = static_cast<std::time_t>(seconds);
    std::tm parts{};
    REQUIRE(localtime_r(&moment, &parts) != nullptr);
    char expected[64];
    std::strftime(expected, sizeof expected, "%Y-%m-%dT%H:%M:%S", &parts);
    REQUIRE(local(seconds, cached).substr(0, 19) == expected);
  }
}

TEST_CASE("a long listing has minutes") {
  const Zone zone("CET-1CEST,M3.5.0,M10.5.0/3");
  LocalZone cached;
  std::string out;
  append_local_minute(out, {1'785'499'259, 999'999'999}, cached);
  CHECK(out == "2026-07-31 14:00");
}

TEST_CASE("an age is in one unit, rounded down, and a date after a year") {
  const Zone zone("CET-1CEST,M3.5.0,M10.5.0/3");
  LocalZone cached;
  constexpr std::int64_t now = 1'785'499'259;
  const auto age = [&](Nanoseconds seconds) {
    std::string out;
    append_age(out, {now - seconds}, {now}, cached);
    return out;
  };
  CHECK(age(0) == "0 s ago");
  CHECK(age(59) == "59 s ago");
  CHECK(age(3599) == "59 min ago");
  CHECK(age(3600) == "1 h ago");
  CHECK(age(86400 - 1) == "23 h ago");
  CHECK(age(30 * 86400) == "30 d ago");
  CHECK(age(31 * 86400) == "1 mo ago");
  CHECK(age(365 * 86400 - 1) == "11 mo ago");
  CHECK(age(365 * 86400) == "2025-07-31");
  CHECK(age(-1) == "2026-07-31");
}

TEST_CASE("a format of a time is strftime's, with nanoseconds") {
  const Zone zone("CET-1CEST,M3.5.0,M10.5.0/3");
  const Nanoseconds time = 1'785'499'259 * second + 42;
  CHECK(formatted("%Y-%m-%d %H:%M:%S.%f %Z %%", time) == "2026-07-31 14:00:59.000000042 CEST %");
  CHECK(formatted("", time).empty());
  CHECK(formatted("%f%f", time) == "000000042000000042");
  CHECK(formatted("%%f", time) == "%f");
  CHECK(formatted("%k|%l|%-l|%P", time) == "14| 2|2|pm");
  CHECK(formatted("%S.%f", -1) == "59.999999999");
  CHECK(formatted(std::string(5000, 'x') + "%y", time) == std::string(5000, 'x') + "26");
}

TEST_CASE("an instant moves over the second, and stops at the ends") {
  using Limits = std::numeric_limits<Instant>;
  CHECK(moved({5, 1}, -7) == Instant{-2, 1});
  CHECK(moved({0, 999'999'999}, 0, 1) == Instant{1});
  CHECK(moved({0, 1}, 1, -3'000'000'002) == Instant{-3, 999'999'999});
  CHECK(nanosecond_before({}) == Instant{-1, 999'999'999});
  CHECK(nanosecond_after(Limits::max()) == Limits::max());
  CHECK(nanosecond_before(Limits::min()) == Limits::min());
  CHECK(moved({1}, INT64_MAX) == Limits::max());
  CHECK(moved({-2}, INT64_MIN) == Limits::min());
}

TEST_CASE("what strftime does not know is found") {
  constexpr std::size_t none = std::string_view::npos;
  CHECK(TimeFormat::find_unknown("%Y-%m-%d %-d %Ey %Od %_H %%") == none);
  CHECK(TimeFormat::find_unknown("%k %-l %P %f") == none);  // musl's strftime knows none of them
  CHECK(TimeFormat::find_unknown("no letters at all") == none);
  CHECK(TimeFormat::find_unknown("%Y %Q") == 3);
  CHECK(TimeFormat::find_unknown("%") == 0);
  CHECK(TimeFormat::find_unknown("%F%+") == 2);
  CHECK(TimeFormat::find_unknown("ab%-") == 2);
  CHECK(TimeFormat::find_unknown("%5Y") == 0);
  CHECK(TimeFormat::find_unknown(std::string_view("a\0b", 3)) == 1);
}

}  // namespace times_test
