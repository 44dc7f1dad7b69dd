// SPDX-License-Identifier: MIT
// When progress is told, and how fast it goes. Used by the progress reporter. Pure: time is handed
// in, in nanoseconds since the search began.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>

#include "ffind/entry.h"

namespace ffind {

/// How progress is told without being asked for.
enum class Telling : std::uint8_t {
  never,
  line,      ///< one line of a terminal, drawn again and again
  messages,  ///< whole lines from time to time
};

class Pace {
 public:
  explicit Pace(Telling telling) : telling_(telling) {}

  /// How long nothing is to be done; none: for ever.
  std::optional<Nanoseconds> rest(Nanoseconds now) const;
  /// Whether it is time to tell; if so, it is not for a while.
  bool is_due(Nanoseconds now);

 private:
  /// Who waits no longer than this for the end need not be told that it takes long.
  static constexpr Nanoseconds first_telling = 1'000'000'000;
  /// Fast enough to look alive, slow enough to be read.
  static constexpr Nanoseconds between_lines = 100'000'000;
  /// In a log, an hour is 360 lines.
  static constexpr Nanoseconds between_messages = 10'000'000'000;

  const Telling telling_;
  Nanoseconds next_ = first_telling;
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

}  // namespace ffind
