// SPDX-License-Identifier: MIT
// Fuzzes the reader of binary property lists. Input: one.
#include "fuzz/fuzz.h"
#include "os/formats/finder_attributes.h"

namespace ffind::fuzz::binary_plist_fuzz {

FUZZ_TARGET(binary_plist) {
  const std::string_view bytes = Input(data, size).rest();
  const auto strings = os::strings_of_binary_plist(bytes);
  if (!strings) return 0;
  require(os::is_binary_plist(bytes), "what has strings is a property list");
  std::size_t text = 0;
  for (const std::string& string : *strings) text += string.size();
  // UTF-16 takes two bytes where UTF-8 takes three.
  require(text <= bytes.size() + bytes.size() / 2, "strings weigh no more than the input");
  require(strings->size() <= bytes.size(), "each string takes a byte at least");
  return 0;
}

}  // namespace ffind::fuzz::binary_plist_fuzz
