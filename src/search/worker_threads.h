// SPDX-License-Identifier: MIT
// Threads of the workers of one search. The first worker is the calling thread; a worker starts
// another one when there is work for both, even while the first one already waits.
#pragma once

#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace ffind::search {

/// Thread-safe. `join` has to be called before it is destroyed.
class WorkerThreads {
 public:
  /// Runs `work` in a thread of its own. Returns false if there are no more threads.
  template <typename Work>
  bool start(Work work) {
    const std::lock_guard lock(mutex_);
    return add(std::move(work));
  }

  /// The same, unless there are `most` workers. Makes do with those that run if there are no more
  /// threads.
  template <typename Work>
  void start_up_to(unsigned most, Work work) {
    const std::lock_guard lock(mutex_);
    if (workers_ >= most) return;
    workers_ = add(std::move(work)) ? workers_ + 1 : most;
  }

  /// Waits until all have ended, and those that they started meanwhile.
  void join() {
    while (true) {
      std::vector<std::thread> started;
      {
        const std::lock_guard lock(mutex_);
        started.swap(threads_);
      }
      if (started.empty()) return;
      for (std::thread& thread : started) thread.join();
    }
  }

 private:
  template <typename Work>
  bool add(Work work) {
    try {
      threads_.emplace_back(std::move(work));
      return true;
    } catch (const std::system_error&) {
      return false;
    }
  }

  std::mutex mutex_;  ///< guards what follows
  std::vector<std::thread> threads_;
  unsigned workers_ = 1;  ///< counted by start_up_to
};

}  // namespace ffind::search
