// SPDX-License-Identifier: MIT
// ThreadLimit decides from a decaying sum of the workers' times; StallMeter takes them from the
// clock, the thread's CPU time and the kernel's accounts of its waits.
#include "search/thread_limit.h"

#include <algorithm>
#include <utility>

namespace ffind::search {
namespace {

/// Time at work per thread that a decision needs: a millisecond is a hundred directories of a fast
/// disk, and one or two of a slow one.
constexpr Nanoseconds evidence_per_thread = 1'000'000;
/// Stalled share that is ignored: page faults, and locks inside the kernel.
constexpr double noise = 0.25;
/// Threads per processor that may need it at once: they come in bursts, and the disk must not wait
/// for them. With 2 a busy machine took 1.3 times as long (2 ms per read), with 6 as long as the
/// best fixed number.
constexpr unsigned headroom = 6;
/// Factor of one step: a single decision may be wrong by that much.
constexpr unsigned largest_step = 4;

/// A stall of this fraction (1/8) of the time at work is measured more closely.
constexpr int noticeable = 8;

}  // namespace

ThreadLimit::ThreadLimit(const ThreadBounds& bounds)
    : bounds_{.planned = bounds.planned,
              .most = std::max(bounds.planned, bounds.most),
              .busy = bounds.busy,
              .on_device = bounds.on_device},
      threads_(bounds.planned) {}

bool ThreadLimit::report(const WorkTimes& times) {
  const std::lock_guard lock(mutex_);
  fresh_.at_work += times.at_work;
  fresh_.stalled += times.stalled;
  fresh_.device_reads += times.device_reads;
  if (fresh_.at_work < evidence_per_thread * threads()) return false;
  // Read-ahead makes a slow volume look fast for a moment, so older times count as well.
  seen_.at_work = seen_.at_work / 2 + fresh_.at_work;
  seen_.stalled = seen_.stalled / 2 + fresh_.stalled;
  seen_.device_reads = seen_.device_reads / 2 + fresh_.device_reads;
  fresh_ = {};
  return decide();
}

unsigned ThreadLimit::wanted() const {
  const auto at_work = static_cast<double>(seen_.at_work);
  const auto stalled = static_cast<double>(seen_.stalled);
  if (stalled < noise * at_work) return bounds_.planned;
  if (bounds_.on_device && seen_.device_reads == 0) return bounds_.planned;
  const double useful = headroom * bounds_.busy * at_work / std::max(at_work - stalled, 1.0);
  return std::clamp(useful < bounds_.most ? static_cast<unsigned>(useful) : bounds_.most,
                    bounds_.planned, bounds_.most);
}

bool ThreadLimit::decide() {
  const unsigned present = threads();
  unsigned next = wanted();
  if (next > present) {
    next = std::min(next, largest_step * present);
    // A small step is not worth it, unless it reaches the bound, with no larger step left.
    if (next < present + present / 4 && next < bounds_.most) return false;
  } else {
    next = std::max(next, present / 2);
    if (next > present / 2 + present / 4) return false;
  }
  threads_.store(next, std::memory_order_relaxed);
  return next != present;
}

WorkTimes StallMeter::take(Nanoseconds elsewhere) {
  looked_ = true;
  const Nanoseconds now = os::monotonic_now();
  const Nanoseconds running = os::thread_running_time();
  const Nanoseconds ran = running - std::exchange(running_, running);
  const Nanoseconds elapsed =
      now - std::exchange(began_, now) - (elsewhere - std::exchange(elsewhere_, elsewhere));
  const Nanoseconds waited = std::max<Nanoseconds>(elapsed - ran, 0);
  WorkTimes times;
  // On a busy machine a thread that is ready to run waits, too, which is no stall and says nothing
  // of the volume: with that time in at_work, 8 other programs on 2 processors hid a cold disk, and
  // a search took 1.2 times as long (0.1 ms per read; 1.3 times with 0.5 ms). Its earlier waits are
  // included if they were not read then: once, and on the safe side.
  if (noticeable * waited >= elapsed) {
    if (const auto waits = file_system_.thread_waits()) {
      times.stalled = std::clamp<Nanoseconds>(waited - (waits->ready - waits_.ready), 0, waited);
      times.device_reads = waits->device_reads - waits_.device_reads;
      waits_ = *waits;
    }
  }
  times.at_work = ran + times.stalled;
  const bool stalls = noticeable * times.stalled >= times.at_work;
  patience_ = stalls ? 1 : std::min(2 * patience_, most_patience);
  return times;
}

}  // namespace ffind::search
