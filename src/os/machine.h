// SPDX-License-Identifier: MIT
// The machine and this process on it: processors, clocks, limits, memory, the environment and the
// accounts. Part of the seam to the operating system.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "ffind/entry.h"

namespace ffind::os {

unsigned processors();  ///< that this process may run on, at least 1

/// Processors of the fastest kind (Apple's performance cores); 0 if there is one kind only.
unsigned fast_processors();

/// Yields to the core's other hardware thread in a spin loop; takes a few to a hundred cycles.
void spin_pause();

std::size_t descriptor_limit();  ///< descriptors that may be open at once

/// Raises that limit, to `wanted` or, without it, to twice as many; to less if no more is allowed.
/// Returns the increase, 0 if it is forbidden. Commands still get `given_descriptor_limit()`:
/// select(2) is limited to 1024.
std::size_t raise_descriptor_limit(std::size_t wanted = 0);
/// Raises it at the start of the process, on a system whose usual limit is too low for a search.
void raise_low_descriptor_limit();
std::size_t given_descriptor_limit();  ///< the limit before it was raised

std::string host_name();  ///< empty if there is none

/// Value of a variable of the environment; nullopt if it is not set.
std::optional<std::string> environment(const std::string& name);

/// User and group look-ups; each name and number is looked up once.
std::unique_ptr<Accounts> accounts();

Nanoseconds monotonic_now();  ///< for durations
/// The same with a precision of some milliseconds, five times as fast.
Nanoseconds monotonic_coarse_now();
Nanoseconds thread_running_time();  ///< on a processor
Instant wall_now();
/// Amount that this process has read from devices, in any unit.
std::uint64_t device_reads();
std::uint64_t peak_memory();  ///< largest resident set so far, in bytes

}  // namespace ffind::os
