// SPDX-License-Identifier: MIT
// Picks the catalog of a Linux volume by its file system. Called through os.h and
// directory_catalog.h; knows no layout.
#include "os/devices/catalogs.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace ffind::os {
namespace {

struct Row {
  std::string_view file_system;
  void (*probe)(Volume& volume);
  std::unique_ptr<DirectoryCatalog> (*open)(const Task& task, std::string& why_not);
};

constexpr std::array<Row, 4> rows = {{
    {"ext2", probe_ext, open_ext_catalog},
    {"ext3", probe_ext, open_ext_catalog},
    {"ext4", probe_ext, open_ext_catalog},
    {"btrfs", probe_btrfs, open_btrfs_catalog},
}};

const Row* row_of(const Volume& volume) {
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const Row& row) {
    return row.file_system == volume.file_system;
  });
  return found != rows.end() ? found : nullptr;
}

}  // namespace

void probe(Volume& volume) {
  if (const Row* const row = row_of(volume)) row->probe(volume);
}

std::unique_ptr<DirectoryCatalog> open_directory_catalog(const Task& task, std::string& why_not) {
  if (const Row* const row = row_of(task.volume)) return row->open(task, why_not);
  why_not = "this version knows none of " + task.volume.file_system;
  return nullptr;
}

}  // namespace ffind::os
