// SPDX-License-Identifier: MIT
// Fuzzes the decoder of Linux's mount table. Input: its text.
#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "fuzz/fuzz.h"
#include "os/formats/mount_tables.h"

namespace ffind::fuzz::mountinfo_fuzz {

FUZZ_TARGET(mountinfo) {
  const std::string_view text = Input(data, size).rest();
  const MountTable table = os::parse_mountinfo(text);
  const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 1;
  require(table.size() <= lines, "a volume is a line");
  std::map<std::uint64_t, int> mounted;
  for (const Volume& volume : table) ++mounted[volume.id];
  std::map<std::pair<std::uint64_t, std::string>, int> seen;
  for (const Volume& volume : table) {
    require(volume.mount_point.starts_with('/'), "a mount point is absolute");
    require(volume.kind == os::kind_of_file_system(volume.file_system), "the type makes the kind");
    require(!volume.firmlink && volume.group == 0, "Linux has no firmlinks");
    // Ids that are there twice tie the places of two mounts together.
    if (volume.hidden || mounted[volume.parent] > 1) continue;
    require(++seen[{volume.parent, volume.mount_point}] == 1, "a place shows one volume");
  }
  return 0;
}

}  // namespace ffind::fuzz::mountinfo_fuzz
