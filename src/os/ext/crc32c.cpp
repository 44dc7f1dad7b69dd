// SPDX-License-Identifier: MIT
// CRC-32C in three implementations, chosen at run time.
//
//   tables   eight of 256 numbers, which take a word at a time; for every processor
//   x86-64   the crc32 instruction (SSE4.2). One result waits three cycles for the one before, so
//            long inputs are cut into three streams that are computed in parallel and then joined
//            by carry-less multiplication (PCLMULQDQ); for processors that have both. A third of
//            the cycles of one stream, which saves 12 % of a search for names
//   ARM64    the crc32cx instruction, which the first processors of ARMv8.0 may lack
#include "os/ext/crc32c.h"

#if defined(__x86_64__) && defined(__LP64__)
#include <cpuid.h>
#include <nmmintrin.h>
#include <wmmintrin.h>
#elif defined(__aarch64__) && defined(__LP64__)
#include <asm/hwcap.h>
#include <sys/auxv.h>
#endif

#include <array>

#include "os/formats/endian.h"

namespace ffind::os {

namespace {

constexpr std::uint32_t polynomial = 0x82F63B78;  // Castagnoli's, lowest power in the highest bit

using Tables = std::array<std::array<std::uint32_t, 256>, 8>;

/// tables[n][byte]: the effect of `byte` on the checksum n bytes later.
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

#if defined(__x86_64__) && defined(__LP64__)

namespace {

/// x to the power of 8 * bytes - 33 modulo Castagnoli's polynomial, lowest power in the highest
/// bit. A checksum times that, and then reduced as the instruction reduces a word (which is times
/// x^33 in this order of bits), is the checksum after `bytes` bytes of zeros.
constexpr std::uint32_t factor_of(std::size_t bytes) {
  std::uint32_t power = 0x80000000;
  for (std::size_t i = 0; i < 8 * bytes - 33; ++i) {
    power = power >> 1U ^ ((power & 1U) != 0 ? polynomial : 0);
  }
  return power;
}

template <std::size_t bytes>
__attribute__((target("sse4.2,crc32,pclmul"))) std::uint64_t after_zeros(std::uint64_t crc) {
  constexpr std::uint32_t factor = factor_of(bytes);
  const __m128i product =
      _mm_clmulepi64_si128(_mm_cvtsi64_si128(static_cast<long long>(crc)),
                           _mm_cvtsi64_si128(static_cast<long long>(factor)), 0);
  return _mm_crc32_u64(0, static_cast<std::uint64_t>(_mm_cvtsi128_si64(product)));
}

/// Processes rounds of three streams of `words` words each, as long as the input lasts.
template <std::size_t words>
__attribute__((target("sse4.2,crc32,pclmul"))) std::uint64_t three_streams(std::uint64_t crc,
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

__attribute__((target("sse4.2,crc32,pclmul"))) std::uint32_t by_instruction(
    std::uint32_t start, std::span<const unsigned char> bytes) {
  const unsigned char* at = bytes.data();
  std::size_t size = bytes.size();
  // A directory block of 4096 bytes without its checksum is one round of 168 and two words; one of
  // 1024, and an inode of 256, take the second and the third.
  std::uint64_t crc = three_streams<168>(start, at, size);
  crc = three_streams<42>(crc, at, size);
  crc = three_streams<10>(crc, at, size);
  for (; size >= 8; at += 8, size -= 8) crc = _mm_crc32_u64(crc, le64(at));
  auto rest = static_cast<std::uint32_t>(crc);
  for (; size > 0; ++at, --size) rest = _mm_crc32_u8(rest, *at);
  return rest;
}

/// Without __builtin_cpu_supports: linking that runs cpuid a dozen times before main in every
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

#elif defined(__aarch64__) && defined(__LP64__)

namespace {

// In assembler: compilers know the intrinsics of <arm_acle.h> only if the whole file is compiled
// for processors that have the instruction.

std::uint32_t take_word(std::uint32_t crc, std::uint64_t word) {
  asm(".arch_extension crc\n\tcrc32cx %w0, %w0, %x1" : "+r"(crc) : "r"(word));
  return crc;
}

std::uint32_t take_byte(std::uint32_t crc, std::uint32_t byte) {
  asm(".arch_extension crc\n\tcrc32cb %w0, %w0, %w1" : "+r"(crc) : "r"(byte));
  return crc;
}

std::uint32_t by_instruction(std::uint32_t crc, std::span<const unsigned char> bytes) {
  const unsigned char* at = bytes.data();
  std::size_t size = bytes.size();
  for (; size >= 8; at += 8, size -= 8) crc = take_word(crc, le64(at));
  for (; size > 0; ++at, --size) crc = take_byte(crc, *at);
  return crc;
}

}  // namespace

Crc32c crc32c_by_instruction() {
  return (getauxval(AT_HWCAP) & HWCAP_CRC32) != 0 ? by_instruction : nullptr;
}

#else

Crc32c crc32c_by_instruction() {
  return nullptr;
}

#endif

std::uint32_t crc32c(std::uint32_t crc, std::span<const unsigned char> bytes) {
  static const Crc32c by_instruction = crc32c_by_instruction();
  return by_instruction != nullptr ? by_instruction(crc, bytes) : crc32c_by_tables(crc, bytes);
}

}  // namespace ffind::os
