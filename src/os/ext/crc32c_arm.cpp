// SPDX-License-Identifier: MIT
// CRC-32C by 64-bit ARM's crc32c instruction, which the first processors of ARMv8.0 may lack. This
// file alone is compiled for processors that have it. Used by crc32c.cpp.
#include <arm_acle.h>
#include <asm/hwcap.h>
#include <sys/auxv.h>

#include "os/ext/crc32c.h"
#include "os/formats/little_endian.h"

namespace ffind::os {

namespace {

std::uint32_t by_instruction(std::uint32_t crc, std::span<const unsigned char> bytes) {
  const unsigned char* at = bytes.data();
  std::size_t size = bytes.size();
  for (; size >= 8; at += 8, size -= 8) crc = __crc32cd(crc, le64(at));
  for (; size > 0; ++at, --size) crc = __crc32cb(crc, *at);
  return crc;
}

}  // namespace

Crc32c crc32c_by_instruction() {
  return (getauxval(AT_HWCAP) & HWCAP_CRC32) != 0 ? by_instruction : nullptr;
}

}  // namespace ffind::os
