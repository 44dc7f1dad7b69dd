// SPDX-License-Identifier: MIT
// Sizes of files, which have 64 bits, as sizes in memory, which have 32 on some processors.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ffind::text {

/// Returns the smaller one. (A cast would cut 5 GiB to 1 GiB.)
constexpr std::size_t at_most(std::size_t most, std::uint64_t number) {
  return number < most ? static_cast<std::size_t>(number) : most;
}

}  // namespace ffind::text
