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

using Directories = std::unique_ptr<DirectoryReaders>;

struct Row {
  std::string_view file_system;
  void (*probe)(Volume& volume);
  Directories (*open)(const Task& task, FileSystem& file_system, std::string& why_not);
};

template <std::unique_ptr<DeviceDirectories> (*open_device)(const Task&, std::string&)>
Directories open_with_kernel(const Task& task, FileSystem& file_system, std::string& why_not) {
  auto device = open_device(task, why_not);
  return device ? with_kernel(std::move(device), file_system) : nullptr;
}

constexpr std::array<Row, 5> rows = {{
    {"ext2", probe_ext, open_with_kernel<open_ext>},
    {"ext3", probe_ext, open_with_kernel<open_ext>},
    {"ext4", probe_ext, open_with_kernel<open_ext>},
    {"btrfs", probe_btrfs, open_with_kernel<open_btrfs>},
    {"xfs", probe_xfs, open_xfs},
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
  return row->open(task, file_system, why_not);
}

}  // namespace ffind::os
