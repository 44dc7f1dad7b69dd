// SPDX-License-Identifier: MIT
// CRC-32C (Castagnoli), the checksum of ext4's metadata: by the processor's instruction if it has
// one, else by tables. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace ffind::os {

/// Continues from `crc`, with no inversion before or after, as ext4 stores it (crc32c(~0, ...)).
std::uint32_t crc32c(std::uint32_t crc, std::span<const unsigned char> bytes);

/// An implementation of crc32c().
using Crc32c = std::uint32_t (*)(std::uint32_t crc, std::span<const unsigned char> bytes);

/// By tables: works everywhere; the instruction's results are tested against it.
std::uint32_t crc32c_by_tables(std::uint32_t crc, std::span<const unsigned char> bytes);

/// The implementation by an instruction of the processor that this runs on, null if it has none.
Crc32c crc32c_by_instruction();

}  // namespace ffind::os
