// SPDX-License-Identifier: MIT
// The sum of a thread's times. See stall_meter.h.
#include "search/stall_meter.h"

#include <algorithm>
#include <utility>

namespace ffind::search {
namespace {

/// One part in so many is worth a second look.
constexpr int noticeable = 8;

}  // namespace

WorkTimes StallMeter::take(Nanoseconds elsewhere) {
  looked_ = true;
  const Nanoseconds now = os::monotonic_now();
  const Nanoseconds running = os::thread_running_time();
  WorkTimes times;
  times.at_work =
      now - std::exchange(began_, now) - (elsewhere - std::exchange(elsewhere_, elsewhere));
  times.at_work = std::max<Nanoseconds>(times.at_work, 0);
  times.stalled = times.at_work - (running - std::exchange(running_, running));
  // On a busy machine a thread that is ready to run waits, too. What it waited before is counted
  // here as well if nobody asked then: once, and on the safe side.
  if (noticeable * times.stalled >= times.at_work) {
    if (const auto waits = file_system_.thread_waits()) {
      times.stalled -= waits->ready - waits_.ready;
      times.device_reads = waits->device_reads - waits_.device_reads;
      waits_ = *waits;
    } else {
      times.stalled = 0;
    }
  }
  times.stalled = std::clamp<Nanoseconds>(times.stalled, 0, times.at_work);
  const bool stalls = noticeable * times.stalled >= times.at_work;
  patience_ = stalls ? 1 : std::min(2 * patience_, most_patience);
  return times;
}

}  // namespace ffind::search
