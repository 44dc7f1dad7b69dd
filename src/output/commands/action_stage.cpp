// SPDX-License-Identifier: MIT
// The stages that run commands.
//
//     workers ─▶ BatchRunner::take()   mutex_: adds to the batch, and runs it when it is full
//     workers ─▶ EachRunner::take()    waiting_ (2 matches a thread) ─▶ threads_, each in work()
//                                      jobs 0: runs here, under one_at_a_time_
//
// Both own an Executor, which does all that concerns one command line. The texts of a match are
// copied when it is queued: they are only valid during take(). Threads are started when there is
// work for them, so few matches need few threads. No stage queues without bound: slow commands
// block take(), the lane counts that as waiting, and the walk pauses.
#include "output/commands/action_stage.h"

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "os/machine.h"
#include "os/processes.h"
#include "output/commands/action.h"

namespace ffind::output {
namespace {

/// -X. One batch at a time for all workers, since its commands have the standard streams of this
/// process.
class BatchRunner final : public ActionStage {
 public:
  explicit BatchRunner(const ActionContext& context)
      : context_(context),
        executor_(context, false),
        batch_(context.action.commands, os::argument_limits(), context.action.batch_size) {}

  bool take(std::span<const Match> matches) override {
    const std::lock_guard lock(mutex_);
    return std::all_of(matches.begin(), matches.end(),
                       [this](const Match& match) { return add(match.path); });
  }

  /// Runs the last batch, which may not be full.
  void finish() override {
    const std::lock_guard lock(mutex_);
    if (!executor_.stopped()) run();
  }

  bool failed() const override { return executor_.failed(); }
  std::string summary() const override { return executor_.summary(); }
  void set_roots(RootDirectories roots) override { executor_.set_roots(std::move(roots)); }
  /// For /dev/null, and the way to a directory.
  std::size_t descriptors() const override { return 3; }

 private:
  /// Adds a path, after running the batch if it is full. If commands run in directories, a batch is
  /// of one directory only.
  bool add(std::string_view path) {
    if (executor_.stopped()) return false;
    std::string local;
    if (context_.action.in_directory) {
      const auto [directory, name] = split_path(path);
      // Directories of matches come one after another from one worker, but several workers take
      // turns: then batches are smaller than they could be.
      if (directory != directory_ && !run()) return false;
      directory_ = directory;
      local = "./";
      local += name;
    } else {
      local = path;
    }
    Batch::Answer answer = batch_.add(local);
    if (answer == Batch::Answer::full) {
      if (!run()) return false;
      answer = batch_.add(local);
    }
    // Reported, and the search goes on: only this path is too long.
    if (answer == Batch::Answer::never) {
      context_.report({std::string(path), "", E2BIG});
      executor_.note_failure();
    }
    return true;
  }

  bool run() {
    const std::vector<std::string>& paths = batch_.paths();
    if (!paths.empty()) {
      executor_.run({.paths = paths.data(), .count = paths.size(), .directory = directory_});
    }
    batch_.clear();
    return !executor_.stopped();
  }

  const ActionContext context_;
  Executor executor_;
  std::mutex mutex_;
  Batch batch_;
  std::string directory_;  ///< of all paths in the batch, if commands run in it
};

/// Descriptors of a command, and of the way to its directory.
constexpr std::size_t descriptors_per_job = os::Processes::descriptors_per_run + 2;

/// Returns `jobs`, or fewer if descriptors are scarce. 0 is one at a time, without pipes.
unsigned affordable(unsigned jobs) {
  const std::size_t most = spare_descriptors() / descriptors_per_job;
  return static_cast<unsigned>(std::min<std::size_t>(most, jobs));
}

/// -x. The thread that takes a path from the queue also waits for its command, so there are as many
/// commands as threads.
class EachRunner final : public ActionStage {
 public:
  explicit EachRunner(const ActionContext& context)
      : in_directory_(context.action.in_directory),
        in_order_(context.action.in_order),
        processes_(context.processes),
        jobs_(affordable(context.action.jobs)),
        executor_(context, jobs_ > 0) {}

  ~EachRunner() override { finish(); }

  bool take(std::span<const Match> matches) override {
    if (jobs_ > 0) {
      return std::all_of(matches.begin(), matches.end(),
                         [this](const Match& match) { return push(match); });
    }
    const std::lock_guard lock(one_at_a_time_);
    return std::all_of(matches.begin(), matches.end(), [this](const Match& match) {
      return run({std::string(match.path), std::string(match.text)});
    });
  }

  /// Lets the queue run empty, then ends the threads. A second call finds no threads.
  void finish() override {
    {
      const std::lock_guard lock(mutex_);
      over_ = true;
    }
    has_work_.notify_all();
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
  }

  bool failed() const override { return executor_.failed(); }
  std::string summary() const override { return executor_.summary(); }
  void set_roots(RootDirectories roots) override { executor_.set_roots(std::move(roots)); }

  /// One for /dev/null, which all commands share, and those of each command.
  std::size_t descriptors() const override { return 1 + std::max(1U, jobs_) * descriptors_per_job; }

 private:
  /// Copies of the texts of a Match.
  struct Waiting {
    std::string path;
    std::string values;
  };

  /// Waits for room in the queue, which holds the search back, and starts another thread if all are
  /// busy. If none can be started at all, the command runs here.
  bool push(const Match& match) {
    std::unique_lock lock(mutex_);
    has_room_.wait(lock, [this] { return waiting_.size() < 2 * jobs_ || executor_.stopped(); });
    if (executor_.stopped()) return false;
    waiting_.push_back({std::string(match.path), std::string(match.text)});
    // An idle thread that was notified but did not run yet still counts as idle.
    const bool has_room = processes_ == nullptr || !processes_->lacks_room();
    if (idle_ < waiting_.size() && threads_.size() < jobs_ && has_room) add_thread();
    if (threads_.empty()) {
      const Waiting only = std::move(waiting_.back());
      waiting_.pop_back();
      lock.unlock();
      return run(only);
    }
    has_work_.notify_one();
    return true;
  }

  void add_thread() {
    try {
      threads_.emplace_back([this] { work(); });
    } catch (const std::system_error&) {
      // Fewer will do. Without any, the search's own threads run the commands.
    }
  }

  /// A thread's life: takes matches from the queue until the search is over. If no more commands
  /// should run, the queue is emptied.
  void work() {
    std::unique_lock lock(mutex_);
    while (true) {
      ++idle_;
      has_work_.wait(lock, [this] { return !waiting_.empty() || over_; });
      --idle_;
      if (waiting_.empty()) return;
      const Waiting match = std::move(waiting_.front());
      waiting_.pop_front();
      // Numbered under the mutex: the numbers are in the order of the queue, which is that of
      // --sort.
      const std::uint64_t number = started_++;
      lock.unlock();
      has_room_.notify_one();
      const bool goes_on = run(match, in_order_ ? std::optional(number) : std::nullopt);
      lock.lock();
      if (goes_on) continue;
      waiting_.clear();
      has_room_.notify_all();
    }
  }

  bool run(const Waiting& match, std::optional<std::uint64_t> number = {}) {
    std::string path = match.path;
    const auto [directory, name] = split_path(match.path);
    if (in_directory_) path.assign("./").append(name);
    executor_.run({.paths = &path,
                   .count = 1,
                   .values = match.values,
                   .directory = in_directory_ ? directory : "",
                   .number = number});
    return !executor_.stopped();
  }

  const bool in_directory_;
  const bool in_order_;
  const os::Processes* const processes_;  ///< null for a dry run
  const unsigned jobs_;                   ///< 0: in the thread that brings the match, one at a time
  Executor executor_;
  std::mutex one_at_a_time_;

  std::mutex mutex_;
  std::condition_variable has_work_;
  std::condition_variable has_room_;
  std::deque<Waiting> waiting_;
  std::uint64_t started_ = 0;  ///< matches taken from waiting_
  std::size_t idle_ = 0;
  bool over_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace

std::unique_ptr<ActionStage> make_action_stage(const ActionContext& context) {
  if (context.action.kind == ActionKind::each) return std::make_unique<EachRunner>(context);
  if (context.action.kind == ActionKind::batch) return std::make_unique<BatchRunner>(context);
  return context.action.in_trash ? make_trash_stage(context) : make_deleter(context);
}

std::size_t spare_descriptors() {
  // The standard streams, /dev/null, and those of the search.
  constexpr std::size_t others = 12;
  const std::size_t limit = os::descriptor_limit();
  return limit > others ? limit - others : 0;
}

}  // namespace ffind::output
