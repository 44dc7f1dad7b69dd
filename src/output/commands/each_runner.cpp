// SPDX-License-Identifier: MIT
// A queue that is short: slow commands hold the search back. See each_runner.h.
#include "output/commands/each_runner.h"

#include <algorithm>
#include <system_error>

#include "os/processes.h"

namespace ffind::output {
namespace {

/// Those of a command, and of the way to its directory.
constexpr std::size_t descriptors_per_job = os::Processes::descriptors_per_run + 2;

/// 0: one at a time, with our own streams and without a pipe.
unsigned affordable(unsigned jobs) {
  const std::size_t most = spare_descriptors() / descriptors_per_job;
  return static_cast<unsigned>(std::min<std::size_t>(most, jobs));
}

}  // namespace

EachRunner::EachRunner(const ActionContext& context)
    : in_directory_(context.action.in_directory),
      in_order_(context.action.in_order),
      jobs_(affordable(context.action.jobs)),
      executor_(context, jobs_ > 0) {}

std::size_t EachRunner::descriptors() const {
  return 1 + std::max(1U, jobs_) * descriptors_per_job;
}

bool EachRunner::take(std::span<const Match> matches) {
  if (jobs_ > 0) {
    return std::all_of(matches.begin(), matches.end(),
                       [this](const Match& match) { return push(match.path); });
  }
  const std::lock_guard lock(one_at_a_time_);
  return std::all_of(matches.begin(), matches.end(),
                     [this](const Match& match) { return run(std::string(match.path)); });
}

bool EachRunner::push(std::string_view path) {
  std::unique_lock lock(mutex_);
  has_room_.wait(lock, [this] { return waiting_.size() < 2 * jobs_ || executor_.stopped(); });
  if (executor_.stopped()) return false;
  waiting_.emplace_back(path);
  if (idle_ < waiting_.size() && threads_.size() < jobs_) add_thread();
  if (threads_.empty()) {
    waiting_.pop_back();
    lock.unlock();
    return run(std::string(path));
  }
  has_work_.notify_one();
  return true;
}

void EachRunner::add_thread() {
  try {
    threads_.emplace_back([this] { work(); });
  } catch (const std::system_error&) {
    // Fewer will do; without any, who searches runs the commands.
  }
}

void EachRunner::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    ++idle_;
    has_work_.wait(lock, [this] { return !waiting_.empty() || over_; });
    --idle_;
    if (waiting_.empty()) return;
    const std::string path = std::move(waiting_.front());
    waiting_.pop_front();
    const std::uint64_t number = started_++;
    lock.unlock();
    has_room_.notify_one();
    const bool goes_on = run(path, in_order_ ? std::optional(number) : std::nullopt);
    lock.lock();
    if (goes_on) continue;
    waiting_.clear();
    has_room_.notify_all();
  }
}

bool EachRunner::run(const std::string& path, std::optional<std::uint64_t> number) {
  if (!in_directory_) return executor_.run({}, &path, 1, number);
  const auto [directory, name] = split_path(path);
  const std::string local = "./" + std::string(name);
  return executor_.run(directory, &local, 1, number);
}

void EachRunner::finish() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  has_work_.notify_all();
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

}  // namespace ffind::output
