// SPDX-License-Identifier: MIT
// System calls that a signal interrupted are made again. Used wherever os makes calls.
#pragma once

#include <cerrno>

namespace ffind::os {

/// Signals come one by one; a file system that interrupts each call for no reason must not hold us
/// up for ever.
inline constexpr int most_interruptions = 100;

/// What `call` returns: below zero and errno where it fails, for another reason than EINTR unless
/// that is all it ever says.
template <typename Call>
auto uninterrupted(Call call) {
  auto result = call();
  for (int again = 0; result < 0 && errno == EINTR && again < most_interruptions; ++again) {
    result = call();
  }
  return result;
}

}  // namespace ffind::os
