// SPDX-License-Identifier: MIT
// Live progress of a search: from time to time, and on SIGUSR1 or Ctrl-T. Made by cli for one
// search; the Writer keeps the status line out of the way of results.
//
//     Rate               entries per second, over the last second.
//     StatusMoment       what a report says. status_line(), status_message() and status_record()
//                        format it as a line of a terminal, a message or an NDJSON record.
//     ProgressReporter   a thread that sleeps until a ScheduledTask is due, of which reports are
//     one.
//                        It is only started if there is something to do, and left asleep when the
//                        search is over.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ffind/entry.h"
#include "ffind/searcher.h"
#include "output/writer.h"

namespace ffind::output {

/// Form of progress that is shown without a request.
enum class ProgressForm : std::uint8_t {
  never,
  line,      ///< one line of a terminal, drawn again and again
  messages,  ///< whole lines from time to time
};

/// Recent rate, in entries per second.
class Rate {
 public:
  /// Returns the rate; `entries` is the total so far.
  std::uint64_t add(Nanoseconds now, std::uint64_t entries);

 private:
  struct Sample {
    Nanoseconds time = 0;
    std::uint64_t entries = 0;
  };
  std::deque<Sample> samples_{Sample{}};
};

struct StatusMoment {
  SearchProgress search;
  Nanoseconds elapsed = 0;
  std::uint64_t rate = 0;         ///< recent entries per second
  std::string_view doing_last{};  ///< not empty if the search is over and this task is not
};

/// Returns at most `columns`, without a newline, and with nothing that steers a terminal. A long
/// path is cut at its beginning, since its end says more.
std::string status_line(const StatusMoment& moment, std::size_t columns);

/// Returns `ffind: ...` and a newline, with all numbers in full.
std::string status_message(const StatusMoment& moment);

/// Returns an NDJSON object of type "progress" and a newline.
std::string status_record(const StatusMoment& moment);

struct ProgressStyle {
  ProgressForm form = ProgressForm::never;
  bool json = false;  ///< messages are NDJSON records
};

/// A task that the reporter's thread runs while the search does. It must not wait for long.
struct ScheduledTask {
  Nanoseconds due;                     ///< since the search began
  std::optional<Nanoseconds> every{};  ///< time to the next run; nullopt to run once
  std::function<void()> run{};
};

class ProgressReporter {
 public:
  /// Begins at once if there is a form to show. Tasks only run once it has begun.
  ProgressReporter(ProgressStyle style, Progress& progress, Writer& writer,
                   std::vector<ScheduledTask> tasks);
  /// Removes the status line.
  ~ProgressReporter();
  ProgressReporter(const ProgressReporter&) = delete;
  ProgressReporter& operator=(const ProgressReporter&) = delete;

  /// Returns a function that begins to report, unless that has begun. Any thread may call it, even
  /// when this reporter is gone. Requests made before are then replied to. If no thread can be
  /// started, nothing is reported. Starting a thread, and ending the process with one asleep, takes
  /// an empty search a fifth of its time.
  std::function<void()> starter();

  /// Call when the search is over; `what` names the task that is left.
  void search_is_over(const char* what);

 private:
  struct State;
  /// Shared with the thread, which is left asleep at the end.
  std::shared_ptr<State> state_;
};

}  // namespace ffind::output
