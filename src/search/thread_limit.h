// SPDX-License-Identifier: MIT
// Number of threads that may search a volume at once: as many as the plan says, more while the
// volume makes them wait, and only enough to saturate the CPUs once it does not. Each worker
// measures itself with a StallMeter and reports its WorkTimes to the ThreadLimit, which knows no
// clock, no thread and no file system.
//
//     worker: StallMeter::take() ──WorkTimes──▶ ThreadLimit::report() ──▶ threads()
//             at work, stalled                  decides after 1 ms of work per thread
#pragma once

#include <algorithm>
#include <atomic>
#include <mutex>

#include "ffind/entry.h"
#include "os/files.h"
#include "os/machine.h"

namespace ffind::search {

/// Time of one worker since its last report.
struct WorkTimes {
  /// Time running or stalled: neither idle, nor waiting for the output or for a processor.
  Nanoseconds at_work = 0;
  /// The part of it not running: waiting for the volume.
  Nanoseconds stalled = 0;
  /// Reads from a device meanwhile; 0 if the stalls had another cause: locks in the kernel.
  std::uint64_t device_reads = 0;
};

/// Bounds of a ThreadLimit, from the plan.
struct ThreadBounds {
  unsigned planned = 1;
  unsigned most = 1;
  /// Enough threads to saturate the CPUs on a fast volume.
  unsigned busy = 1;
  /// If true, stalls count only together with reads from a device.
  bool on_device = true;
};

/// Raises and lowers the number of threads from what the workers report. Thread-safe.
///
/// The part of the time at work that is not stalled needs a processor. If workers need one for a
/// tenth of their time, it takes ten times as many to saturate the CPUs. That is also why this is
/// safe: if more threads gain nothing, because workers compete for processors or for a lock of our
/// own, they do not count as stalled.
class ThreadLimit {
 public:
  /// The limit stays between `planned` and `most`.
  explicit ThreadLimit(const ThreadBounds& bounds);

  /// False if the limit never changes: then reports are not needed.
  bool adapts() const { return bounds_.planned < bounds_.most; }
  /// The current limit.
  unsigned threads() const { return threads_.load(std::memory_order_relaxed); }
  /// True while the volume is slow: the limit is above the planned one.
  bool raised() const { return threads() > bounds_.planned; }
  unsigned planned() const { return bounds_.planned; }
  unsigned most() const { return bounds_.most; }

  /// Adds a worker's times; returns whether the limit changed.
  bool report(const WorkTimes& times);

 private:
  unsigned wanted() const;
  bool decide();

  const ThreadBounds bounds_;
  std::atomic<unsigned> threads_;

  std::mutex mutex_;  ///< guards what follows
  WorkTimes fresh_;   ///< since the last decision
  WorkTimes seen_;    ///< recent times, which decide
};

/// Measures how long a worker blocks in file system calls. Created and used by its thread.
class StallMeter {
 public:
  explicit StallMeter(const os::FileSystem& file_system) : file_system_(file_system) {}

  /// Returns whether the next sample is due, `threads` being the number of workers that sample.
  /// Reads the clock: to be called for a directory or for some dozen entries, not for each.
  bool is_due(unsigned threads) {
    // The coarse clock may be late by some milliseconds, which only matters while more threads may
    // help.
    const Nanoseconds now = patience_ == 1 ? os::monotonic_now() : os::monotonic_coarse_now();
    const unsigned sharing = looked_ ? threads : std::min(threads, most_sharing_first_look);
    return now - began_ >= between_looks * sharing * patience_;
  }
  /// Call instead of take() when the result is unused.
  void sample_less_often() { patience_ = most_patience; }
  /// Returns the times since the last sample. `elsewhere`: total time that this thread waited for
  /// anything but the volume; need not be exact.
  WorkTimes take(Nanoseconds elsewhere);

 private:
  /// Interval between samples over all threads together: one takes 1 to 10 us.
  static constexpr Nanoseconds between_looks = 500'000;
  /// Factor by which the interval grows while nothing stalls.
  static constexpr unsigned most_patience = 16;
  /// Threads counted at most for the first sample: with 64, only after 32 ms would a slow volume be
  /// noticed.
  static constexpr unsigned most_sharing_first_look = 8;

  const os::FileSystem& file_system_;
  bool looked_ = false;
  Nanoseconds began_ = os::monotonic_now();
  Nanoseconds running_ = os::thread_running_time();
  os::ThreadWaits waits_;
  Nanoseconds elsewhere_ = 0;
  unsigned patience_ = 1;
};

}  // namespace ffind::search
