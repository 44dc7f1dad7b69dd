// SPDX-License-Identifier: MIT
// <time.h> with Darwin's names of clocks, on those of Linux that come nearest. clock_gettime is the
// simulated kernel's.
#define clock_gettime ffind_linux_clock_gettime
#include_next <time.h>
#undef clock_gettime

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
int clock_gettime(clockid_t clock, struct timespec* now) DARWIN_CALL(clock_gettime);
unsigned long long clock_gettime_nsec_np(clockid_t clock) DARWIN_CALL(clock_gettime_nsec_np);
#ifdef __cplusplus
}
#endif
#endif
