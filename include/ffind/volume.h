// SPDX-License-Identifier: MIT
// Volumes: mounted file systems as the mount table lists them, and where a path lies among them.
// os makes them, plan chooses by them. Values only.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
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

/// What a volume says, or has shown, of searching its own catalog (macOS's searchfs).
enum class CatalogSupport : std::uint8_t {
  none,       ///< it does not say that it can
  claimed,    ///< it says that it can, and nobody tried
  proven,     ///< a trial search found what is there
  disproved,  ///< it says that it can, and a trial search failed
};

std::string_view to_text(CatalogSupport support);

struct Volume {
  std::uint64_t id = 0;      ///< mount id (macOS: fsid); unique at one time, firmlinks aside
  std::uint64_t parent = 0;  ///< mount id of the mount it is mounted on
  std::uint32_t major = 0;   ///< with `minor` the device number; equal for bind mounts of one
  std::uint32_t minor = 0;   ///< file system
  std::string mount_point;   ///< absolute, raw bytes
  std::string subtree;       ///< what of the file system is mounted, "/" for all of it
  std::string file_system;   ///< "ext4"
  std::string source;        ///< "/dev/sda1"
  VolumeKind kind = VolumeKind::local;
  bool read_only = false;
  bool hidden = false;         ///< covered by a later mount: no path leads to it
  bool snapshot = false;       ///< shows a volume as it was
  bool disk_image = false;     ///< lies in a file of another volume
  bool browsable = true;       ///< false where the system asks not to show it to people
  bool unreplayed = false;     ///< mounted without replaying its journal: the device may be stale
  bool lazy_times = false;     ///< times are written to the device a day late
  bool other_owners = false;   ///< owners seen through this mount differ from those on the device
  bool case_sensitive = true;  ///< names that differ in case alone can be there side by side
  CatalogSupport catalog = CatalogSupport::none;
  /// Where the volume was asked: why its catalog cannot be read, or what speaks against doing so
  /// unasked. Follows "walk: ".
  std::string catalog_note{};
  /// Volumes of one number other than 0 are shown to people as one: macOS's system and Data
  /// volumes. The number is the id of the one that is mounted at "/".
  std::uint64_t group = 0;
  /// A directory of another volume of its group that the system shows as its own (macOS's
  /// firmlinks): a view like a bind mount, with the `id` of the volume that it shows.
  bool firmlink = false;
};

/// In the order of the kernel's table.
using MountTable = std::vector<Volume>;

/// What the operating system reports about a path that was named as a root.
struct Location {
  std::string typed;         ///< as the user wrote it; empty for the current directory unnamed
  std::string canonical;     ///< absolute, without symbolic links; lexical when not `probed`
  std::uint64_t volume = 0;  ///< mount id, 0 when unknown
  /// Of what a symbolic link leads to; a root whose type is unknown is planned as a directory.
  FileType type = FileType::unknown;
  int error = 0;        ///< errno, when there is no such path
  bool probed = false;  ///< false when nobody asked the file system, lest a dead server block us
  /// Where a symbolic link to what is no directory lies itself: that directory canonical, its name
  /// kept. Empty: it is no such link.
  std::string link{};
  /// Absolute as typed: the current directory before it, "." and doubled slashes gone, symbolic
  /// links kept, but for those before a "..": it leads out of where they lead, and whoever shortens
  /// "link/.." as text (so do readers of URLs) would end up elsewhere. Not `probed`: as typed.
  /// Empty: `canonical` takes its place.
  std::string absolute{};
  /// How paths below it are to begin; empty: as typed.
  std::string shown{};
};

/// Whether `path` is `directory` or lies below it, component by component ("/ab" is not within
/// "/a"). Both absolute, no slash at the end but the root's own.
inline bool lies_within(std::string_view path, std::string_view directory) {
  if (directory == "/") return path.starts_with('/');
  return path.starts_with(directory) &&
         (path.size() == directory.size() || path[directory.size()] == '/');
}

/// Order in which everything below a directory follows it without a gap: bytes, '/' before all
/// others ("/a" "/a/b" "/a-b", where plain bytes have "/a-b" in between).
inline bool path_less(std::string_view a, std::string_view b) {
  const auto rank = [](char byte) {
    return byte == '/' ? 0 : 1 + static_cast<int>(static_cast<unsigned char>(byte));
  };
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(),
                                      [&](char x, char y) { return rank(x) < rank(y); });
}

}  // namespace ffind
