// SPDX-License-Identifier: MIT
// Numbers out of foreign bytes that are little-endian wherever they are read, and aligned nowhere.
// Used by decoders of on-disk structures; knows none of them, and checks no bounds.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

namespace ffind::os {

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

}  // namespace ffind::os
