// SPDX-License-Identifier: MIT
// Numbers out of foreign bytes that are big-endian wherever they are read, and aligned nowhere.
// Used by decoders of what comes from macOS; knows none of them, and checks no bounds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ffind::os {

/// The number in the first `size` bytes, 8 at most, from `at` on.
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
  return static_cast<std::uint32_t>(load_big(bytes, at, 4));
}

}  // namespace ffind::os
