// SPDX-License-Identifier: MIT
// The processor, its clocks, and what this process may use of the machine.
#include <sys/resource.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <ctime>

#include "os/formats/endian.h"
#include "os/machine.h"

namespace ffind::os {

void spin_pause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__) || defined(__arm__)
  __asm__ __volatile__("yield");
#endif
}

std::optional<std::string> environment(const std::string& name) {
  const char* const value = std::getenv(name.c_str());
  return value != nullptr ? std::optional<std::string>(value) : std::nullopt;
}

std::size_t descriptor_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return 256;
  return static_cast<std::size_t>(limit.rlim_cur);
}

std::size_t given_descriptor_limit() {
  static const std::size_t given = descriptor_limit();
  return given;
}

std::size_t raise_descriptor_limit() {
  given_descriptor_limit();
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= limit.rlim_max) return 0;
  const rlim_t before = limit.rlim_cur;
  limit.rlim_cur = std::min(2 * before, limit.rlim_max);
  if (::setrlimit(RLIMIT_NOFILE, &limit) != 0) return 0;
  return static_cast<std::size_t>(limit.rlim_cur - before);
}

namespace {
Nanoseconds read_clock(clockid_t clock) {
  timespec now{};
  ::clock_gettime(clock, &now);
  return nanoseconds(now.tv_sec, now.tv_nsec);
}
}  // namespace

Nanoseconds monotonic_now() {
  return read_clock(CLOCK_MONOTONIC);
}
std::uint64_t device_reads() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_inblock);
}

Nanoseconds thread_running_time() {
  return read_clock(CLOCK_THREAD_CPUTIME_ID);
}
Nanoseconds wall_now() {
  return read_clock(CLOCK_REALTIME);
}

}  // namespace ffind::os
