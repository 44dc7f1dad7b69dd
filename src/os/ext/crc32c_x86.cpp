// SPDX-License-Identifier: MIT
// CRC-32C by x86-64's crc32 instruction (SSE4.2). One result waits three cycles for the one before,
// so long inputs are cut into three streams that are computed side by side and then joined by
// carry-less multiplication (PCLMULQDQ). Used by crc32c.cpp where the processor has both.
#include <cpuid.h>
#include <nmmintrin.h>
#include <wmmintrin.h>

#include "os/ext/crc32c.h"
#include "os/formats/little_endian.h"

namespace ffind::os {

namespace {

/// x to the power of 8 * bytes - 33 modulo Castagnoli's polynomial, lowest power in the highest
/// bit. A checksum times that, and then reduced as the instruction reduces a word (which is times
/// x^33 in this order of bits), is the checksum after `bytes` bytes of zeros.
constexpr std::uint32_t factor_of(std::size_t bytes) {
  std::uint32_t power = 0x80000000;
  for (std::size_t i = 0; i < 8 * bytes - 33; ++i) {
    power = power >> 1U ^ ((power & 1U) != 0 ? 0x82F63B78U : 0U);
  }
  return power;
}

template <std::size_t bytes>
__attribute__((target("sse4.2,pclmul"))) std::uint64_t after_zeros(std::uint64_t crc) {
  constexpr std::uint32_t factor = factor_of(bytes);
  const __m128i product =
      _mm_clmulepi64_si128(_mm_cvtsi64_si128(static_cast<long long>(crc)),
                           _mm_cvtsi64_si128(static_cast<long long>(factor)), 0);
  return _mm_crc32_u64(0, static_cast<std::uint64_t>(_mm_cvtsi128_si64(product)));
}

/// Takes three streams of `words` words each, again and again, while there is that much.
template <std::size_t words>
__attribute__((target("sse4.2,pclmul"))) std::uint64_t three_streams(std::uint64_t crc,
                                                                     const unsigned char*& at,
                                                                     std::size_t& size) {
  constexpr std::size_t stream = words * 8;
  while (size >= 3 * stream) {
    std::uint64_t second = 0;
    std::uint64_t third = 0;
    for (std::size_t i = 0; i < stream; i += 8) {
      crc = _mm_crc32_u64(crc, le64(at + i));
      second = _mm_crc32_u64(second, le64(at + stream + i));
      third = _mm_crc32_u64(third, le64(at + 2 * stream + i));
    }
    crc = after_zeros<2 * stream>(crc) ^ after_zeros<stream>(second) ^ third;
    at += 3 * stream;
    size -= 3 * stream;
  }
  return crc;
}

__attribute__((target("sse4.2,pclmul"))) std::uint32_t by_instruction(
    std::uint32_t start, std::span<const unsigned char> bytes) {
  const unsigned char* at = bytes.data();
  std::size_t size = bytes.size();
  // A directory's block of 4096 bytes less its checksum is once the first and two words; one of
  // 1024, and an inode of 256, the second and the third.
  std::uint64_t crc = three_streams<168>(start, at, size);
  crc = three_streams<42>(crc, at, size);
  crc = three_streams<10>(crc, at, size);
  for (; size >= 8; at += 8, size -= 8) crc = _mm_crc32_u64(crc, le64(at));
  auto rest = static_cast<std::uint32_t>(crc);
  for (; size > 0; ++at, --size) rest = _mm_crc32_u8(rest, *at);
  return rest;
}

/// Not by __builtin_cpu_supports: to link that runs cpuid a dozen times before main in every
/// search, and a virtual machine traps each, 4 % of the time of an empty search.
bool processor_has_both() {
  // Intel's manual, volume 2A, CPUID, leaf 1, register ECX.
  constexpr unsigned sse4_2 = 1U << 20U;
  constexpr unsigned pclmulqdq = 1U << 1U;
  unsigned eax = 0;
  unsigned ebx = 0;
  unsigned ecx = 0;
  unsigned edx = 0;
  return __get_cpuid(1, &eax, &ebx, &ecx, &edx) != 0 && (ecx & sse4_2) != 0 &&
         (ecx & pclmulqdq) != 0;
}

}  // namespace

Crc32c crc32c_by_instruction() {
  return processor_has_both() ? by_instruction : nullptr;
}

}  // namespace ffind::os
