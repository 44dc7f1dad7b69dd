// SPDX-License-Identifier: MIT
// The walker: searches one task, the roots on one volume, with several workers over one frontier.
// Made by search(); never crosses a volume boundary.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "ffind/searcher.h"
#include "search/frontier.h"
#include "search/visited.h"

namespace ffind {

/// What all walkers of a search share. Thread-safe.
class SearchState {
 public:
  SearchState(const Matcher& matcher, Sink& sink, Needs sink_needs, std::uint64_t limit)
      : matcher_(matcher), sink_(sink), sink_needs_(sink_needs), limit_(limit) {}

  const Matcher& matcher() const { return matcher_; }
  Sink& sink() { return sink_; }
  Needs sink_needs() const { return sink_needs_; }
  VisitedSet& visited() { return visited_; }

  /// A limited search emits only with a ticket, so that it emits exactly as many as were asked for.
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
  std::atomic<bool> stop_{false};
  std::atomic<std::uint64_t> tickets_{0};
  std::atomic<std::uint64_t> unwritten_{0};  ///< counted in limited searches only
  VisitedSet visited_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t tasks_done_ = 0;
};

/// Paths below the roots of a task that are not entered: mount points, and parts of the volume that
/// another root covers. Found by name first: one comparison for nearly every
/// directory. Immutable.
class Boundaries {
 public:
  explicit Boundaries(const Task& task);
  bool empty() const { return boundaries_.empty(); }
  /// Some of them are not even listed; nearly never.
  bool hide_some() const { return hide_some_; }
  bool may_be(std::string_view name) const;
  const Boundary* at(std::string_view canonical_path) const;

 private:
  std::vector<Boundary> boundaries_;
  std::uint64_t lengths_ = 0;  ///< bit n: some mount point's name has n bytes (63: or more)
  bool hide_some_ = false;
};

class Walker {
 public:
  Walker(const Task& task, SearchState& state, os::FileSystem& file_system,
         std::size_t descriptors);

  /// Blocks until the task is done or the search stopped; the caller is the first worker.
  void run();

  /// What the workers that have ended counted and met. Thread-safe.
  void add_to(SearchResult& result);

 private:
  friend class Worker;

  /// Starts another worker when there is enough to do for it.
  void consider_another_worker(bool crowded_directory);
  void work();
  void meet_boundary(const Boundary& boundary);

  const Task& task_;
  SearchState& state_;
  os::FileSystem& file_system_;
  const Boundaries boundaries_;
  Frontier frontier_;
  std::atomic<unsigned> workers_{1};

  std::mutex mutex_;  ///< guards what follows
  std::vector<std::thread> threads_;
  Statistics statistics_;
  std::vector<Boundary> left_out_;
};

}  // namespace ffind
