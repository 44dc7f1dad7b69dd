// SPDX-License-Identifier: MIT
// Walks one task: the roots on one volume, with several workers over one frontier. Made by
// run_search(). A walk never crosses a volume boundary: a mounted volume is a task of its own.
//
//     roots ──▶ ┌────────────┐  pop   Worker, one per thread
//               │  Frontier  │ ─────▶   open    NodeOpener: a Node gets its descriptor
//               │            │          read    os::DirectoryReader: a block of entries at a time
//               │  stack of  │          match   each entry passes the worker's Entrance
//               │  Nodes and │          emit    WorkerOutput, into the worker's own Lane
//               │  names     │ ◀─────
//               └────────────┘  push    enter   the names of child directories go to the frontier,
//                                               and, for idle workers, the rest of a directory or
//                                               a part of a block
//
// Shared by the workers of one walk:
//
//     Frontier       stack, allowance of workers and descriptors, under its mutex
//     Walker         threads and totals, under its mutex
//     ThreadLimit    the workers' times, under its mutex; decides how many threads there may be
//     LeftOut        boundaries that were met and not entered, under its mutex
//     Boundaries     immutable
//
// Shared by all searchers of one search: SearchState, with atomics and a mutex for its end. All
// else belongs to one worker and its thread, except for two things that the status line reads:
// CurrentDirectory, under its mutex, and the published Counts, which are atomics.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "ffind/searcher.h"
#include "search/entrance.h"
#include "search/frontier.h"
#include "search/state.h"
#include "search/thread_limit.h"
#include "search/worker_threads.h"

namespace ffind::search {

/// One walk: starts the workers, as many as the ThreadLimit allows and the pending directories
/// justify, and adds up their counts.
class Walker {
 public:
  /// `directories` lists directories, `file_system` does everything else. The frontier may keep
  /// `descriptors` open. Entries in `emitted`, if it is not null, are not emitted again.
  Walker(const Task& task, const ThreadBounds& threads, SearchState& state,
         os::FileSystem& file_system, os::DirectoryReaders& directories, std::size_t descriptors,
         const EmittedSet* emitted);

  /// Blocks until `roots`, which are the task's, are walked or the search is stopped. The calling
  /// thread is the first worker.
  void run(const std::vector<const Root*>& roots);

  /// Adds the counts of the workers that have ended, and the volumes left out. Thread-safe.
  void add_to(SearchResult& result);

 private:
  friend class Worker;

  /// Starts workers until there are enough for the pending directories. `crowded_directory`: an
  /// idle worker could also help with the directory being read.
  void consider_more_workers(bool crowded_directory);
  bool consider_another_worker(bool crowded_directory);
  /// Passes a worker's times to the thread limit and applies the new limit.
  void report(const WorkTimes& times);
  bool is_enough(std::size_t pending, unsigned workers) const;
  void work();

  SearchState& state_;
  const WalkFacts facts_;
  Frontier frontier_;
  ThreadLimit limit_;
  LeftOut left_out_;
  std::atomic<unsigned> workers_{1};

  WorkerThreads threads_;

  std::mutex mutex_;  ///< guards what follows
  Statistics statistics_;
};

/// Directory that a worker is reading, for the status line. Set by the worker, read by any thread.
class CurrentDirectory {
 public:
  ~CurrentDirectory() { Node::release(node_); }
  /// Stores only the node: the status line spells the path, at most ten times a second. The lock
  /// and the two references cost some 40 ns; a directory of a local disk takes a hundred times
  /// that.
  void set(Node* node) {
    node->add_reference();
    {
      const std::lock_guard lock(mutex_);
      std::swap(node_, node);
    }
    Node::release(node);
  }
  /// Thread-safe; empty before the first directory.
  std::string path() {
    const std::lock_guard lock(mutex_);
    return node_ != nullptr ? node_->display_name() : std::string();
  }

 private:
  std::mutex mutex_;
  Node* node_ = nullptr;  ///< referenced
};

/// One thread of a walk. Takes work from the frontier, reads directories, passes their entries
/// through its Entrance, and pushes the directories to enter. Shares the rest of its work when
/// other workers are idle. Belongs to its thread.
class Worker final : public Entrance {
 public:
  explicit Worker(Walker& walker);

  /// Works until the frontier is exhausted or the search is stopped.
  void run();

  std::string where() override { return current_directory_.path(); }

 private:
  // Reading a directory: opened, read block by block, paused or shared, closed
  void carry_out(Work& work);
  void report_times();
  void enter_root(Node* node);
  bool offer_listed_root(const Root& root);
  bool may_enter_root(Node& node);
  void enter(Node* parent, const Work& work);
  bool identify(Node& node);
  bool is_of_another_device(const Node& node) const;
  bool closes_a_loop(const Node& node);
  void read(Node* node);
  void look_for_sidecars(Node& node);
  void finish(Node* node, std::size_t uses = 1);

  // Sharing work with other workers
  bool hand_over(Node* node, bool more);
  void choose_room(const Node& node);
  bool enough_children() const;
  /// With `read_on`, reading of the node resumes after its children have been taken.
  void push_children(Node* node, bool read_on = false);
  void share_children(Node* node);
  void give_back_run();
  bool is_slow() const;
  bool take_long();
  void share_block(Node* node);
  bool may_be_held_up() const;
  void leave_rest_to_others() override;
  void consider_share(Work& work);
  void consider_block(Node* node);

  Walker& walker_;
  Frontier& frontier_;
  const bool slow_volume_;
  const bool may_loop_;         ///< by a link, or because a server lists a directory in itself
  const bool calls_per_entry_;  ///< entries may take calls of their own
  const bool reads_attributes_;
  const Needs root_needs_;  ///< of a root that is an entry itself

  Frontier::Caller caller_;  ///< has the output if lines have an order
  CurrentDirectory current_directory_;
  StallMeter meter_;

  os::DirentBlock block_;
  bool reads_parts_ = false;      ///< pause after a part: much is pending already
  int own_entries_left_ = 1;      ///< until the next timing check
  std::uint64_t work_seen_ = 0;   ///< files read and commands run at the last check
  std::uint64_t stats_seen_ = 0;  ///< entries queried at the last check
  Work* run_ = nullptr;           ///< names being entered; null during other work
};

}  // namespace ffind::search
