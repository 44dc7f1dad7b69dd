// SPDX-License-Identifier: MIT
// The machine and this process on it: processors, clocks, limits, memory, the environment and the
// accounts. Part of the seam to the operating system.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "ffind/accounts.h"
#include "ffind/entry.h"

namespace ffind::os {

/// Processors this process may run on, at least 1.
unsigned processors();

/// Lets the processor's other thread run while this one spins; a few cycles to a hundred.
void spin_pause();

/// Descriptors this process may have open at once.
std::size_t descriptor_limit();

/// Has the system allow it more, up to as many again; returns how many, 0 if that is forbidden.
/// Commands get `given_descriptor_limit()` all the same: select(2) ends at 1024.
std::size_t raise_descriptor_limit();
/// What it was before.
std::size_t given_descriptor_limit();

/// What this machine calls itself; empty where it cannot say.
std::string host_name();

/// Value of a variable of the environment; nullopt if it is not set.
std::optional<std::string> environment(const std::string& name);

/// The accounts of this system; each is looked up once.
std::unique_ptr<Accounts> accounts();

/// Monotonic clock in nanoseconds, for durations.
Nanoseconds monotonic_now();
/// The same, precise to some milliseconds and five times as fast.
Nanoseconds monotonic_coarse_now();
/// How long this thread has run on a processor.
Nanoseconds thread_running_time();
/// Wall clock.
Nanoseconds wall_now();
/// How much this process has read from devices so far, in any unit; what was in memory is not
/// counted, nor what servers sent.
std::uint64_t device_reads();
/// Largest resident set so far, in bytes.
std::uint64_t peak_memory();

}  // namespace ffind::os
