// SPDX-License-Identifier: MIT
// Times of the system at the ends of int64 nanoseconds.
#include "os/formats/endian.h"

#include "catch.h"

namespace nanoseconds_test {

using namespace ffind;
using Limits = std::numeric_limits<std::int64_t>;

TEST_CASE(
    "times of the system are exact in the first and the last second that fit, clamped beyond") {
  const std::int64_t max = Limits::max();
  const std::int64_t min = Limits::min();
  CHECK(os::nanoseconds(0, 5) == 5);
  CHECK(os::nanoseconds(-1, 5) == -999'999'995);
  CHECK(os::nanoseconds(9'223'372'036, 0) == max - 854'775'807);
  CHECK(os::nanoseconds(9'223'372'036, 854'775'806) == max - 1);
  CHECK(os::nanoseconds(9'223'372'036, 854'775'807) == max);
  CHECK(os::nanoseconds(9'223'372'036, 854'775'808) == max);
  CHECK(os::nanoseconds(9'223'372'037, 0) == max);
  CHECK(os::nanoseconds(max, 999'999'999) == max);
  CHECK(os::nanoseconds(-9'223'372'036, 0) == min + 854'775'808);
  CHECK(os::nanoseconds(-9'223'372'037, 999'999'999) == min + 854'775'807);
  CHECK(os::nanoseconds(-9'223'372'037, 145'224'193) == min + 1);
  CHECK(os::nanoseconds(-9'223'372'037, 145'224'192) == min);
  CHECK(os::nanoseconds(-9'223'372'037, 145'224'191) == min);
  CHECK(os::nanoseconds(-9'223'372'038, 999'999'999) == min);
  CHECK(os::nanoseconds(min, 0) == min);
  CHECK(os::nanoseconds(7, -1) == 7'000'000'000);
  CHECK(os::nanoseconds(7, 1'000'000'000) == 7'000'000'000);
}

}  // namespace nanoseconds_test
