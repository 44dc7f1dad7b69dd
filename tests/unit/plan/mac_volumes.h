// SPDX-License-Identifier: MIT
// The mount table of a Mac as os delivers it: system and Data volume shown as one, joined by
// firmlinks, with what else Apple mounts, a disk image, an HFS+ disk and servers. Used by the tests
// of plan.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "ffind/plan.h"

namespace ffind::testing {

namespace mac {

inline constexpr std::uint64_t system = 13;
inline constexpr std::uint64_t data = 17;

inline Volume volume(std::uint64_t id, std::string mount_point, std::string file_system,
                     std::string source, VolumeKind kind = VolumeKind::local) {
  Volume volume;
  volume.id = id;
  volume.parent = id == system ? 0 : system;
  volume.major = 1;
  volume.minor = static_cast<std::uint32_t>(id);
  volume.mount_point = std::move(mount_point);
  volume.subtree = "/";
  volume.file_system = std::move(file_system);
  volume.source = std::move(source);
  volume.kind = kind;
  volume.case_sensitive = false;
  if (volume.file_system == "apfs") volume.catalog = CatalogSupport::claimed;
  return volume;
}

inline Volume hidden_from_people(Volume volume) {
  volume.browsable = false;
  return volume;
}

/// `path` shows the directory of the Data volume that has the same path there.
inline Volume firmlink(const Volume& shown, const std::string& path) {
  Volume view = shown;
  view.mount_point = path;
  view.subtree = path;
  view.firmlink = true;
  return view;
}

}  // namespace mac

/// In the order of getfsstat, then the firmlinks.
inline MountTable mac_volumes() {
  using mac::hidden_from_people;
  using mac::volume;
  Volume system = volume(mac::system, "/", "apfs", "/dev/disk3s1s1");
  system.read_only = true;
  system.group = mac::system;
  Volume data =
      hidden_from_people(volume(mac::data, "/System/Volumes/Data", "apfs", "/dev/disk3s5"));
  data.group = mac::system;
  Volume backup = volume(30, "/Volumes/Backup", "hfs", "/dev/disk4s2");
  backup.catalog = CatalogSupport::claimed;
  Volume image = volume(31, "/Volumes/Installer", "apfs", "/dev/disk5s1");
  image.read_only = image.disk_image = true;
  Volume snapshot = volume(32, "/Volumes/.timemachine/now", "apfs", "com.apple.TimeMachine.now");
  snapshot.read_only = snapshot.snapshot = true;

  MountTable table = {
      system,
      volume(14, "/dev", "devfs", "devfs", VolumeKind::kernel),
      hidden_from_people(volume(15, "/System/Volumes/VM", "apfs", "/dev/disk3s6")),
      hidden_from_people(volume(16, "/System/Volumes/Preboot", "apfs", "/dev/disk3s2")),
      hidden_from_people(volume(18, "/System/Volumes/Update", "apfs", "/dev/disk3s4")),
      hidden_from_people(volume(19, "/System/Volumes/xarts", "apfs", "/dev/disk1s2")),
      hidden_from_people(volume(20, "/System/Volumes/iSCPreboot", "apfs", "/dev/disk1s1")),
      hidden_from_people(volume(21, "/System/Volumes/Hardware", "apfs", "/dev/disk1s3")),
      data,
      volume(22, "/System/Volumes/Data/home", "autofs", "map auto_home", VolumeKind::automount),
      backup,
      image,
      snapshot,
      volume(40, "/Volumes/share", "smbfs", "//ann@nas/share", VolumeKind::network),
      volume(41, "/Volumes/old server", "afpfs", "//ann@old/files", VolumeKind::network),
  };
  for (const char* const path : {"/Applications", "/Library", "/System/Library/Caches", "/Users",
                                 "/Volumes", "/private", "/usr/local"}) {
    table.push_back(mac::firmlink(data, path));
  }
  return table;
}

}  // namespace ffind::testing
