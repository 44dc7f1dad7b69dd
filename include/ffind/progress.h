// SPDX-License-Identifier: MIT
// How far a search is while it goes on: its counts, and where it is at work. Written by the threads
// of the search, read by the status line. Knows no terminal.
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

/// At one moment, over all threads.
struct SearchProgress {
  std::uint64_t directories = 0;
  std::uint64_t entries = 0;
  std::uint64_t matches = 0;
  std::string where{};  ///< path of a directory that is being read; empty: not known
};

/// Thread-safe.
class Progress {
 public:
  /// One thread of the search, whose counts another thread may read.
  class Source {
   public:
    virtual ~Source() = default;
    /// Adds what it has counted so far.
    virtual void add_counts(SearchProgress& sum) const = 0;
    /// Where it is at work; may be empty.
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

  /// `do_it` is done once, by a thread of the search, as soon as that turns out not to be over at
  /// once. To be called before the search.
  void when_it_lasts(std::function<void()> do_it) { when_it_lasts_ = std::move(do_it); }
  /// It lasts: some milliseconds have passed, more threads are started, much is found.
  void it_lasts() {
    if (lasts_.load(std::memory_order_relaxed) || lasts_.exchange(true)) return;
    if (when_it_lasts_) when_it_lasts_();
  }

  SearchProgress look();

  /// The status line is about to be drawn. Until then threads need not publish where they are.
  void watch() { watched_.store(true, std::memory_order_relaxed); }
  bool watched() const { return watched_.load(std::memory_order_relaxed); }

 private:
  std::function<void()> when_it_lasts_;
  std::atomic<bool> lasts_{false};
  std::atomic<bool> watched_{false};
  std::mutex mutex_;  ///< guards what follows
  std::vector<Source*> sources_;
  SearchProgress ended_;  ///< counts of those that have left
};

}  // namespace ffind
