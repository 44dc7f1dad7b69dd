// SPDX-License-Identifier: MIT
// Tickets and the end of a search; errors that are issues and those that are only counted.
//
// A limited search keeps two counters. tickets_ numbers the matches: those up to the limit are
// emitted. unwritten_ counts records that have a ticket and are still in a lane's buffer; wait()
// does not return before it is 0, so that `-n 10` prints ten records although a worker hangs in a
// call to a dead server. Without a limit both stay 0, and matches cost no shared write.
#include "search/state.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <utility>

#include "os/files.h"

namespace ffind::search {

void SearchState::report_walked_instead(const Task& task, const std::string& why_not) {
  const std::string& name = task.volume.mount_point;
  sink_.notice(name.empty() ? task.roots.front().open_path : name,
               why_not + "; walking it instead");
}

bool SearchState::take_ticket() {
  if (limit_ == unlimited) return true;
  // Counted before the ticket is taken: the last ticket stops the search, and wait() must not see 0
  // while another worker has a ticket and no record yet.
  unwritten_.fetch_add(1);
  const std::uint64_t ticket = tickets_.fetch_add(1);
  if (ticket + 1 >= limit_) stop();
  if (ticket < limit_) return true;
  // Beyond the limit: no record will follow.
  records_written(1);
  return false;
}

void SearchState::records_written(std::uint64_t count) {
  if (limit_ == unlimited || count == 0) return;
  // Only the last record of a stopped search wakes wait(). The mutex is taken so that the notice
  // does not fall between its test and its sleep.
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

// Tasks that end by themselves end the first wait. A stopped search has 100 ms more for its
// workers; then run_search() detaches the threads.
bool SearchState::wait(std::size_t tasks) {
  std::unique_lock lock(mutex_);
  const auto done = [&] { return tasks_done_ == tasks; };
  changed_.wait(lock, [&] { return done() || (stopped() && unwritten_.load() == 0); });
  // Workers that do not hang notice the stop within one directory.
  return changed_.wait_for(lock, std::chrono::milliseconds(100), done);
}

bool is_gone(int error) {
  return os::leads_nowhere(error);
}

void IssueReporter::report(std::string path, const char* operation, int error, std::string detail) {
  // Contents in a cloud are not downloaded; one line at the end of the search counts them.
  if (error == EDEADLK) {
    ++counts_.not_local_files;
    return;
  }
  ++counts_.issues;
  state_.sink().report({std::move(path), operation, error, std::move(detail)});
}

void IssueReporter::report_entry(Entry& entry, const char* operation, int error,
                                 std::string detail) {
  if (error == EDEADLK && entry.type == FileType::directory) {
    ++counts_.not_local_directories;
    return;
  }
  entry.require(needs::directory);
  report(std::string(entry.directory).append(entry.name), operation, error, std::move(detail));
}

void IssueReporter::fail(Entry& entry, const char* operation, int error) {
  if (is_gone(error) && !state_.matcher().scope().list_roots) {
    ++counts_.vanished;  // find(1) reports it
  } else {
    report_entry(entry, operation, error);
  }
}

void IssueReporter::pass_over(std::string path, DirectoryStep step, int error) {
  if (error == ESTALE && step == DirectoryStep::open) {
    report(std::move(path), "", 0, "its root is not the directory that was opened");
  } else if (error == EDEADLK) {
    ++counts_.not_local_directories;
  } else if (is_gone(error) && !state_.matcher().scope().list_roots) {
    ++counts_.vanished;  // find(1) reports it
  } else {
    report(std::move(path), step == DirectoryStep::read ? "read directory" : "", error);
  }
}

void IssueReporter::report_unknown(Entry& entry, Unknown what) {
  if (!state_.is_first(what)) return;
  const bool flags = what == Unknown::flags;
  entry.require(needs::directory);
  report(std::string(entry.directory).append(entry.name),
         flags ? "read its flags" : "look up its account", 0,
         flags ? "its file system does not report them (reported once)"
               : "the system's accounts do not answer (reported once)");
}

}  // namespace ffind::search
