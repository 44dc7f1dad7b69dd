// SPDX-License-Identifier: MIT
// Unaligned loads of little-endian numbers (le16, le32, le64: structures of Linux's disks) and
// big-endian ones (be16, be32, load_big: Apple's formats), and conversion of file flags and of a
// timespec. No bounds are checked.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string_view>

#include "ffind/entry.h"

namespace ffind::os {

/// One load on a little-endian machine: compilers turn the memcpy into it.
template <typename Number>
Number load_little(const unsigned char* at) {
  Number number = 0;
  if constexpr (std::endian::native == std::endian::little) {
    std::memcpy(&number, at, sizeof number);
  } else {
    for (std::size_t i = sizeof number; i-- > 0;) {
      number = static_cast<Number>(static_cast<std::uint64_t>(number) << 8U | at[i]);
    }
  }
  return number;
}

inline std::uint16_t le16(const unsigned char* at) {
  return load_little<std::uint16_t>(at);
}
inline std::uint32_t le32(const unsigned char* at) {
  return load_little<std::uint32_t>(at);
}
inline std::uint64_t le64(const unsigned char* at) {
  return load_little<std::uint64_t>(at);
}

/// Returns the number in `size` bytes, 8 at most, from `at` on: 0x0102 for {1, 2}. For sizes that
/// are in the data; the two below are for fixed ones.
inline std::uint64_t load_big(std::string_view bytes, std::size_t at, std::size_t size) {
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < size; ++i) {
    number = number << 8U | static_cast<unsigned char>(bytes[at + i]);
  }
  return number;
}

inline std::uint16_t be16(std::string_view bytes, std::size_t at) {
  return static_cast<std::uint16_t>(load_big(bytes, at, 2));
}
inline std::uint32_t be32(std::string_view bytes, std::size_t at) {
  return __builtin_bswap32(le32(reinterpret_cast<const unsigned char*>(bytes.data()) + at));
}

/// A system's bit for one of FileFlags.
struct FlagRow {
  std::uint64_t bit;
  FileFlags flag;
};

/// Converts `bits` by the rows of a system.
template <std::size_t size>
constexpr FileFlags flags_by(const FlagRow (&rows)[size], std::uint64_t bits) {
  FileFlags flags = 0;
  for (const FlagRow& row : rows) {
    if ((bits & row.bit) != 0) flags |= row.flag;
  }
  return flags;
}

/// Converts a timespec. An invalid fraction counts as 0.
inline Instant instant(std::int64_t seconds, std::int64_t fraction) {
  const bool is_valid = fraction >= 0 && fraction < 1'000'000'000;
  return {seconds, is_valid ? static_cast<std::int32_t>(fraction) : 0};
}

}  // namespace ffind::os
