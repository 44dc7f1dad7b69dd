// SPDX-License-Identifier: MIT
// The simulated kernel's volumes: rows made of Linux's mount table and of orders, and which of them
// a file lies on. Used by the kernel_*.cpp files; must not know their calls.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "host.h"
#include "orders.h"

namespace simulated {

struct VolumeRow {
  std::uint64_t mount = 0;  ///< Linux's mount id; 0 for a directory that is a volume by order
  std::int32_t fsid[2] = {0, 0};
  std::int32_t device = 0;  ///< st_dev of what lies on it
  std::string type;
  std::string mount_point;
  std::string source;
  std::string name;
  std::uint32_t flags = 0;
  std::uint32_t extended_flags = 0;
  bool searchable = false;  ///< says that it has searchfs
  bool lies = false;        ///< and finds nothing by it
  bool paths = true;        ///< has fsgetpath
  bool image = false;
  bool bulk = true;    ///< has getattrlistbulk of its own, if its type can have it
  bool listed = true;  ///< by getfsstat
  bool case_sensitive = false;
};

using Volumes = std::vector<VolumeRow>;
/// The table as it is now.
std::shared_ptr<const Volumes> volumes();

/// The volume that holds an open file, or one that was looked at; null when there is none. The
/// table keeps the row alive.
struct Located {
  std::shared_ptr<const Volumes> table;
  const VolumeRow* row = nullptr;
};
Located volume_of_file(int fd);
Located volume_of_path(const char* path, bool follow);
Located volume_of_entry(int at, const char* path, bool follow);
Located volume_by_id(const std::int32_t fsid[2]);

/// The device number that Darwin shows for a file of this status, whose path is only asked for when
/// it matters. `path_of` is called with no lock held.
std::int32_t device_of(const host::Status& status, int at, const char* path, bool follow);

/// 32 bits, as Linux numbers devices for programs that have no more.
std::int32_t short_device(std::uint64_t device);

/// What a directory of `status` is in one that lies on Linux's mount `mount`.
enum class Edge { none, mount_point, firmlink, directory_link };
Edge edge_of(std::uint64_t mount, const host::Status& status);

/// What a file of this status is besides.
Marks marks_of(const host::Status& status);

/// The path that firmlinks show a path of the Data volume by.
std::string through_firmlinks(const std::string& path);

}  // namespace simulated
