// SPDX-License-Identifier: MIT
// One attribute's value, between kernel_pack.cpp, which knows order and size, and
// kernel_values.cpp, which knows what it is. Included by these two only.
#pragma once

#include <cstring>

#include "kernel.h"

namespace simulated {

enum Group : unsigned char { common, volume, directory, file, extended };

/// Bytes of a value, or a string that goes behind all values.
struct Value {
  unsigned char bytes[32] = {};
  std::string text;
  bool known = false;

  template <class T>
  void set(T value) {
    std::memcpy(bytes, &value, sizeof value);
    known = true;
  }
  void set_pair(std::uint32_t first, std::uint32_t second) {
    std::memcpy(bytes, &first, 4);
    std::memcpy(bytes + 4, &second, 4);
    known = true;
  }
  void set_time(const host::Time& time) {
    std::memcpy(bytes, &time.seconds, 8);
    std::memcpy(bytes + 8, &time.nanoseconds, 8);
    known = true;
  }
  void set_text(std::string_view string) {
    text = string;
    known = true;
  }
};

/// Not `known` where the file system does not have it.
Value value_of(const Item& item, Group group, std::uint32_t bit);

}  // namespace simulated
