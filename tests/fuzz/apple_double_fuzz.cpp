// SPDX-License-Identifier: MIT
// Fuzzes the reader of AppleDouble files. Input: how many bytes more the file has than were read,
// the first bytes of it.
#include "fuzz/fuzz.h"
#include "os/formats/finder_attributes.h"

namespace ffind::fuzz::apple_double_fuzz {

FUZZ_TARGET(apple_double) {
  Input input(data, size);
  const auto more = input.take<std::uint16_t>();
  const std::string_view bytes = input.rest();
  const auto file = os::decode_apple_double(bytes, bytes.size() + more);
  if (!file) return 0;
  const auto lies_inside = [&](std::string_view part) {
    return part.empty() || (part.data() >= bytes.data() &&
                            part.data() + part.size() <= bytes.data() + bytes.size());
  };
  require(lies_inside(file->finder_info) && lies_inside(file->comment), "parts are of the file");
  require(file->finder_info.empty() || file->finder_info.size() == 32, "Finder info has 32 bytes");
  require(file->extent <= bytes.size() + more, "what is to be read is in the file");
  require(file->attributes.size() <= 256, "there are no more attributes than macOS takes");
  for (const auto& attribute : file->attributes) {
    require(!attribute.name.empty(), "an attribute has a name");
    require(lies_inside(attribute.name) && lies_inside(attribute.value),
            "attributes are of the file");
    require(attribute.whole || more > 0, "what is not whole goes on behind what was read");
  }
  return 0;
}

}  // namespace ffind::fuzz::apple_double_fuzz
