// SPDX-License-Identifier: MIT
// What the readers of binary and of XML property lists share: their bounds, and how a character is
// written. Knows neither of the two.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace ffind::os {

/// Attributes hold an array of strings. What is deeper is no attribute of the Finder's.
inline constexpr unsigned most_plist_levels = 16;
/// An empty string takes 2 bytes of a binary list and 32 of memory.
inline constexpr std::size_t most_plist_strings = 4096;

inline void append_utf8(std::string& text, std::uint32_t code) {
  const auto put = [&](std::uint32_t byte) { text += static_cast<char>(byte); };
  if (code < 0x80) return put(code);
  if (code < 0x800) {
    put(0xC0U | code >> 6U);
  } else {
    if (code < 0x10000) {
      put(0xE0U | code >> 12U);
    } else {
      put(0xF0U | code >> 18U);
      put(0x80U | (code >> 12U & 0x3FU));
    }
    put(0x80U | (code >> 6U & 0x3FU));
  }
  put(0x80U | (code & 0x3FU));
}

}  // namespace ffind::os
