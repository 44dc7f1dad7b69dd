// SPDX-License-Identifier: MIT
// The generator of the randomised tests: the same numbers from a seed on every platform.
#pragma once

#include <cstdint>
#include <random>

/// minstd_rand with numbers of 32 bits everywhere.
using Random = std::linear_congruential_engine<std::uint32_t, 48271, 0, 2147483647>;

/// How many rounds a long randomised test takes: under a sanitizer, which makes each ten times as
/// dear and looks for something else, an eighth of what the plain build takes.
constexpr int rounds(int plain) {
#if defined(__has_feature)
  constexpr bool sanitized = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  constexpr bool sanitized = true;
#else
  constexpr bool sanitized = false;
#endif
  return sanitized ? plain / 8 : plain;
}
