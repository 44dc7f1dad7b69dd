// SPDX-License-Identifier: MIT
// Dates of find's -newerXt. The instants are those of date(1) of coreutils 9.1, which has the same
// parser, in CET-1CEST,M3.5.0,M10.5.0/3.
#include <cstdlib>
#include <ctime>
#include <optional>
#include <string>

#include "catch.h"
#include "foreign/find_line.h"

namespace find_dates_test {

using namespace ffind;
using foreign::date_of;

constexpr Instant now{1700000000, 5};

/// Sets TZ while it lives.
class Berlin {
 public:
  Berlin() {
    if (const char* const before = std::getenv("TZ")) before_ = before;
    set("CET-1CEST,M3.5.0,M10.5.0/3");
  }
  ~Berlin() { set(before_ ? before_->c_str() : nullptr); }
  Berlin(const Berlin&) = delete;
  Berlin& operator=(const Berlin&) = delete;

 private:
  static void set(const char* zone) {
    zone == nullptr ? unsetenv("TZ") : setenv("TZ", zone, 1);
    tzset();
  }
  std::optional<std::string> before_;
};

TEST_CASE("find dates: what people write is read as date(1) reads it") {
  const Berlin zone;
  struct Row {
    const char* text;
    Instant instant;
  };
  const Row rows[] = {
      {"@1700000000.25", {1700000000, 250000000}},
      {"@-1.5", {-2, 500000000}},
      {"Jan 1 2024", {1704063600, 0}},
      {"1 Jan 2024", {1704063600, 0}},
      {"January 1, 2024", {1704063600, 0}},
      {"17-JUN-1992", {708732000, 0}},
      {"jun-17-92", {708732000, 0}},
      {"2024/01/31", {1706655600, 0}},
      {"01/31/2024", {1706655600, 0}},
      {"1/31/69", {-28947600, 0}},
      {"20240131", {1706655600, 0}},
      {"2024-01-31T10:00:00.5Z", {1706695200, 500000000}},
      {"2024-02-29 23:59:59,123456789 +0530", {1709231399, 123456789}},
      {"Mon, 01 Jan 2024 10:00:00 +0000", {1704103200, 0}},
      {"Fri Nov 27 23:46:42 UTC 2026", {1795823202, 0}},
      {"Fri Nov 27 11:46:42 PM CET 2026", {1795819602, 0}},
      {"2024-03-31 02:30 UTC", {1711852200, 0}},
      {"2024-10-27 02:30 CEST", {1729989000, 0}},
      {"2024-10-27 02:30 CET", {1729992600, 0}},
      {"10:00 2024-05-05", {1714896000, 0}},
      {"12am 2024-05-05", {1714860000, 0}},
      {"2024-05-05 3:04:05.6 p.m. EST", {1714939445, 600000000}},
      {"2024-05-05 EST DST", {1714881600, 0}},
      {"2024-05-05 GMT+3", {1714856400, 0}},
      {"20240131 1 month", {1709334000, 0}},
      {"2024-01-31 -1 month 12:00", {1704020400, 0}},
      {"2024-01-31 (of a year) 2 weeks ago", {1705446000, 0}},
      {"2024-02-29 next year", {1740783600, 0}},
      {"sept 5 2023 third monday", {1693864800, 0}},
      {"Jan 1 10:00 2024", {1704099600, 0}},
      {"2024-01-01 00:00 - 1.5 sec", {1704063598, 500000000}},
      {"1 1/1/2024", {1704067200, 0}},
      {"9999-12-31", {253402210800, 0}},
  };
  for (const Row& row : rows) {
    INFO(row.text);
    const auto read = date_of(row.text, now);
    REQUIRE(read);
    CHECK(read->seconds == row.instant.seconds);
    CHECK(read->nanoseconds == row.instant.nanoseconds);
  }
}

TEST_CASE("find dates: steps and times without a date are counted from now") {
  const Berlin zone;
  CHECK(date_of("now", now) == now);
  CHECK(date_of("a day ago", now) == Instant{1700000000 - 86400, 5});
  CHECK(date_of("2 hours ago 1.5 sec", now)->nanoseconds == 500000005);
  CHECK(date_of("", now) == Instant{1699916400, 0});
  CHECK(date_of("yesterday 12:00", now) == Instant{1699873200, 0});
  CHECK(date_of("tuesday", now) == Instant{1699916400, 0});
  CHECK(date_of("next tuesday", now) == Instant{1700521200, 0});
  CHECK(date_of("last monday", now) == Instant{1699830000, 0});
}

TEST_CASE("find dates: what has no meaning is refused") {
  const Berlin zone;
  for (const char* const text :
       {"nonsense", "2024-02-30", "2024-03-31 02:30", "25:00", "10:60", "13pm",
        "2024-01-31 2024-01-31", "10:00 11:00", "@", "@5 days", "J", "2024-01-01T10",
        "2024-01-01 +0200", "1.5 days", "10:00 +99", "2024-13-01", "2024-01-01 T"}) {
    INFO(text);
    CHECK_FALSE(date_of(text, now));
  }
}

}  // namespace find_dates_test
