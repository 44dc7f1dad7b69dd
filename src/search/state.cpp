// SPDX-License-Identifier: MIT
// Tickets, counts, and the end of a search. See state.h.
#include "search/state.h"

#include <chrono>

namespace ffind::search {

void SearchState::say_it_is_walked(const Task& task, const std::string& why_not) {
  const std::string& name = task.volume.mount_point;
  sink_.notice(name.empty() ? task.roots.front().open_path : name,
               why_not + "; walking it instead");
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

}  // namespace ffind::search
