// SPDX-License-Identifier: MIT
// The walker: searches one task, the roots on one volume, with several workers over one frontier.
// Made by run_search(); never crosses a volume boundary.
#pragma once

#include <atomic>
#include <cstddef>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

#include "ffind/searcher.h"
#include "os/directory_reader.h"
#include "search/boundaries.h"
#include "search/frontier.h"
#include "search/seen_sets.h"
#include "search/state.h"
#include "search/thread_limit.h"

namespace ffind::search {

class Walker {
 public:
  /// `directories` says what is in one, `file_system` all else. What is in `emitted`, if it is not
  /// null, is not emitted again.
  Walker(const Task& task, SearchState& state, os::FileSystem& file_system,
         os::DirectoryReaders& directories, std::size_t descriptors, const EmittedSet* emitted);

  /// Blocks until those roots of the task are walked or the search stopped; the caller is the first
  /// worker.
  void run(const std::vector<const Root*>& roots);

  /// What the workers that have ended counted and met. Thread-safe.
  void add_to(SearchResult& result);

 private:
  friend class Worker;

  /// Starts more workers when there is enough to do for them.
  void consider_more_workers(bool crowded_directory);
  bool consider_another_worker(bool crowded_directory);
  /// A worker tells what it did with its time, which may change how many there are to be.
  void report(const WorkTimes& times);
  bool is_enough(std::size_t pending, unsigned workers) const;
  void work();
  /// Keeps a root that is not what was planned, for as long as the walk.
  const Root& correct(Root root);

  const Task& task_;
  SearchState& state_;
  os::FileSystem& file_system_;
  os::DirectoryReaders& directories_;
  const Boundaries boundaries_;
  const EmittedSet* const emitted_;
  Frontier frontier_;
  ThreadLimit limit_;
  LeftOut left_out_;
  std::atomic<unsigned> workers_{1};

  std::mutex mutex_;  ///< guards what follows
  std::vector<std::thread> threads_;
  Statistics statistics_;
  std::deque<Root> corrected_;  ///< stay where they are
};

}  // namespace ffind::search
