// SPDX-License-Identifier: MIT
// The generator of the randomised tests: the same numbers from a seed on every platform.
#pragma once

#include <cstdint>
#include <random>

/// minstd_rand with numbers of 32 bits everywhere.
using Random = std::linear_congruential_engine<std::uint32_t, 48271, 0, 2147483647>;
