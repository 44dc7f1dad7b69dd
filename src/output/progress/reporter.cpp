// SPDX-License-Identifier: MIT
// A thread that sleeps, looks and reports. See reporter.h.
#include "output/progress/reporter.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include "os/machine.h"
#include "os/terminal.h"

namespace ffind::output {

struct ProgressReporter::State {
  State(ProgressStyle how, ProgressAccess search, Writer& out, std::vector<Chore> others)
      : style(how),
        access(std::move(search)),
        writer(out),
        pace(how.form),
        chores(std::move(others)) {}

  const ProgressStyle style;
  const ProgressAccess access;
  Writer& writer;
  const Nanoseconds begin = os::monotonic_now();
  std::atomic<const char*> doing_last{""};

  std::mutex mutex;   ///< held while something is shown; guards what follows
  bool over = false;  ///< the writer and the search may be gone
  bool started = false;
  bool watching = false;
  Pace pace;
  Rate rate;
  std::vector<Chore> chores;  ///< that are still to be done

  void run();
  std::optional<Nanoseconds> rest() const;
  void do_chores();
  void answer(std::unique_lock<std::mutex>& lock);
  void tell();
  StatusMoment moment();
  void write_message();
  Nanoseconds elapsed() const { return os::monotonic_now() - begin; }
};

ProgressReporter::ProgressReporter(ProgressStyle style, ProgressAccess access, Writer& writer,
                                   std::vector<Chore> chores)
    : state_(std::make_shared<State>(style, std::move(access), writer, std::move(chores))) {
  // From the start: a search that hangs may hang in the first directory.
  state_->watching = style.form != ProgressForm::never;
  if (state_->watching) state_->access.watch();
  if (style.form == ProgressForm::line) os::erase_status_when_interrupted();
  if (state_->watching) starter()();
}

std::function<void()> ProgressReporter::starter() {
  return [state = state_] {
    const std::lock_guard lock(state->mutex);
    if (state->over || std::exchange(state->started, true)) return;
    try {
      std::thread([state] { state->run(); }).detach();
    } catch (const std::system_error&) {
      // The search needs them more.
    }
  };
}

ProgressReporter::~ProgressReporter() {
  const std::lock_guard lock(state_->mutex);
  state_->over = true;
  state_->writer.hide_status();
}

void ProgressReporter::search_is_over(const char* what) {
  state_->doing_last.store(what, std::memory_order_relaxed);
}

void ProgressReporter::State::run() {
  std::unique_lock lock(mutex);
  while (!over) {
    const std::optional<Nanoseconds> at_most = rest();
    lock.unlock();
    const bool asked = os::wait_for_status_request(at_most);
    lock.lock();
    if (!over) do_chores();
    if (asked && !over) answer(lock);
    if (!over && pace.is_due(elapsed())) tell();
  }
}

/// None: until somebody asks.
std::optional<Nanoseconds> ProgressReporter::State::rest() const {
  const Nanoseconds now = elapsed();
  std::optional<Nanoseconds> shortest = pace.rest(now);
  for (const Chore& chore : chores) {
    const Nanoseconds left = std::max<Nanoseconds>(0, chore.due - now);
    shortest = std::min(shortest.value_or(left), left);
  }
  return shortest;
}

void ProgressReporter::State::do_chores() {
  const Nanoseconds now = elapsed();
  for (Chore& chore : chores) {
    if (chore.due > now) continue;
    chore.run();
    if (chore.every) chore.due = now + *chore.every;
  }
  const auto is_done = [&](const Chore& chore) { return chore.due <= now; };
  chores.erase(std::remove_if(chores.begin(), chores.end(), is_done), chores.end());
}

void ProgressReporter::State::answer(std::unique_lock<std::mutex>& lock) {
  if (!watching) {
    // Long enough for the threads to come to their next directory.
    constexpr std::chrono::milliseconds while_they_say_where{50};
    access.watch();
    watching = true;
    lock.unlock();
    std::this_thread::sleep_for(while_they_say_where);
    lock.lock();
  }
  if (!over) write_message();
}

void ProgressReporter::State::write_message() {
  const StatusMoment now = moment();
  writer.write_message(style.json ? status_record(now) : status_message(now));
}

void ProgressReporter::State::tell() {
  if (style.form == ProgressForm::messages) return write_message();
  // What runs behind something else has no business on its screen.
  const std::size_t columns = writer.status_columns();
  if (columns < 2) return writer.hide_status();
  // A character in the last column makes some terminals begin a new line.
  writer.show_status(status_line(moment(), columns - 1));
}

StatusMoment ProgressReporter::State::moment() {
  StatusMoment now;
  now.search = access.look();
  now.elapsed = elapsed();
  now.rate = rate.add(now.elapsed, now.search.entries);
  now.doing_last = doing_last.load(std::memory_order_relaxed);
  return now;
}

}  // namespace ffind::output
