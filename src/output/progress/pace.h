// SPDX-License-Identifier: MIT
// When progress is shown, and how fast it goes. Used by the progress reporter. Pure: time is handed
// in, in nanoseconds since the search began.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>

#include "ffind/entry.h"

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

}  // namespace ffind::output
