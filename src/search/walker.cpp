// SPDX-License-Identifier: MIT
// Starting and ending of workers. What a worker does is in worker.cpp.
#include "search/walker.h"

#include <system_error>
#include <utility>

#include "search/worker.h"

namespace ffind::search {
namespace {

/// Pending directories for each worker before another thread pays: starting one costs about as
/// much as reading four of a local disk's directories (30 us to 8 us, measured warm).
constexpr std::size_t pending_per_worker = 8;

}  // namespace

Walker::Walker(const Task& task, SearchState& state, os::FileSystem& file_system,
               os::DirectoryReaders& directories, std::size_t descriptors,
               const EmittedSet* emitted)
    : task_(task),
      state_(state),
      file_system_(file_system),
      directories_(directories),
      boundaries_(task),
      emitted_(emitted),
      frontier_(descriptors, file_system, task.volume.kind == VolumeKind::network),
      limit_({.planned = task.threads,
              .most = task.most_threads,
              .busy = task.busy_threads,
              .on_device = task.volume.kind != VolumeKind::network}) {}

void Walker::run(const std::vector<const Root*>& roots) {
  if (roots.empty()) return;
  // In reverse, since the frontier gives the last first.
  for (auto root = roots.rbegin(); root != roots.rend(); ++root) {
    frontier_.push_root(Node::make(nullptr, **root, {}, (*root)->depth));
  }
  frontier_.add_worker();
  work();
  // In a search that was stopped, a worker may start another one while we wait for it.
  while (true) {
    std::vector<std::thread> started;
    {
      const std::lock_guard lock(mutex_);
      started.swap(threads_);
    }
    if (started.empty()) return;
    for (std::thread& thread : started) thread.join();
  }
}

/// Whether so many pending directories are enough for one more than `workers`. A volume that
/// answers slowly wants its workers at once.
bool Walker::is_enough(std::size_t pending, unsigned workers) const {
  const bool slow = task_.volume.kind == VolumeKind::network || limit_.raised();
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

bool Walker::consider_another_worker(bool crowded_directory) {
  const unsigned count = workers_.load(std::memory_order_relaxed);
  if (count >= limit_.threads() || frontier_.someone_waits()) return false;
  if (!crowded_directory && !is_enough(frontier_.pending(), count)) return false;

  const std::lock_guard lock(mutex_);
  if (workers_.load(std::memory_order_relaxed) != count) return false;
  frontier_.add_worker();
  try {
    threads_.emplace_back([this] { work(); });
    workers_.store(count + 1, std::memory_order_relaxed);
    state_.it_lasts();
    return true;
  } catch (const std::system_error&) {
    // No more threads available: those that run will do.
    frontier_.remove_worker();
    workers_.store(limit_.most(), std::memory_order_relaxed);
    return false;
  }
}

void Walker::add_to(SearchResult& result) {
  const std::lock_guard lock(mutex_);
  result.statistics += statistics_;
  if (statistics_.threads > task_.threads) {
    result.statistics.added_threads += statistics_.threads - task_.threads;
  }
  left_out_.append_to(result.left_out);
}

const Root& Walker::correct(Root root) {
  const std::lock_guard lock(mutex_);
  return corrected_.emplace_back(std::move(root));
}

}  // namespace ffind::search
