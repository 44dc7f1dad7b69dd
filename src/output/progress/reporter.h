// SPDX-License-Identifier: MIT
// Tells a person how far the search is: from time to time, and whenever SIGUSR1 or Ctrl-T asks.
// Made by cli for the time of one search; what it shows goes through the writer, which keeps it out
// of the results' way.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "ffind/progress.h"
#include "output/progress/pace.h"
#include "output/progress/status_text.h"
#include "output/writer.h"

namespace ffind::output {

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
