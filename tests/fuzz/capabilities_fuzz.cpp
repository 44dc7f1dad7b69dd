// SPDX-License-Identifier: MIT
// Fuzzes the decoder of macOS's volume capabilities. Input: the answer of getattrlist.
#include "fuzz/fuzz.h"
#include "os/formats/mount_tables.h"

namespace ffind::fuzz::capabilities_fuzz {

FUZZ_TARGET(capabilities) {
  Volume volume;
  const bool applied = os::darwin::apply_capabilities(data, size, volume);
  Input input(data, size);
  const bool long_enough = input.take<std::uint32_t>() >= 36 && size >= 36;
  require(applied == long_enough, "an answer is used when all of it is there");
  std::uint32_t words[8] = {};
  if (applied) {
    for (std::uint32_t& word : words) word = input.take<std::uint32_t>();
  }
  const bool searches = (words[1] & words[5] & 0x1) != 0;
  const bool leads_to_paths = (words[0] & words[4] & 0x4000) != 0;
  require((volume.catalog == CatalogSupport::claimed) == (searches && leads_to_paths),
          "a catalog needs both");
  const bool folds = (words[4] & 0x100) != 0 && (words[0] & 0x100) == 0;
  require(volume.case_sensitive == !folds, "case is told by a valid bit");
  return 0;
}

}  // namespace ffind::fuzz::capabilities_fuzz
