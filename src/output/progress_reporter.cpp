// SPDX-License-Identifier: MIT
// Rate, wording and thread of the progress reports.
//
//     main thread        ProgressReporter ──owns──▶ State ◀──shares── thread, in State::run()
//     status signal      SIGUSR1, SIGINFO ─▶ wait_for_status_request() ─▶ answer()
//
// run() sleeps until a request, or until the next task is due, which it then runs with the mutex.
// The destructor takes the mutex and sets `over`: from then on the thread touches nothing but its
// State. It is detached, and left in pselect(2) when the process ends.
#include "output/progress_reporter.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include "os/machine.h"
#include "os/terminal.h"
#include "output/messages.h"
#include "text/data_row.h"
#include "text/format.h"
#include "text/quoting.h"
#include "text/ranges.h"
#include "text/unicode.h"
#include "text/utf8.h"

namespace ffind::output {

std::uint64_t Rate::add(Nanoseconds now, std::uint64_t entries) {
  constexpr Nanoseconds window = 1'000'000'000;
  samples_.push_back({now, entries});
  // The oldest sample that is kept is the newest one outside the window.
  while (samples_.size() > 2 && now - samples_[1].time >= window) samples_.pop_front();
  const Sample& since = samples_.front();
  const double seconds = static_cast<double>(now - since.time) / 1e9;
  if (seconds <= 0 || entries <= since.entries) return 0;
  return static_cast<std::uint64_t>(static_cast<double>(entries - since.entries) / seconds);
}

namespace {

/// Searches that finish sooner show no progress.
constexpr Nanoseconds first_report = 1'000'000'000;
/// Fast enough to look alive, slow enough to be read.
constexpr Nanoseconds between_lines = 100'000'000;
/// In a log, an hour is 360 lines.
constexpr Nanoseconds between_messages = 10'000'000'000;

/// Fewer columns of a path say nothing.
constexpr std::size_t least_path = 12;

std::string short_number(std::uint64_t number) {
  std::string text;
  text::append_human_size(text, number, text::SizeUnits::decimal);
  return text;
}

/// "1 directory, 2 entries, 0 matches", with the numbers as `number` writes them.
std::string counts_text(const SearchProgress& search, std::string (*number)(std::uint64_t)) {
  return text::format("{}, {}, {}", counted(search.directories, "directory", "directories", number),
                      counted(search.entries, "entry", "entries", number),
                      counted(search.matches, "match", "matches", number));
}

/// Returns the end of the status: the directory, or the task that is left.
std::string place_text(const StatusMoment& moment) {
  if (!moment.doing_last.empty()) return std::string(moment.doing_last);
  return text::escaped(moment.search.where);
}

}  // namespace

/// ffind: 12k directories, 310k entries, 7 matches, 95k/s: .../lib/modules/6.1.0
///
/// Counts are cut at the end if they do not fit, a path at its beginning.
std::string status_line(const StatusMoment& moment, std::size_t columns) {
  std::string line = "ffind: " + counts_text(moment.search, short_number);
  if (moment.doing_last.empty()) line += text::format(", {}/s", short_number(moment.rate));
  if (line.size() > columns) line.resize(columns);
  const std::string place = place_text(moment);
  constexpr std::string_view separator = ": ";
  constexpr std::string_view left_out = "...";
  const std::size_t room = columns - line.size();
  if (place.empty() || room < separator.size() + least_path) return line;
  const std::size_t for_place = room - separator.size();
  line += separator;
  // Text for people may be wider than its bytes tell; the counts before it are ASCII.
  if (text::columns_of(place) <= for_place) return line + place;
  line += left_out;
  line += text::end_that_fits(place, for_place - left_out.size());
  return line;
}

/// ffind: 12034 directories, 310412 entries, 7 matches, 95120 entries/s, 3.3 s: /usr/lib
std::string status_message(const StatusMoment& moment) {
  std::string text = counts_text(moment.search, &std::to_string);
  text += text::format(", {} entries/s, {:.1f} s", moment.rate,
                       static_cast<double>(moment.elapsed) / 1e9);
  const std::string place = place_text(moment);
  if (!place.empty()) text += ": " + place;
  return message(text);
}

std::string status_record(const StatusMoment& moment) {
  constexpr std::uint64_t nanoseconds_per_millisecond = 1'000'000;
  std::string line;
  text::DataRow object(line);
  object.add("type", std::string_view("progress"));
  object.add("directories", moment.search.directories);
  object.add("entries", moment.search.entries);
  object.add("matches", moment.search.matches);
  object.add("milliseconds",
             static_cast<std::uint64_t>(moment.elapsed) / nanoseconds_per_millisecond);
  if (!moment.search.where.empty()) object.add_bytes("path", moment.search.where);
  object.end();
  return line;
}

struct ProgressReporter::State {
  State(ProgressStyle how, Progress& search, Writer& out, std::vector<ScheduledTask> others)
      : style(how), progress(search), writer(out), tasks(std::move(others)) {}

  const ProgressStyle style;
  Progress& progress;
  Writer& writer;
  const Nanoseconds begin = os::monotonic_now();
  std::atomic<const char*> doing_last{""};

  std::mutex mutex;   ///< also held while a report is shown; guards the members below
  bool over = false;  ///< the writer and the search may be gone
  bool started = false;
  bool watching = false;
  Rate rate;
  std::vector<ScheduledTask> tasks;  ///< still to be done

  /// `over` is read again whenever the mutex was released.
  void run() {
    std::unique_lock lock(mutex);
    while (!over) {
      // Without the mutex while it sleeps, so that the destructor does not wait.
      const std::optional<Nanoseconds> at_most = rest();
      lock.unlock();
      const bool asked = os::wait_for_status_request(at_most);
      lock.lock();
      if (!over) run_tasks();
      if (asked && !over) answer(lock);
    }
  }

  /// Returns the time until something is due; nullopt if only a request can be.
  std::optional<Nanoseconds> rest() const {
    const Nanoseconds now = elapsed();
    std::optional<Nanoseconds> shortest;
    for (const ScheduledTask& task : tasks) {
      const Nanoseconds left = std::max<Nanoseconds>(0, task.due - now);
      shortest = std::min(shortest.value_or(left), left);
    }
    return shortest;
  }

  /// Tasks that repeat get a new time, counted from now: runs that a pause delayed are not made up
  /// for. Those that do not are removed. Called with the mutex.
  void run_tasks() {
    const Nanoseconds now = elapsed();
    for (ScheduledTask& task : tasks) {
      if (task.due > now) continue;
      task.run();
      if (task.every) task.due = now + *task.every;
    }
    const auto is_done = [&](const ScheduledTask& task) { return task.due <= now; };
    tasks.erase(std::remove_if(tasks.begin(), tasks.end(), is_done), tasks.end());
  }

  /// Writes a message in reply to a signal, even if nothing is shown otherwise. Only then do the
  /// threads of the search begin to publish their directories, so the first answer waits for them.
  void answer(std::unique_lock<std::mutex>& lock) {
    if (!watching) {
      // Enough for the threads to come to their next directory.
      constexpr std::chrono::milliseconds while_they_say_where{50};
      progress.watch();
      watching = true;
      lock.unlock();
      std::this_thread::sleep_for(while_they_say_where);
      lock.lock();
    }
    if (!over) write_message();
  }

  void tell() {
    if (style.form == ProgressForm::messages) return write_message();
    // A background process must not draw on the screen of another.
    const std::size_t columns = writer.status_columns();
    if (columns < 2) return writer.hide_status();
    // A character in the last column makes some terminals begin a new line.
    writer.show_status(status_line(moment(), columns - 1));
  }

  StatusMoment moment() {
    StatusMoment now;
    now.search = progress.look();
    now.elapsed = elapsed();
    now.rate = rate.add(now.elapsed, now.search.entries);
    now.doing_last = doing_last.load(std::memory_order_relaxed);
    return now;
  }

  void write_message() {
    const StatusMoment now = moment();
    writer.write_message(style.json ? status_record(now) : status_message(now));
  }

  Nanoseconds elapsed() const { return os::monotonic_now() - begin; }
};

ProgressReporter::ProgressReporter(ProgressStyle style, Progress& progress, Writer& writer,
                                   std::vector<ScheduledTask> tasks)
    : state_(std::make_shared<State>(style, progress, writer, std::move(tasks))) {
  if (style.form == ProgressForm::never) return;
  // From the start, since a search that hangs may hang in its first directory.
  state_->watching = true;
  progress.watch();
  const bool lines = style.form == ProgressForm::line;
  if (lines) os::erase_status_when_interrupted();
  state_->tasks.push_back({first_report, lines ? between_lines : between_messages,
                           [state = state_.get()] { state->tell(); }});
  starter()();
}

/// The function keeps the State alive, not the reporter: a thread of an abandoned search may still
/// call it.
std::function<void()> ProgressReporter::starter() {
  return [state = state_] {
    const std::lock_guard lock(state->mutex);
    if (state->over || std::exchange(state->started, true)) return;
    try {
      std::thread([state] { state->run(); }).detach();
    } catch (const std::system_error&) {
      // The search needs the threads more.
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

}  // namespace ffind::output
