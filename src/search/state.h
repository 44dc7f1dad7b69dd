// SPDX-License-Identifier: MIT
// State of one search. SearchState is shared by all searchers: the query, the sink, the limit and
// the stop flag. Counts, IssueReporter and WorkerOutput are one worker's: what it counted, its way
// of reporting errors, and its way into the output. Made by run_search(); knows no file system.
//
//     worker ──▶ WorkerOutput: --if command, ticket of a limited search, Lane
//            ──▶ IssueReporter: Counts (vanished, not_local…) or Issue to the Sink
//            ──▶ Counts: published between blocks, for the status line
//
// A search ends when all tasks are done, or by stop(): the sink takes no more, or the limit is
// reached. wait() then returns without the workers that hang in a call to their volume, once all
// records that count for the limit are written.
#pragma once

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "ffind/searcher.h"
#include "search/entry_position.h"
#include "search/seen_sets.h"

namespace ffind::search {

/// Shared by all searchers of a search. Thread-safe.
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
  /// Null if progress is not shown.
  Progress* progress() { return progress_; }
  /// Tells the progress that the search is not over at once; cheap to repeat.
  void mark_long_running() {
    if (progress_ != nullptr) progress_->mark_long_running();
  }
  /// Directories visited, for --unique.
  VisitedSet& visited() { return visited_; }
  /// Notifies the sink that the task is walked although the plan has a catalog for it.
  void report_walked_instead(const Task& task, const std::string& why_not);

  /// True if a match has to pass `admits` (an --if command), which takes longer than all tests.
  bool has_condition() const { return admits_ != nullptr; }
  bool admits(Entry& entry) const { return admits_ == nullptr || admits_(entry); }

  /// Returns true the first time: an error that concerns all files of a search is reported once.
  bool is_first(Unknown what) {
    return !unknown_[static_cast<std::size_t>(what)].exchange(true, std::memory_order_relaxed);
  }

  /// The last wait for a free descriptor timed out.
  bool descriptors_ran_out() const { return ran_out_.load(std::memory_order_relaxed); }
  void set_descriptors_ran_out(bool ran_out) { ran_out_.store(ran_out, std::memory_order_relaxed); }

  /// Returns whether one more match may be emitted: a limited search emits exactly as many as its
  /// limit, and stops with the last. Always true without a limit.
  bool take_ticket();
  /// `count` records with tickets have left the lanes.
  void records_written(std::uint64_t count);

  /// Keeps a root whose type is not the planned one: sinks, too, know roots by their address.
  const Root& correct(Root root) {
    const std::lock_guard lock(mutex_);
    return corrected_.emplace_back(std::move(root));
  }

  bool stopped() const { return stop_.load(std::memory_order_relaxed); }
  /// Sets the stop flag, which workers check between entries and blocks.
  void stop();
  void task_done();
  /// Blocks until `tasks` tasks are done. Returns false if the search was stopped, all emitted
  /// records are written, and some task still does not end.
  bool wait(std::size_t tasks);

 private:
  const Matcher& matcher_;
  Sink& sink_;
  const Needs sink_needs_;
  const std::uint64_t limit_;
  Progress* const progress_;
  const std::function<bool(Entry&)> admits_;
  std::atomic<bool> stop_{false};
  std::array<std::atomic<bool>, 2> unknown_{};  ///< reported
  std::atomic<bool> ran_out_{false};
  std::atomic<std::uint64_t> tickets_{0};
  std::atomic<std::uint64_t> unwritten_{0};  ///< counted in limited searches only
  VisitedSet visited_;
  std::mutex mutex_;  ///< guards what follows
  std::condition_variable changed_;
  std::size_t tasks_done_ = 0;
  std::deque<Root> corrected_;
};

/// Counters of one worker. Belongs to its thread, except for `add_to`, which reads the published
/// ones.
struct Counts : Statistics {
  Counts() { threads = 1; }

  std::uint64_t conditions_run = 0;  ///< entries passed to the --if command

  /// Publishes the counters; called between blocks of entries, never for a single one.
  void publish() {
    published_.directories.store(directories, std::memory_order_relaxed);
    published_.entries.store(entries, std::memory_order_relaxed);
    published_.matches.store(matches, std::memory_order_relaxed);
  }
  /// Adds the published counters. Thread-safe.
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

/// Returns whether the errno only means that an entry has changed or vanished since it was listed.
bool is_gone(int error);

/// The step at which a directory failed.
enum class DirectoryStep : std::uint8_t { open, read };

/// Turns errors into issues for the sink, or into counts if they are none: on a live system,
/// entries vanish while a search runs, and contents in a cloud are not downloaded. Belongs to its
/// thread.
class IssueReporter {
 public:
  IssueReporter(SearchState& state, Counts& counts) : state_(state), counts_(counts) {}

  /// Reports an issue, or counts the file if its contents are in a cloud.
  void report(std::string path, const char* operation, int error, std::string detail = {});
  void report_entry(Entry& entry, const char* operation, int error, std::string detail = {});
  /// Reports an error of an entry, or counts it if the entry vanished or is in a cloud.
  void fail(Entry& entry, const char* operation, int error);
  /// Returns whether the entry can be reached; reports it if not, unless it has been reported.
  bool can_reach(Entry& entry, const EntryPlace& place, const char* operation) {
    if (place.error != 0 && !place.reported) fail(entry, operation, place.error);
    return place.error == 0;
  }
  /// Reports a directory that had to be read for a test, and could not be.
  void fail_if_closed(Entry& entry) {
    if (entry.unreadable != 0) fail(entry, "", std::exchange(entry.unreadable, 0));
  }
  /// Like `fail`, for a directory that cannot be read. ESTALE from opening it means that its root
  /// was exchanged (Opener::open_below).
  void pass_over(std::string path, DirectoryStep step, int error);
  /// Implements EntryLoader::report_unknown.
  void report_unknown(Entry& entry, Unknown what);

 private:
  SearchState& state_;
  Counts& counts_;
};

/// One worker's way to the output: its lane, with the --if command and the limit in front. Belongs
/// to its thread, except for `write_lines` and `written`, which another worker calls if a
/// directory's line has to come before those of what is in it (Scope::parents_first). Only then is
/// the mutex locked.
class WorkerOutput {
 public:
  WorkerOutput(SearchState& state, Counts& counts)
      : state_(state),
        counts_(counts),
        shared_(state.matcher().scope().parents_first),
        lane_(state.sink().open_lane()) {}

  /// Emits the entry if the --if command admits it and the limit is not reached.
  void emit(Entry& entry) {
    if (state_.has_condition()) {
      ++counts_.conditions_run;
      if (state_.stopped() || !state_.admits(entry)) return;
    }
    if (!state_.take_ticket()) return;
    // The consumer may be slow.
    if (++counts_.matches == many) state_.mark_long_running();
    const auto lock = lock_lane();
    ++emitted_;
    ++unwritten_;
    if (!lane_->emit(entry)) state_.stop();
    if (shared_ && !lane_->keeps_records()) written_.store(emitted_, std::memory_order_release);
  }
  /// Publishes the counters and lets the lane flush if it is time; called between blocks of
  /// entries.
  void flush_if_due() {
    counts_.publish();
    const auto lock = lock_lane();
    lane_->flush_if_due();
    if (shared_ && !lane_->keeps_records()) written_.store(emitted_, std::memory_order_release);
  }
  Lane& lane() { return *lane_; }
  /// Total time that the lane waited for the consumer.
  Nanoseconds held_up() {
    const auto lock = lock_lane();
    return lane_->held_up();
  }
  /// Passes on everything that was emitted.
  void flush() {
    counts_.publish();
    write_lines();
  }

  /// The part of `flush` that any thread may call.
  void write_lines() {
    const auto lock = lock_lane();
    lane_->flush();
    state_.records_written(unwritten_);
    unwritten_ = 0;
    written_.store(emitted_, std::memory_order_release);
  }
  /// Number of records emitted; called by its own thread.
  std::uint64_t emitted() const { return emitted_; }
  /// Number of records that the lane has passed on, or fewer. Thread-safe.
  std::uint64_t written() const { return written_.load(std::memory_order_acquire); }

 private:
  static constexpr std::uint64_t many = 100;

  std::unique_lock<std::mutex> lock_lane() {
    return shared_ ? std::unique_lock(mutex_) : std::unique_lock<std::mutex>();
  }

  SearchState& state_;
  Counts& counts_;
  const bool shared_;
  std::mutex mutex_;  ///< guards the lane and the members below
  const std::unique_ptr<Lane> lane_;
  std::uint64_t emitted_ = 0;    ///< written by its own thread only
  std::uint64_t unwritten_ = 0;  ///< records emitted since the last flush
  std::atomic<std::uint64_t> written_{0};
};

/// A moment in the output of a worker, kept with the work that it pushes then. The lines of all
/// directories above that work are written, or among the first `count` of the worker: it took none
/// of them before the lines of the worker that had pushed it were written.
class LineMark {
 public:
  /// Belongs to no worker: the order of lines is free.
  LineMark() = default;
  /// Called by the worker's own thread.
  explicit LineMark(std::shared_ptr<WorkerOutput> output)
      : output_(std::move(output)), count_(output_->emitted()) {}

  bool is_of_another(const std::shared_ptr<WorkerOutput>& output) const {
    return output_ != nullptr && output_ != output;
  }
  bool are_written() const { return output_->written() >= count_; }
  void write() const {
    if (!are_written()) output_->write_lines();
  }

 private:
  std::shared_ptr<WorkerOutput> output_{};
  std::uint64_t count_ = 0;
};

}  // namespace ffind::search
