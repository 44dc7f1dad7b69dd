// SPDX-License-Identifier: MIT
// Tells a person how far the search is: from time to time, and whenever SIGUSR1 or Ctrl-T asks.
// Made by cli for the time of one search; what it shows goes through the writer, which keeps it out
// of the results' way.
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
#include "ffind/progress.h"
#include "output/writer.h"

namespace ffind::output {

/// How progress is shown without a request.
enum class ProgressForm : std::uint8_t {
  never,
  line,      ///< one line of a terminal, drawn again and again
  messages,  ///< whole lines from time to time
};

class Pace {
 public:
  explicit Pace(ProgressForm form) : form_(form) {}

  /// How long nothing is to be done; none: for ever.
  std::optional<Nanoseconds> rest(Nanoseconds now) const;
  /// Whether it is time to show it; if so, it is not for a while.
  bool is_due(Nanoseconds now);

 private:
  /// Whoever waits no longer than this for the end need not know that it takes long.
  static constexpr Nanoseconds first_delay = 1'000'000'000;
  /// Fast enough to look alive, slow enough to be read.
  static constexpr Nanoseconds between_lines = 100'000'000;
  /// In a log, an hour is 360 lines.
  static constexpr Nanoseconds between_messages = 10'000'000'000;

  const ProgressForm form_;
  Nanoseconds next_ = first_delay;
};

/// Entries a second of late.
class Rate {
 public:
  /// `entries` is what there was in all, `now`.
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
  std::uint64_t rate = 0;         ///< entries a second, of late
  std::string_view doing_last{};  ///< the search is over, and this is what takes time
};

/// At most so many columns, no newline, nothing that steers a terminal. The end of a path says more
/// than its beginning, which is left out when it is too long.
std::string status_line(const StatusMoment& moment, std::size_t columns);

/// `ffind: ...` and a newline, all numbers in full.
std::string status_message(const StatusMoment& moment);

/// The same as an NDJSON object and a newline: type "progress".
std::string status_record(const StatusMoment& moment);

struct ProgressStyle {
  ProgressForm form = ProgressForm::never;
  bool json = false;  ///< what is no line is an NDJSON record
};

/// What it asks of the search.
struct ProgressAccess {
  std::function<SearchProgress()> look;
  std::function<void()> watch;  ///< `look` is going to ask where the search is
};

/// What else its thread is to do while the search runs; it must not wait for long.
struct Chore {
  Nanoseconds due;                     ///< since the search began
  std::optional<Nanoseconds> every{};  ///< and again so much later; none: once
  std::function<void()> run{};
};

class ProgressReporter {
 public:
  /// Begins at once if it is to show something of itself. The chores are done once it has begun.
  ProgressReporter(ProgressStyle style, ProgressAccess access, Writer& writer,
                   std::vector<Chore> chores = {});
  /// No line is left.
  ~ProgressReporter();
  ProgressReporter(const ProgressReporter&) = delete;
  ProgressReporter& operator=(const ProgressReporter&) = delete;

  /// Begins to report, unless it has, whenever that is called; may be called by any thread and
  /// when this reporter is gone. Who asks before is answered then. If the system has no more
  /// threads, nothing is reported. To start a thread, and to end the process with one asleep,
  /// takes an empty search a fifth of its time.
  std::function<void()> starter();

  /// The search is over, and `what` takes the time that is left.
  void search_is_over(const char* what);

 private:
  struct State;
  /// Shared with the thread, which is left asleep when all is over.
  std::shared_ptr<State> state_;
};

}  // namespace ffind::output
