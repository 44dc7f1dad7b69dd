// SPDX-License-Identifier: MIT
// <time.h> with Darwin's names of clocks, on those of Linux that come nearest.
#include_next <time.h>

#ifndef CLOCK_UPTIME_RAW
#define CLOCK_MONOTONIC_RAW_APPROX CLOCK_MONOTONIC_COARSE
#define CLOCK_UPTIME_RAW CLOCK_MONOTONIC
#define CLOCK_UPTIME_RAW_APPROX CLOCK_MONOTONIC_COARSE
#endif

#ifndef DARWIN_CLOCK_CALLS
#define DARWIN_CLOCK_CALLS
#include "darwin_call.h"
#ifdef __cplusplus
extern "C" {
#endif
unsigned long long clock_gettime_nsec_np(clockid_t clock) DARWIN_CALL(clock_gettime_nsec_np);
#ifdef __cplusplus
}
#endif
#endif
