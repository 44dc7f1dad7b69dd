// SPDX-License-Identifier: MIT
// Starting and ending of workers, boundaries, tickets. What a worker does is in worker.cpp.
#include "search/walker.h"

#include <algorithm>
#include <chrono>
#include <system_error>

#include "search/worker.h"

namespace ffind {
namespace {

std::string_view last_component(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

std::uint64_t length_bit(std::string_view name) {
  return std::uint64_t{1} << std::min<std::size_t>(name.size(), 63);
}

/// Pending directories for each worker before another thread pays: starting one costs about as
/// much as reading four of a local disk's directories (30 us to 8 us, measured warm).
constexpr std::size_t pending_per_worker = 8;

}  // namespace

Statistics& Statistics::operator+=(const Statistics& other) {
  directories += other.directories;
  entries += other.entries;
  matches += other.matches;
  stats += other.stats;
  vanished += other.vanished;
  not_local += other.not_local;
  issues += other.issues;
  threads += other.threads;
  return *this;
}

bool SearchState::take_ticket() {
  if (limit_ == unlimited) return true;
  unwritten_.fetch_add(1);
  const std::uint64_t ticket = tickets_.fetch_add(1);
  if (ticket + 1 >= limit_) stop();
  if (ticket < limit_) return true;
  records_written(1);
  return false;
}

void SearchState::records_written(std::uint64_t count) {
  if (limit_ == unlimited || count == 0) return;
  if (unwritten_.fetch_sub(count) != count || !stopped()) return;
  const std::lock_guard lock(mutex_);
  changed_.notify_all();
}

void SearchState::stop() {
  const std::lock_guard lock(mutex_);
  stop_.store(true, std::memory_order_relaxed);
  changed_.notify_all();
}

void SearchState::task_done() {
  const std::lock_guard lock(mutex_);
  ++tasks_done_;
  changed_.notify_all();
}

bool SearchState::wait(std::size_t tasks) {
  std::unique_lock lock(mutex_);
  const auto done = [&] { return tasks_done_ == tasks; };
  changed_.wait(lock, [&] { return done() || (stopped() && unwritten_.load() == 0); });
  // Workers that are well need no longer than a directory to see that it is over.
  return changed_.wait_for(lock, std::chrono::milliseconds(100), done);
}

Boundaries::Boundaries(const Task& task) : boundaries_(task.boundaries) {
  for (const Root& root : task.roots) {
    for (const std::string& path : root.covered) {
      boundaries_.push_back({.path = path, .entered = true});
    }
    for (const std::string& path : root.listed_elsewhere) {
      boundaries_.push_back({.path = path, .entered = true, .listed = false});
      hide_some_ = true;
    }
  }
  for (const Boundary& boundary : boundaries_)
    lengths_ |= length_bit(last_component(boundary.path));
}

bool Boundaries::may_be(std::string_view name) const {
  if ((lengths_ & length_bit(name)) == 0) return false;
  return std::any_of(boundaries_.begin(), boundaries_.end(), [&](const Boundary& boundary) {
    return last_component(boundary.path) == name;
  });
}

const Boundary* Boundaries::at(std::string_view canonical_path) const {
  for (const Boundary& boundary : boundaries_) {
    if (boundary.path == canonical_path) return &boundary;
  }
  return nullptr;
}

Walker::Walker(const Task& task, SearchState& state, os::FileSystem& file_system,
               std::size_t descriptors)
    : task_(task),
      state_(state),
      file_system_(file_system),
      boundaries_(task),
      frontier_(descriptors, file_system) {}

void Walker::run() {
  // In reverse, since the frontier gives the last first.
  for (auto root = task_.roots.rbegin(); root != task_.roots.rend(); ++root) {
    frontier_.push_root(Node::make(nullptr, *root, {}, root->depth));
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
    // No more threads to be had: those that run will do.
    frontier_.remove_worker();
    workers_.store(task_.threads, std::memory_order_relaxed);
  }
}

void Walker::add_to(SearchResult& result) {
  const std::lock_guard lock(mutex_);
  result.statistics += statistics_;
  result.left_out.insert(result.left_out.end(), left_out_.begin(), left_out_.end());
}

void Walker::meet_boundary(const Boundary& boundary) {
  if (!boundary.left_out) return;
  const std::lock_guard lock(mutex_);
  left_out_.push_back(boundary);
}

}  // namespace ffind
