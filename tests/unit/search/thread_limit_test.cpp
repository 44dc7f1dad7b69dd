// SPDX-License-Identifier: MIT
// How many threads there may be, by what they did with their time.
#include "search/thread_limit.h"

#include "catch.h"

namespace thread_limit_test {

using namespace ffind;
using namespace ffind::search;

namespace {

constexpr Nanoseconds second = 1'000'000'000;

/// Every thread at work for a second.
void report(ThreadLimit& limit, double stalled, std::uint64_t device_reads = 1) {
  const Nanoseconds at_work = second * limit.threads();
  limit.report(
      {at_work, static_cast<Nanoseconds>(stalled * static_cast<double>(at_work)), device_reads});
}

void report_often(ThreadLimit& limit, double stalled, std::uint64_t device_reads = 1) {
  for (int times = 0; times < 20; ++times) report(limit, stalled, device_reads);
}

}  // namespace

TEST_CASE("a limit without room never changes") {
  ThreadLimit limit({.planned = 4, .most = 0, .busy = 4});
  CHECK_FALSE(limit.adapts());
  report_often(limit, 0.99);
  CHECK(limit.threads() == 4);
  CHECK_FALSE(limit.raised());
}

TEST_CASE("threads that wait for a device are joined by more, in a few steps") {
  ThreadLimit limit({.planned = 2, .most = 64, .busy = 2});
  report(limit, 0.98);
  CHECK(limit.threads() == 8);
  CHECK(limit.raised());
  report(limit, 0.98);
  report(limit, 0.98);
  CHECK(limit.threads() == 64);
  report_often(limit, 1);
  CHECK(limit.threads() == 64);
}

TEST_CASE("the more of their time threads need a processor, the fewer there are") {
  ThreadLimit busy({.planned = 2, .most = 64, .busy = 2});
  report_often(busy, 0.5);
  ThreadLimit waiting({.planned = 2, .most = 64, .busy = 2});
  report_often(waiting, 0.8);
  CHECK(busy.threads() > 2);
  CHECK(waiting.threads() > busy.threads());
  CHECK(waiting.threads() < 64);
}

TEST_CASE("a limit that is near its bound goes there as soon as it is wanted") {
  ThreadLimit limit({.planned = 64, .most = 160, .busy = 2, .on_device = false});
  report(limit, 0.91);
  CHECK(limit.threads() == 133);
  report_often(limit, 0.99);
  CHECK(limit.threads() == 160);
}

TEST_CASE("threads that only compete for processors stay as few as planned") {
  ThreadLimit limit({.planned = 2, .most = 64, .busy = 2});
  report_often(limit, 0);
  report_often(limit, 0.2);
  CHECK(limit.threads() == 2);
}

TEST_CASE("stalls without anything read from a device add no threads") {
  ThreadLimit limit({.planned = 2, .most = 64, .busy = 2});
  report_often(limit, 0.99, 0);
  CHECK(limit.threads() == 2);
}

TEST_CASE("threads that wait for a server are joined by more, without device reads") {
  ThreadLimit limit({.planned = 64, .most = 128, .busy = 2, .on_device = false});
  report_often(limit, 0.99, 0);
  CHECK(limit.threads() == 128);
}

TEST_CASE("a server gets no more threads than the processors can serve, and at least the planned") {
  ThreadLimit two({.planned = 64, .most = 128, .busy = 2, .on_device = false});
  report_often(two, 0.5, 0);
  CHECK(two.threads() == 64);
  ThreadLimit sixteen({.planned = 64, .most = 128, .busy = 16, .on_device = false});
  report_often(sixteen, 0.5, 0);
  CHECK(sixteen.threads() == 128);
}

TEST_CASE("threads leave again when the volume answers at once") {
  ThreadLimit limit({.planned = 2, .most = 64, .busy = 2});
  report_often(limit, 0.98);
  REQUIRE(limit.threads() == 64);
  report(limit, 0);
  CHECK(limit.threads() > 16);  // it may have been read ahead
  report_often(limit, 0);
  CHECK(limit.threads() == 2);
  CHECK_FALSE(limit.raised());
}

TEST_CASE("nothing is decided from a moment") {
  ThreadLimit limit({.planned = 2, .most = 64, .busy = 2});
  CHECK_FALSE(limit.report({500'000, 500'000, 1}));
  CHECK(limit.threads() == 2);
  CHECK(limit.report({1'500'000, 1'500'000, 1}));
  CHECK(limit.threads() == 8);
}

}  // namespace thread_limit_test
