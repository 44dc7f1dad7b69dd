// SPDX-License-Identifier: MIT
// CRC-32C (Castagnoli), the checksum of ext4's and btrfs' metadata, with the processor's own
// instruction where it has one. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace ffind::os {

/// Goes on from `crc`, with no inversion before or after, as ext4 keeps it (crc32c(~0, ...)).
std::uint32_t crc32c(std::uint32_t crc, std::span<const unsigned char> bytes);

}  // namespace ffind::os
