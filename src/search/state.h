// SPDX-License-Identifier: MIT
// What all searchers of one search share: the query, the sink, the limit, and the word to stop.
// Made by run_search(); knows no file system.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "ffind/progress.h"
#include "ffind/searcher.h"
#include "search/entry_position.h"
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

/// Belongs to its thread, but for `add_to`.
struct Counts : Statistics {
  Counts() { threads = 1; }

  std::uint64_t asked = 0;  ///< entries that somebody else was asked about

  /// Lets others see them; called between blocks of entries, never for a single one.
  void publish() {
    published_.directories.store(directories, std::memory_order_relaxed);
    published_.entries.store(entries, std::memory_order_relaxed);
    published_.matches.store(matches, std::memory_order_relaxed);
  }
  /// Adds what was published.
  void add_to(SearchProgress& sum) const {
    sum.directories += published_.directories.load(std::memory_order_relaxed);
    sum.entries += published_.entries.load(std::memory_order_relaxed);
    sum.matches += published_.matches.load(std::memory_order_relaxed);
  }

 private:
  struct Published {
    std::atomic<std::uint64_t> directories{0};
    std::atomic<std::uint64_t> entries{0};
    std::atomic<std::uint64_t> matches{0};
  } published_;
};

/// In the place of an errno: another directory, or none, is where the root was.
inline constexpr int root_exchanged = -1;

/// Whether that only says that something is no longer what it was when it was listed.
bool is_gone(int error);

/// Belongs to its thread.
class IssueReporter {
 public:
  IssueReporter(SearchState& state, Counts& counts) : state_(state), counts_(counts) {}

  void report(std::string path, const char* operation, int error, std::string detail = {});
  void report_entry(Entry& entry, const char* operation, int error);
  /// What went wrong with an entry; an issue unless it is only gone, or in a cloud.
  void fail(Entry& entry, const char* operation, int error);
  /// Whether the entry can be reached; if not, that is reported unless it has been.
  bool can_reach(Entry& entry, const EntryPlace& place, const char* operation) {
    if (place.error != 0 && !place.reported) fail(entry, operation, place.error);
    return place.error == 0;
  }
  /// As `fail`, of a directory that cannot be read; `root_exchanged` among the errors.
  void pass_over(std::string path, const char* operation, int error);
  /// Nobody can say whose the entry is: reported once a search.
  void accounts_failed(Entry& entry);

 private:
  SearchState& state_;
  Counts& counts_;
};

/// Belongs to its thread.
class OutputEnd {
 public:
  OutputEnd(SearchState& state, Counts& counts)
      : state_(state), counts_(counts), lane_(state.sink().open_lane()) {}

  /// If it is admitted; with a ticket, where there is a limit.
  void emit(Entry& entry) {
    if (state_.asks()) {
      ++counts_.asked;
      if (state_.stopped() || !state_.admits(entry)) return;
    }
    if (!state_.take_ticket()) return;
    // Whoever reads them may take his time.
    if (++counts_.matches == many) state_.it_lasts();
    ++unwritten_;
    if (!lane_->emit(entry)) state_.stop();
  }
  /// To be called between blocks of entries.
  void flush_if_due() {
    counts_.publish();
    lane_->flush_if_due();
  }
  Nanoseconds held_up() const { return lane_->held_up(); }
  /// Passes on what was emitted.
  void flush() {
    counts_.publish();
    lane_->flush();
    state_.records_written(unwritten_);
    unwritten_ = 0;
  }

 private:
  static constexpr std::uint64_t many = 100;

  SearchState& state_;
  Counts& counts_;
  const std::unique_ptr<Lane> lane_;
  std::uint64_t unwritten_ = 0;  ///< records emitted since the last flush
};

}  // namespace ffind::search
