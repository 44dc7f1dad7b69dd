// SPDX-License-Identifier: MIT
// Decoders of mount tables. Linux's: os/linux hands them the text of /proc/self/mountinfo, the
// tests theirs. From what macOS reports about its mounts to volumes: kinds, the group of system and
// Data volume, firmlinks, capabilities. os/darwin hands in what the calls gave. Pure and built
// everywhere: bytes in, values out, no call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ffind/volume.h"

namespace ffind::os {

/// The mounts of `mountinfo` (man 5 proc) in its order, their kind and whether a later mount hides
/// them worked out. Lines that cannot be read are left out; any bytes are taken, none throw.
MountTable parse_mountinfo(std::string_view mountinfo);

/// What sort of volume a file system type makes, by its name in the mount table.
VolumeKind kind_of_file_system(std::string_view type);

}  // namespace ffind::os

namespace ffind::os::darwin {

// Flags of getfsstat(2), <sys/mount.h>; asserted in darwin/layout.cpp.
inline constexpr std::uint32_t mnt_rdonly = 0x00000001;
inline constexpr std::uint32_t mnt_local = 0x00001000;
inline constexpr std::uint32_t mnt_rootfs = 0x00004000;
inline constexpr std::uint32_t mnt_dontbrowse = 0x00100000;
inline constexpr std::uint32_t mnt_automounted = 0x00400000;
inline constexpr std::uint32_t mnt_snapshot = 0x40000000;
inline constexpr std::uint32_t mnt_ext_root_data_vol = 0x00000001;

// Bits of vol_capabilities_attr_t, <sys/attr.h>; asserted in darwin/layout.cpp.
inline constexpr std::uint32_t vol_cap_fmt_case_sensitive = 0x00000100;
inline constexpr std::uint32_t vol_cap_fmt_path_from_id = 0x00004000;
inline constexpr std::uint32_t vol_cap_int_searchfs = 0x00000001;

/// One row of getfsstat's table.
struct MountRecord {
  std::uint64_t fsid = 0;  ///< val[0] in the lower, val[1] in the upper half
  std::string file_system{};
  std::string mount_point{};
  std::string source{};
  std::uint32_t flags = 0;
  std::uint32_t extended_flags = 0;
};

/// A directory of the system volume that shows one of the Data volume.
struct Firmlink {
  std::string path{};    ///< absolute
  std::string target{};  ///< below the Data volume's root, without a slash at its beginning
};

/// /usr/share/firmlinks: a path, a tab, a path below the Data volume, a line each. Lines that
/// cannot be read are left out.
std::vector<Firmlink> parse_firmlinks(std::string_view text);

/// The volumes in the order of the records, then a view for each firmlink; records must come in the
/// order in which they were mounted, those without an absolute mount point are left out. Without a
/// Data volume among the records firmlinks mean nothing.
MountTable volumes_of(const std::vector<MountRecord>& records,
                      const std::vector<Firmlink>& firmlinks);

/// Fills in what the answer to ATTR_VOL_CAPABILITIES says: a length, then four words of
/// capabilities and four that say which of those are valid. A catalog is claimed where the volume
/// can be searched and leads from ids to paths. False, and nothing changed, when `bytes` is too
/// short.
bool apply_capabilities(const unsigned char* bytes, std::size_t size, Volume& volume);

}  // namespace ffind::os::darwin
