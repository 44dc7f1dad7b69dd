// SPDX-License-Identifier: MIT
// Fuzzes what is made of macOS's mount table. Input: a line for each mount (eight bytes of file
// system id, four of flags, one of extended flags, then a type, a tab and a mount point), an empty
// line, and the text of the firmlinks.
#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "fuzz/fuzz.h"
#include "os/formats/mount_tables.h"

namespace ffind::fuzz::mac_volumes_fuzz {

namespace {

using namespace os::darwin;

std::vector<MountRecord> take_records(Input& input) {
  std::vector<MountRecord> records;
  while (!input.empty()) {
    const std::string_view line = input.take_until('\n');
    if (line.empty()) break;
    Input fields(reinterpret_cast<const std::uint8_t*>(line.data()), line.size());
    MountRecord record;
    record.fsid = fields.take<std::uint64_t>();
    record.flags = fields.take<std::uint32_t>();
    record.extended_flags = fields.take<std::uint8_t>();
    record.file_system = fields.take_until('\t');
    record.mount_point = fields.rest();
    records.push_back(record);
  }
  return records;
}

void check_hiding(const MountTable& table) {
  std::map<std::string, int> seen;
  for (const Volume& volume : table) {
    if (volume.firmlink) continue;
    int& count = seen[volume.mount_point];
    if (!volume.hidden) ++count;
    require(count <= 1, "a path leads to one volume at most");
  }
  for (const auto& [path, count] : seen) {
    const auto is_below = [path = path](const auto& other) {
      return other.first != "/" && other.first != path && lies_within(path, other.first);
    };
    require(count == 1 || std::any_of(seen.begin(), seen.end(), is_below),
            "one is seen at every place that nothing lies over");
  }
}

}  // namespace

FUZZ_TARGET(mac_volumes) {
  Input input(data, size);
  const std::vector<MountRecord> records = take_records(input);
  const std::vector<Firmlink> firmlinks = parse_firmlinks(input.rest());
  const MountTable table = volumes_of(records, firmlinks);

  std::size_t at = 0;
  for (const MountRecord& record : records) {
    if (!record.mount_point.starts_with('/')) continue;
    require(at < table.size(), "every mount with a path is a volume");
    const Volume& volume = table[at++];
    require(
        volume.id == record.fsid && volume.mount_point == record.mount_point && !volume.firmlink,
        "volumes come in the order of the mounts");
    require(volume.major <= 0xFF && volume.minor <= 0xFFFFFF, "device numbers are Darwin's");
  }
  require(at == table.size() || table.size() - at == firmlinks.size(), "then the firmlinks come");
  for (std::size_t i = at; i < table.size(); ++i) {
    const Firmlink& firmlink = firmlinks[i - at];
    require(table[i].firmlink && table[i].mount_point == firmlink.path &&
                table[i].subtree == "/" + firmlink.target,
            "a firmlink is a view of its target");
  }
  check_hiding(table);
  return 0;
}

}  // namespace ffind::fuzz::mac_volumes_fuzz
