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
      frontier_(descriptors, file_system) {}

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

void Walker::work() {
  Worker worker(*this);
  worker.run();
  const std::lock_guard lock(mutex_);
  statistics_ += worker.statistics();
}

void Walker::consider_another_worker(bool crowded_directory) {
  const unsigned count = workers_.load(std::memory_order_relaxed);
  if (count >= task_.threads || frontier_.someone_waits()) return;
  // A volume that answers slowly wants its workers at once.
  const std::size_t enough = task_.volume.kind == VolumeKind::network ? 1 : pending_per_worker;
  if (!crowded_directory && frontier_.pending() < count * enough) return;

  const std::lock_guard lock(mutex_);
  if (workers_.load(std::memory_order_relaxed) != count) return;
  frontier_.add_worker();
  try {
    threads_.emplace_back([this] { work(); });
    workers_.store(count + 1, std::memory_order_relaxed);
  } catch (const std::system_error&) {
    // No more threads available: those that run will do.
    frontier_.remove_worker();
    workers_.store(task_.threads, std::memory_order_relaxed);
  }
}

void Walker::add_to(SearchResult& result) {
  const std::lock_guard lock(mutex_);
  result.statistics += statistics_;
  left_out_.append_to(result.left_out);
}

const Root& Walker::correct(Root root) {
  const std::lock_guard lock(mutex_);
  return corrected_.emplace_back(std::move(root));
}

}  // namespace ffind::search
