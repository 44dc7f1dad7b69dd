// SPDX-License-Identifier: MIT
// Picks what reads the device of a Linux volume by its file system. Called through os.h and
// directory_reader.h; knows no layout.
#include "os/devices/file_systems.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace ffind::os {
namespace {

struct Row {
  std::string_view file_system;
  void (*probe)(Volume& volume);
  std::unique_ptr<DeviceDirectories> (*open)(const Task& task, std::string& why_not);
};

constexpr std::array<Row, 4> rows = {{
    {"ext2", probe_ext, open_ext},
    {"ext3", probe_ext, open_ext},
    {"ext4", probe_ext, open_ext},
    {"btrfs", probe_btrfs, open_btrfs},
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

std::unique_ptr<DirectoryReaders> device_directories(const Task& task, FileSystem& file_system,
                                                     std::string& why_not) {
  const Row* const row = row_of(task.volume);
  if (row == nullptr) {
    why_not = "this version supports none of " + task.volume.file_system;
    return nullptr;
  }
  auto device = row->open(task, why_not);
  return device ? with_kernel(std::move(device), file_system) : nullptr;
}

}  // namespace ffind::os
