// SPDX-License-Identifier: MIT
// CRC-32C (Castagnoli), the checksum of ext4's metadata, with the processor's own
// instruction where it has one. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace ffind::os {

/// Goes on from `crc`, with no inversion before or after, as ext4 keeps it (crc32c(~0, ...)).
std::uint32_t crc32c(std::uint32_t crc, std::span<const unsigned char> bytes);

/// One way to compute it.
using Crc32c = std::uint32_t (*)(std::uint32_t crc, std::span<const unsigned char> bytes);

/// By tables: works everywhere; the others are tested against it.
std::uint32_t crc32c_by_tables(std::uint32_t crc, std::span<const unsigned char> bytes);

/// The one by instructions of the processor that this runs on, null where it has none. Defined by
/// the crc32c_*.cpp of the processor that is compiled for.
Crc32c crc32c_by_instruction();

}  // namespace ffind::os
