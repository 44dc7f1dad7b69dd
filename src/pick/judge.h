// SPDX-License-Identifier: MIT
// Decides which entries of the store match the query, for a Narrower (list.h).
//
//     Judge          goes over the store in slices of 16,384 entries. Its threads take a piece of a
//                    slice each and run the matcher on what the store knows.
//     LateLoads      reads files for what the store does not know: for entries that the Judge could
//                    not decide, and for values that the ListOrder sorts by. Its threads may be
//                    stuck in the kernel; one that has been in a call for 0.3 s is not waited for.
//     NarrowShared   state that these two and the ListOrder have in common, one mutex above all. It
//                    is locked for moments: no thread judges, loads or sorts with it.
//
// Each query and each order has a generation; work for an older one is dropped.
//
// If the prompt is nothing but texts in the path, the Ranker decides (ranking.h). Otherwise an
// entry goes through up to three tests, the last of which may block:
//
//     may_emit()    could it match, whatever is unknown of it?    no ─▶ dropped
//     emits()       does it match by what the store knows?        yes ─▶ matches
//     otherwise     undecided ─▶ LateLoads ─▶ emits() with a loader, which reads the file
//
// A query that only extends the last one (Narrowing::grew) is tested on the matches and the
// undecided entries of that, and on entries that were found since.
//
// Matches are ranked as they are found (ranking.h). If there are none in the end, a second pass
// looks for the letters apart; it has the generation of the first, so that a list of either is the
// list of that query.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "ffind/entry.h"
#include "ffind/query.h"
#include "pick/list.h"
#include "pick/ranking.h"
#include "pick/store.h"

namespace ffind::pick {

/// State common to the parts of one Narrower.
struct NarrowShared {
  const std::shared_ptr<EntryStore> store;
  const LateLoaderFactory late;              ///< null: nothing is loaded
  const std::function<void()> changed;       ///< may be null
  std::weak_ptr<void> owner{};               ///< locked by each thread for as long as it runs
  std::atomic<std::uint64_t> generation{0};  ///< of the query; goes up with each
  std::atomic<std::uint64_t> order_generation{0};
  std::atomic<bool> ending{false};  ///< the threads are to end

  std::mutex mutex{};  ///< guards what follows, and all of the parts that is not marked as free
  std::condition_variable ordering{};  ///< for the ordering thread
  std::uint64_t version = 0;           ///< goes up with each change of the matches
  bool is_ordered = false;             ///< the wanted order has to be made

  /// Call with the lock, after any change of the matches or of the work that is left.
  void has_changed() {
    ++version;
    if (is_ordered) ordering.notify_all();
    if (changed) changed();
  }
};

/// A reason to load entries.
struct LateTask {
  std::shared_ptr<const Matcher> matcher{};  ///< decides about them; null: `wanted` is loaded
  Needs wanted = needs::none;
  std::uint64_t generation = 0;  ///< of the query, or of the order without a matcher

  bool judges() const { return matcher != nullptr; }
};

/// Loads entries in threads of its own. Call with the lock, except where it says so.
class LateLoads {
 public:
  struct Clients {
    /// Takes the entries that were loaded, and those of them that match. Called with the lock, for
    /// tasks that are current.
    std::function<void(const LateTask& task, const std::vector<EntryId>& loaded,
                       const std::vector<EntryId>& matching)>
        take;
    /// Called with the lock when nothing is left to load.
    std::function<void()> done;
  };

  LateLoads(NarrowShared& shared, unsigned threads, Clients clients)
      : shared_(shared), thread_count_(threads), clients_(std::move(clients)) {}

  /// Starts the threads unless they run: before the first add(). Makes do with fewer.
  void start();
  /// True if the system had no thread.
  bool lacks_threads() const { return lacks_threads_; }
  /// Adds work. `ids` ascend; if the task judges they are of one slice.
  void add(const LateTask& task, const std::vector<EntryId>& ids);
  /// Drops the work that judges, or else the work that does not.
  void drop(bool judging);
  /// True if no work is left, except for entries on volumes that do not answer.
  bool done() const;

  unsigned threads() const { return static_cast<unsigned>(threads_.size()); }
  /// Wakes all threads, once NarrowShared::ending is set.
  void wake() { loading_.notify_all(); }
  /// Waits a moment for the threads, which were woken. Returns false if some are left behind. Call
  /// without the lock.
  bool join();

 private:
  /// Part of a task, for one thread: entries of one root.
  struct Chunk {
    LateTask task{};
    std::vector<EntryId> ids{};
  };
  struct Thread {
    AbandonableThread thread{};
    const LateTask* task = nullptr;     ///< null: it has nothing to do
    std::atomic<Nanoseconds> began{0};  ///< when it turned to its entry; read and written freely
  };

  void run(Thread& self);
  void load(std::unique_lock<std::mutex>& lock, Thread& self, Chunk& chunk, LateLoader& loader);
  bool is_current(const LateTask& task) const;
  static bool is_stuck(const Thread& thread, Nanoseconds now);
  bool are_all_busy() const;
  void note_progress();

  NarrowShared& shared_;
  const unsigned thread_count_;
  const Clients clients_;
  std::condition_variable loading_;
  std::deque<Chunk> chunks_;
  std::deque<Thread> threads_;
  bool was_done_ = true;
  bool lacks_threads_ = false;
};

/// Matches of each slice; null: not judged yet.
using Slices = std::vector<std::shared_ptr<const SliceMatches>>;

/// Decides which entries match. Call with the lock, except where it says so.
class Judge {
 public:
  Judge(NarrowShared& shared, LateLoads& late) : shared_(shared), late_(late) {}

  /// Drops the pass for the last query and starts the next.
  void set_query(Narrowing query, std::uint64_t generation);
  /// A thread's life. Call without the lock.
  void run();
  /// Takes what LateLoads found out.
  void take_loaded(const std::vector<EntryId>& loaded, const std::vector<EntryId>& matching);
  /// Call when nothing more will be found.
  void search_is_over();
  /// Wakes the threads: there is more in the store, or they are to end.
  void wake() { judging_.notify_all(); }

  Slices slices() const;
  /// As of now, in the order found.
  PickList::State state() const;
  std::size_t matches() const { return matches_; }
  /// True if the matches have ranks.
  bool is_ranked() const { return criteria_.ranking != nullptr; }
  /// True if all entries in the store are judged by what it knows.
  bool has_judged_all() const { return looked_at_ == shared_.store->size(); }
  /// Entries that were judged by what is in the store. Free.
  std::size_t judged() const { return judged_; }

 private:
  /// State of a thread that judges, kept from one piece to the next.
  struct Worker {
    std::unique_ptr<StoreCursor> reader{};
    std::unique_ptr<Ranker> ranker{};  ///< null if nothing is ranked
    std::uint64_t pass = 0;            ///< that both are for
  };
  struct Slice {
    std::shared_ptr<const SliceMatches> source{};  ///< what may match; null: every entry
    std::shared_ptr<const SliceMatches> result{};
    bool taken = false;  ///< a thread judges entries of it
  };
  /// Entries that one thread judges: the end of one slice.
  struct Piece {
    std::uint64_t generation = 0;
    std::uint64_t pass = 0;
    std::size_t slice = 0;
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    Criteria criteria{};
    ListPlace place{};
    std::shared_ptr<const SliceMatches> source{};
  };

  bool take_piece(Piece& piece);
  void prepare(Worker& worker, const Criteria& criteria, std::uint64_t pass) const;
  bool judge_piece(const Piece& piece, Worker& worker, SliceMatches& found);
  void accept(const Piece& piece, SliceMatches found);
  std::vector<Rank> ranks_of(const std::vector<EntryId>& ids);
  void begin_pass(Criteria criteria);
  void try_apart();

  NarrowShared& shared_;
  LateLoads& late_;
  std::condition_variable judging_;
  std::atomic<std::size_t> judged_{0};
  Criteria criteria_;
  Criteria apart_;         ///< of the present query
  ListPlace place_;        ///< likewise
  bool is_apart_ = false;  ///< the present pass is that of apart_
  bool search_is_over_ = false;
  std::uint64_t pass_ = 0;  ///< goes up with each
  std::vector<Slice> slices_;
  std::size_t handed_out_ = 0;  ///< entries that are judged, or were given to a thread
  std::size_t looked_at_ = 0;   ///< entries that are judged
  std::size_t undecided_ = 0;
  std::size_t matches_ = 0;
  Worker late_worker_;  ///< ranks what LateLoads found out
};

}  // namespace ffind::pick
