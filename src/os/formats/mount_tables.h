// SPDX-License-Identifier: MIT
// Decoders of mount tables to volumes: Linux's /proc/self/mountinfo (mountinfo.cpp), and macOS's
// getfsstat(2) with its firmlinks and the capabilities of a volume (darwin_volumes.cpp). Pure and
// built everywhere: os/linux and os/darwin make the calls.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ffind/plan.h"

namespace ffind::os {

/// Returns the mounts of `mountinfo` (man 5 proc) in its order, with their kind and whether a later
/// mount hides them. Lines that cannot be parsed are left out; no bytes make it throw.
MountTable parse_mountinfo(std::string_view mountinfo);

VolumeKind kind_of_file_system(std::string_view type);

/// The numbers of blocks of statfs(2) in bytes; nullopt without blocks. Products that exceed the
/// largest number count as that.
std::optional<VolumeSpace> space_in_blocks(std::uint64_t block, std::uint64_t all,
                                           std::uint64_t free, std::uint64_t available);

}  // namespace ffind::os

namespace ffind::os::darwin {

// Flags of getfsstat(2), <sys/mount.h>; asserted in tests/darwin/layout.cpp.
inline constexpr std::uint32_t mnt_rdonly = 0x00000001;
inline constexpr std::uint32_t mnt_local = 0x00001000;
inline constexpr std::uint32_t mnt_rootfs = 0x00004000;
inline constexpr std::uint32_t mnt_dontbrowse = 0x00100000;
inline constexpr std::uint32_t mnt_snapshot = 0x40000000;
inline constexpr std::uint32_t mnt_ext_root_data_vol = 0x00000001;

// Bits of vol_capabilities_attr_t, <sys/attr.h>; asserted in tests/darwin/layout.cpp.
inline constexpr std::uint32_t vol_cap_fmt_case_sensitive = 0x00000100;
inline constexpr std::uint32_t vol_cap_fmt_path_from_id = 0x00004000;
inline constexpr std::uint32_t vol_cap_int_searchfs = 0x00000001;
inline constexpr std::uint32_t vol_cap_int_readdirattr = 0x00000008;

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

/// Parses /usr/share/firmlinks: in each line a path, a tab, and a path below the Data volume. Lines
/// that cannot be parsed are left out.
std::vector<Firmlink> parse_firmlinks(std::string_view text);

/// Returns the volumes in the order of the records, which must be that of mounting, then a view for
/// each firmlink. Records without an absolute mount point are left out. Without a Data volume among
/// the records, firmlinks are ignored.
MountTable volumes_of(const std::vector<MountRecord>& records,
                      const std::vector<Firmlink>& firmlinks);

/// Applies the result of ATTR_VOL_CAPABILITIES to `volume`: a length, four words of capabilities,
/// and four with the valid bits of those. A catalog is claimed if the volume can be searched and
/// has paths for ids. False, and no change, if `bytes` are too short.
bool apply_capabilities(const unsigned char* bytes, std::size_t size, Volume& volume);

}  // namespace ffind::os::darwin
