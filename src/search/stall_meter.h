// SPDX-License-Identifier: MIT
// What a worker does with its time: how much of it passes asleep in calls to the volume. A part of
// every worker that may need help; the limit of threads follows what it finds.
#pragma once

#include <algorithm>

#include "os/files.h"
#include "os/machine.h"
#include "search/thread_limit.h"

namespace ffind::search {

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
