// SPDX-License-Identifier: MIT
// When progress is told, by a clock that the test sets.
#include "output/progress_reporter.h"

#include <vector>

#include "catch.h"

namespace schedule_test {

using namespace ffind;
using namespace ffind::output;

namespace {

constexpr Nanoseconds millisecond = 1'000'000;

/// When it was told within so many milliseconds, by somebody who sleeps as long as he may.
std::vector<Nanoseconds> told_within(ProgressForm form, Nanoseconds milliseconds) {
  ReportSchedule schedule(form);
  std::vector<Nanoseconds> told;
  Nanoseconds now = 0;
  while (true) {
    const auto rest = schedule.rest(now);
    if (!rest || now + *rest > milliseconds * millisecond) return told;
    now += *rest;
    REQUIRE(schedule.is_due(now));
    told.push_back(now / millisecond);
    REQUIRE_FALSE(schedule.is_due(now));
  }
}

}  // namespace

TEST_CASE("the status line comes after a second, then ten times a second") {
  CHECK(told_within(ProgressForm::line, 999).empty());
  CHECK(told_within(ProgressForm::line, 1250) == std::vector<Nanoseconds>{1000, 1100, 1200});
}

TEST_CASE("status messages come after a second, then every ten seconds") {
  CHECK(told_within(ProgressForm::messages, 25'000) ==
        std::vector<Nanoseconds>{1000, 11'000, 21'000});
}

TEST_CASE("who is to tell nothing sleeps until somebody asks") {
  ReportSchedule schedule(ProgressForm::never);
  CHECK_FALSE(schedule.rest(0).has_value());
  CHECK_FALSE(schedule.is_due(5000 * millisecond));
}

TEST_CASE("after a long pause nothing is made up for") {
  ReportSchedule schedule(ProgressForm::line);
  CHECK(*schedule.rest(60'000 * millisecond) == 0);
  CHECK(schedule.is_due(60'000 * millisecond));
  CHECK(*schedule.rest(60'001 * millisecond) == 99 * millisecond);
}

TEST_CASE("the rate is that of the last second, and of all while that is all") {
  Rate rate;
  CHECK(rate.add(500 * millisecond, 1000) == 2000);
  CHECK(rate.add(1000 * millisecond, 1100) == 1100);
  // Since the half second, not since the beginning.
  CHECK(rate.add(1500 * millisecond, 1200) == 200);
  CHECK(rate.add(2500 * millisecond, 1200) == 0);
  CHECK(rate.add(2500 * millisecond, 1200) == 0);
}

}  // namespace schedule_test
