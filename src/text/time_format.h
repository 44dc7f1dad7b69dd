// SPDX-License-Identifier: MIT
// A format of strftime(3), as templates have it for times. Pure but for the local zone, which the C
// library knows.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "ffind/entry.h"

namespace ffind::text {

/// Immutable and thread-safe.
class TimeFormat {
 public:
  TimeFormat() = default;
  /// `text` as strftime reads it; %f is the nanoseconds.
  explicit TimeFormat(std::string_view text);

  /// Where in `text` something stands that strftime does not know; npos when all is well.
  static std::size_t find_unknown(std::string_view text);

  /// Appends `time` in the local zone.
  void append(std::string& out, Nanoseconds time) const;

 private:
  /// Each but the last is followed by nanoseconds. With a space behind, since strftime does not
  /// tell a text that is empty from one that does not fit.
  std::vector<std::string> parts_;
};

}  // namespace ffind::text
