// SPDX-License-Identifier: MIT
// Volumes: mounted file systems as the mount table lists them, and where a path lies among them.
// os makes them, plan chooses by them. Values only.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ffind/entry.h"

namespace ffind {

enum class VolumeKind : std::uint8_t {
  local,
  network,    ///< answered by another machine or by a process (FUSE): may be slow or dead
  kernel,     ///< made up by the kernel: proc, sysfs, cgroup and their like
  automount,  ///< touching an entry mounts it; never entered unasked
};

std::string_view to_text(VolumeKind kind);

struct Volume {
  std::uint64_t id = 0;      ///< mount id; unique at one time
  std::uint64_t parent = 0;  ///< mount id of the mount it is mounted on
  std::uint32_t major = 0;   ///< with `minor` the device number; equal for bind mounts of one
  std::uint32_t minor = 0;   ///< file system
  std::string mount_point;   ///< absolute, raw bytes
  std::string subtree;       ///< what of the file system is mounted, "/" for all of it
  std::string file_system;   ///< "ext4"
  std::string source;        ///< "/dev/sda1"
  VolumeKind kind = VolumeKind::local;
  bool read_only = false;
  bool hidden = false;  ///< covered by a later mount: no path leads to it
};

/// In the order of the kernel's table.
using MountTable = std::vector<Volume>;

/// What the operating system says of a path that was named as a root.
struct Location {
  std::string typed;          ///< as the user wrote it; empty for the current directory unnamed
  std::string canonical;      ///< absolute, without symbolic links; lexical when not `probed`
  std::uint64_t volume = 0;   ///< mount id, 0 when unknown
  FileType type = FileType::unknown;
  int error = 0;        ///< errno, when there is no such path
  bool probed = false;  ///< false when nobody asked the file system, lest a dead server block us
};

}  // namespace ffind
