// SPDX-License-Identifier: MIT
// CRC-32C, by tables and by the processor's instruction, against its definition.
#include "os/ext/crc32c.h"

#include <string_view>
#include <vector>

#include "catch.h"
#include "unit/os/ext/structures.h"

namespace ffind::crc32c_test {
namespace {

using os::crc32c;
using testing::plain_crc;

std::vector<unsigned char> noise(std::size_t size) {
  std::vector<unsigned char> bytes(size);
  std::uint32_t state = 1;
  for (unsigned char& byte : bytes) {
    state = state * 1664525 + 1013904223;
    byte = static_cast<unsigned char>(state >> 24U);
  }
  return bytes;
}

std::span<const unsigned char> bytes_of(std::string_view text) {
  return {reinterpret_cast<const unsigned char*>(text.data()), text.size()};
}

TEST_CASE("crc32c: known values") {
  CHECK(~crc32c(~0U, bytes_of("123456789")) == 0xE3069283);
  const std::vector<unsigned char> zeros(32);
  CHECK(~crc32c(~0U, zeros) == 0x8A9136AA);  // RFC 3720, B.4
  CHECK(crc32c(0x12345678, {}) == 0x12345678);
}

TEST_CASE("crc32c: any length from any address is as defined") {
  const std::vector<unsigned char> bytes = noise(400);
  std::size_t wrong = 0;
  for (std::size_t begin = 0; begin < 17; ++begin) {
    for (std::size_t size = 0; size <= 300; ++size) {
      const std::uint32_t start = ~0U - static_cast<std::uint32_t>(size);
      const std::uint32_t expected = plain_crc(start, bytes.data() + begin, size);
      const std::span<const unsigned char> part(bytes.data() + begin, size);
      if (crc32c(start, part) != expected || os::crc32c_by_tables(start, part) != expected) ++wrong;
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("crc32c: lengths around what three streams take at once are as defined") {
  const std::vector<unsigned char> bytes = noise(20000);
  std::size_t wrong = 0;
  for (const std::size_t words : {10U, 42U, 168U}) {
    for (std::size_t times = 1; times <= 4; ++times) {
      for (std::size_t size = times * words * 24 - 9; size <= times * words * 24 + 9; ++size) {
        const std::span<const unsigned char> part(bytes.data() + size % 8, size);
        if (crc32c(size & 1U, part) != plain_crc(size & 1U, part.data(), size)) ++wrong;
      }
    }
  }
  for (const std::size_t size : {1012U, 2036U, 4084U, 8180U, 16372U}) {
    const std::span<const unsigned char> part(bytes.data(), size);
    if (crc32c(~0U, part) != plain_crc(~0U, part.data(), size)) ++wrong;
  }
  CHECK(wrong == 0);
}

}  // namespace
}  // namespace ffind::crc32c_test
