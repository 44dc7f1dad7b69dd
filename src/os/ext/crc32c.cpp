// SPDX-License-Identifier: MIT
// CRC-32C by eight tables, a word at a time, and the choice between that and the processor's
// instruction (crc32c_*.cpp). See crc32c.h.
#include "os/ext/crc32c.h"

#include <array>

#include "os/formats/little_endian.h"

namespace ffind::os {

namespace {

constexpr std::uint32_t polynomial = 0x82F63B78;  // Castagnoli's, lowest power in the highest bit

using Tables = std::array<std::array<std::uint32_t, 256>, 8>;

/// tables[n][byte]: what `byte` does to the checksum n bytes further on.
constexpr Tables make_tables() {
  Tables tables{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1U ^ ((crc & 1U) != 0 ? polynomial : 0);
    tables[0][byte] = crc;
  }
  for (std::size_t n = 1; n < 8; ++n) {
    for (std::size_t byte = 0; byte < 256; ++byte) {
      const std::uint32_t before = tables[n - 1][byte];
      tables[n][byte] = before >> 8U ^ tables[0][before & 0xFFU];
    }
  }
  return tables;
}

constexpr Tables tables = make_tables();

}  // namespace

std::uint32_t crc32c_by_tables(std::uint32_t crc, std::span<const unsigned char> bytes) {
  while (bytes.size() >= 8) {
    std::uint64_t word = le64(bytes.data()) ^ crc;
    crc = 0;
    for (std::size_t n = 8; n-- > 0; word >>= 8U) crc ^= tables[n][word & 0xFFU];
    bytes = bytes.subspan(8);
  }
  for (const unsigned char byte : bytes) crc = crc >> 8U ^ tables[0][(crc ^ byte) & 0xFFU];
  return crc;
}

std::uint32_t crc32c(std::uint32_t crc, std::span<const unsigned char> bytes) {
  static const Crc32c by_instruction = crc32c_by_instruction();
  return by_instruction != nullptr ? by_instruction(crc, bytes) : crc32c_by_tables(crc, bytes);
}

}  // namespace ffind::os
