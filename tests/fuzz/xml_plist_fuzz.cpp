// SPDX-License-Identifier: MIT
// Fuzzes the reader of property lists in XML. Input: one.
#include "fuzz/fuzz.h"
#include "os/formats/plist.h"

namespace ffind::fuzz::xml_plist_fuzz {

FUZZ_TARGET(xml_plist) {
  const std::string_view bytes = Input(data, size).rest();
  const auto strings = os::strings_of_xml_plist(bytes);
  if (!strings) return 0;
  require(os::is_xml_plist(bytes), "what has strings is a property list");
  std::size_t text = 0;
  for (const std::string& string : *strings) text += string.size();
  require(text <= bytes.size(), "strings weigh no more than the input");
  require(strings->size() <= bytes.size() / 6, "each string takes a tag at least");
  return 0;
}

}  // namespace ffind::fuzz::xml_plist_fuzz
