// SPDX-License-Identifier: MIT
// Live progress of a running search: counts, and the directory being read. Each thread of the
// search registers a Source; the thread of the status line sums them up in look(). Counts of
// threads that have ended are kept in `ended_`.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace ffind {

/// Sum over all threads.
struct SearchProgress {
  std::uint64_t directories = 0;
  std::uint64_t entries = 0;
  std::uint64_t matches = 0;
  std::string where{};  ///< path of a directory being read; empty if unknown
};

/// Thread-safe.
class Progress {
 public:
  /// One thread of the search, whose counts another thread may read.
  class Source {
   public:
    virtual ~Source() = default;
    /// Adds its counts up to now.
    virtual void add_counts(SearchProgress& sum) const = 0;
    /// Path of the directory being read; may be empty.
    virtual std::string where() = 0;
  };

  /// Registers a source for as long as the registration lives.
  class Registration {
   public:
    Registration(Progress* progress, Source& source);
    ~Registration();
    Registration(const Registration&) = delete;
    Registration& operator=(const Registration&) = delete;

   private:
    Progress* const progress_;
    Source& source_;
  };

  /// Sets a function that a thread of the search calls once, as soon as the search turns out to
  /// take long. Call before the search.
  void when_long_running(std::function<void()> do_it) { when_long_running_ = std::move(do_it); }
  /// Called once the search takes long: after some milliseconds, with more threads, or many
  /// matches.
  void mark_long_running() {
    if (long_running_.load(std::memory_order_relaxed) || long_running_.exchange(true)) return;
    if (when_long_running_) when_long_running_();
  }

  SearchProgress look();

  /// Called before the status line is drawn first. Until then threads need not publish their path.
  void watch() { watched_.store(true, std::memory_order_relaxed); }
  bool watched() const { return watched_.load(std::memory_order_relaxed); }

 private:
  std::function<void()> when_long_running_;
  std::atomic<bool> long_running_{false};
  std::atomic<bool> watched_{false};
  std::mutex mutex_;  ///< guards the members below
  std::vector<Source*> sources_;
  SearchProgress ended_;  ///< counts of sources that are gone
};

}  // namespace ffind
