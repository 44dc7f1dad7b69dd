// SPDX-License-Identifier: MIT
// The walk from outside: its roots become work, workers are started and joined, and their totals
// added up.
#include "search/walker.h"

namespace ffind::search {
namespace {

/// Pending directories per worker before another thread pays: starting one costs about as much as
/// reading four of a local disk's directories (30 us to 8 us, measured warm).
constexpr std::size_t pending_per_worker = 8;

}  // namespace

Walker::Walker(const Task& task, const ThreadBounds& threads, SearchState& state,
               os::FileSystem& file_system, os::DirectoryReaders& directories,
               std::size_t descriptors, const EmittedSet* emitted)
    : state_(state),
      facts_{task, file_system, directories, Boundaries(task), Boundaries(task.mounted), emitted},
      frontier_(descriptors, task.volume.kind == VolumeKind::network),
      limit_(threads) {}

void Walker::run(const std::vector<const Root*>& roots) {
  if (roots.empty()) return;
  const auto node_of = [](const Root* root) { return Node::make(nullptr, *root, {}, root->depth); };
  if (state_.matcher().scope().parents_first) {
    for (const Root* const root : roots) frontier_.queue_root(node_of(root));
  } else {
    // In reverse, since the frontier is last in, first out.
    for (auto root = roots.rbegin(); root != roots.rend(); ++root) {
      frontier_.push_root(node_of(*root));
    }
  }
  frontier_.add_worker();
  work();
  threads_.join();
}

/// Returns whether `pending` directories justify one more worker than `workers`. A slow volume
/// wants its workers at once.
bool Walker::is_enough(std::size_t pending, unsigned workers) const {
  const bool slow = facts_.task.volume.kind == VolumeKind::network || limit_.raised();
  return pending >= workers * (slow ? std::size_t{1} : pending_per_worker);
}

void Walker::work() {
  Worker worker(*this);
  worker.run();
  const std::lock_guard lock(mutex_);
  statistics_ += worker.statistics();
}

void Walker::report(const WorkTimes& times) {
  if (!limit_.report(times)) return;
  frontier_.allow(limit_.threads());
  consider_more_workers(false);
}

void Walker::consider_more_workers(bool crowded_directory) {
  while (consider_another_worker(crowded_directory)) crowded_directory = false;
}

/// Starts a worker if that pays; false if not. The first tests take no mutex, since workers call
/// this for each directory with children.
bool Walker::consider_another_worker(bool crowded_directory) {
  const unsigned count = workers_.load(std::memory_order_relaxed);
  if (count >= limit_.threads() || frontier_.someone_waits()) return false;
  if (!crowded_directory && !is_enough(frontier_.pending(), count)) return false;

  const std::lock_guard lock(mutex_);
  if (workers_.load(std::memory_order_relaxed) != count) return false;
  // Counted before it runs: the walk must not end between now and its first pop().
  frontier_.add_worker();
  if (!threads_.start([this] { work(); })) {
    // Make do with those that run, and do not try again.
    frontier_.remove_worker();
    workers_.store(limit_.most(), std::memory_order_relaxed);
    return false;
  }
  workers_.store(count + 1, std::memory_order_relaxed);
  state_.mark_long_running();
  return true;
}

void Walker::add_to(SearchResult& result) {
  const std::lock_guard lock(mutex_);
  result.statistics += statistics_;
  if (statistics_.threads > limit_.planned()) {
    result.statistics.added_threads += statistics_.threads - limit_.planned();
  }
  left_out_.append_to(result.left_out);
}

}  // namespace ffind::search
