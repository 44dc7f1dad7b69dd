// SPDX-License-Identifier: MIT
// How many threads may search a volume at once: as many as the plan says, more while the volume
// keeps them waiting, and no more than keep the processors busy once it does not. Fed by workers.
// Knows no clock, no thread and no file system.
#pragma once

#include <algorithm>
#include <atomic>
#include <mutex>

#include "ffind/entry.h"
#include "os/files.h"
#include "os/machine.h"

namespace ffind::search {

/// What one worker did with some of its time.
struct WorkTimes {
  /// Neither idle nor held up by the output.
  Nanoseconds at_work = 0;
  /// Of that, neither running nor ready to run: the volume had not answered yet.
  Nanoseconds stalled = 0;
  /// What it read from a device meanwhile; nothing if the stalls were others: locks in the kernel.
  std::uint64_t device_reads = 0;
};

struct ThreadBounds {
  unsigned planned = 1;
  unsigned most = 1;
  /// So many keep the processors busy where the volume answers at once.
  unsigned busy = 1;
  /// A stall counts if something was read from a device meanwhile.
  bool on_device = true;
};

/// Thread-safe.
///
/// What is left of the time at work needs a processor. If workers need one for a tenth of their
/// time, it takes ten times as many to keep the processors busy. That is also why this is safe:
/// where nothing is gained, because workers compete for processors or for a lock of our own, they
/// are not seen to stall.
class ThreadLimit {
 public:
  /// The limit lies between `planned` and `most`.
  explicit ThreadLimit(const ThreadBounds& bounds);

  /// Whether it ever changes; if not, nobody needs to report.
  bool adapts() const { return bounds_.planned < bounds_.most; }
  unsigned threads() const { return threads_.load(std::memory_order_relaxed); }
  /// The volume was found to be slow, and still is.
  bool raised() const { return threads() > bounds_.planned; }
  unsigned most() const { return bounds_.most; }

  /// Returns whether the limit changed.
  bool report(const WorkTimes& times);

 private:
  unsigned wanted() const;
  bool decide();

  const ThreadBounds bounds_;
  std::atomic<unsigned> threads_;

  std::mutex mutex_;  ///< guards what follows
  WorkTimes fresh_;   ///< since the last decision
  WorkTimes seen_;    ///< of late
};

/// Belongs to its thread, which makes it.
class StallMeter {
 public:
  explicit StallMeter(const os::FileSystem& file_system) : file_system_(file_system) {}

  /// Whether it is time to look again, `threads` being how many do. Costs a look at the clock: to
  /// be called for a directory or for some dozen entries, not for each.
  bool is_due(unsigned threads) {
    // The coarse one may be late by some milliseconds, which only matters while help is on its way.
    const Nanoseconds now = patience_ == 1 ? os::monotonic_now() : os::monotonic_coarse_now();
    const unsigned sharing = looked_ ? threads : std::min(threads, most_sharing_first_look);
    return now - began_ >= between_looks * sharing * patience_;
  }
  /// In place of `take`, if nobody wants to know.
  void look_less() { patience_ = most_patience; }
  /// Since the last time. `elsewhere`: how long in all this thread waited for what is not the
  /// volume, which need not be exact.
  WorkTimes take(Nanoseconds elsewhere);

 private:
  /// All threads together look so often: it takes 1 to 10 us.
  static constexpr Nanoseconds between_looks = 500'000;
  /// So much less often as long as nothing stalls.
  static constexpr unsigned most_patience = 16;
  /// The first look comes no later than with this many threads: 64 would notice only after 32 ms
  /// that the volume is slow.
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
