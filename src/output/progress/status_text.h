// SPDX-License-Identifier: MIT
// How far a search is, in words: for the line on a terminal, for a log, for a program. Used by the
// progress reporter. Pure; knows no terminal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "ffind/entry.h"
#include "ffind/progress.h"

namespace ffind::output {

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

}  // namespace ffind::output
