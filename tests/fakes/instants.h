// SPDX-License-Identifier: MIT
// Instants written as one number of nanoseconds.
#pragma once

#include "ffind/entry.h"

namespace ffind {

/// `nanoseconds` after the beginning of 1970.
constexpr Instant after_1970(std::int64_t nanoseconds) {
  constexpr std::int64_t second = 1'000'000'000;
  const std::int64_t rest = (nanoseconds % second + second) % second;
  return {nanoseconds / second - (nanoseconds % second < 0 ? 1 : 0),
          static_cast<std::int32_t>(rest)};
}

}  // namespace ffind
