// SPDX-License-Identifier: MIT
// Fuzzes what is made of attributes. Input: for each its name, a NUL, its value's length (16 bits),
// its value.
#include "fuzz/fuzz.h"
#include "os/formats/finder_attributes.h"

namespace ffind::fuzz::finder_attributes_fuzz {

FUZZ_TARGET(finder_attributes) {
  Input input(data, size);
  FinderMetadata metadata;
  while (!input.empty()) {
    const std::string_view stored = input.take_until('\0');
    const auto length = input.take<std::uint16_t>();
    const std::string value(input.rest().substr(0, length));
    for (std::size_t i = 0; i < value.size(); ++i) input.take<std::uint8_t>();
    const os::StoredName known = os::read_stored_name(stored);
    require(known.name.size() <= stored.size() + 22,
            "a name is a part of what is stored, or known");
    const std::string_view own = os::unwrap(known.is_stream, value);
    require(own.size() <= value.size(), "a value is a part of what is stored");
    os::add_finder_attribute(known.name, own, metadata);
    if (const auto file = os::decode_apple_double(value, value.size())) {
      os::add_apple_double(*file, metadata);
    }
  }
  os::finish(metadata);
  for (std::size_t i = 0; i < metadata.tags.size(); ++i) {
    require(!metadata.tags[i].name.empty(), "a tag has a name");
    require(metadata.tags[i].colour <= 7, "there are seven colours");
    for (std::size_t j = 0; j < i; ++j) {
      require(metadata.tags[i].name != metadata.tags[j].name, "no tag is told twice");
    }
  }
  require(!metadata.tags.empty() || metadata.flags.colour == 0, "a label is a tag");
  return 0;
}

}  // namespace ffind::fuzz::finder_attributes_fuzz
