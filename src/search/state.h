// SPDX-License-Identifier: MIT
// What all searchers of one search share: the query, the sink, the limit, and the word to stop.
// Made by run_search(); knows no file system.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <utility>

#include "ffind/searcher.h"
#include "search/seen_sets.h"

namespace ffind::search {

/// Thread-safe.
class SearchState {
 public:
  SearchState(const Matcher& matcher, Sink& sink, Needs sink_needs, std::uint64_t limit,
              Progress* progress, std::function<bool(Entry&)> admits = {})
      : matcher_(matcher),
        sink_(sink),
        sink_needs_(sink_needs),
        limit_(limit),
        progress_(progress),
        admits_(std::move(admits)) {}

  const Matcher& matcher() const { return matcher_; }
  Sink& sink() { return sink_; }
  Needs sink_needs() const { return sink_needs_; }
  /// Null: nobody asks.
  Progress* progress() { return progress_; }
  void it_lasts() {
    if (progress_ != nullptr) progress_->it_lasts();
  }
  VisitedSet& visited() { return visited_; }
  /// Tells the sink that what the plan has a catalog for is walked after all.
  void say_it_is_walked(const Task& task, const std::string& why_not);

  /// Whether a match has to pass `admits`, which takes longer than all tests.
  bool asks() const { return admits_ != nullptr; }
  bool admits(Entry& entry) const { return admits_ == nullptr || admits_(entry); }

  /// True the first time: what concerns all files of a search is reported once.
  bool first_failure_of_accounts() {
    return !accounts_failed_.exchange(true, std::memory_order_relaxed);
  }

  /// Waiting for a descriptor was in vain, the last time that somebody did.
  bool descriptors_ran_out() const { return ran_out_.load(std::memory_order_relaxed); }
  void set_descriptors_ran_out(bool ran_out) { ran_out_.store(ran_out, std::memory_order_relaxed); }

  /// A limited search emits only with a ticket, so that it emits exactly that many.
  bool take_ticket();
  /// So many of the records that tickets were taken for have left the lanes.
  void records_written(std::uint64_t count);

  bool stopped() const { return stop_.load(std::memory_order_relaxed); }
  void stop();
  void task_done();
  /// Until `tasks` tasks are done; false when the search was stopped, all that was emitted is
  /// written, and some task does not come back all the same.
  bool wait(std::size_t tasks);

 private:
  const Matcher& matcher_;
  Sink& sink_;
  const Needs sink_needs_;
  const std::uint64_t limit_;
  Progress* const progress_;
  const std::function<bool(Entry&)> admits_;
  std::atomic<bool> stop_{false};
  std::atomic<bool> accounts_failed_{false};
  std::atomic<bool> ran_out_{false};
  std::atomic<std::uint64_t> tickets_{0};
  std::atomic<std::uint64_t> unwritten_{0};  ///< counted in limited searches only
  VisitedSet visited_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t tasks_done_ = 0;
};

}  // namespace ffind::search
