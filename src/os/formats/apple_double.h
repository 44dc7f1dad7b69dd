// SPDX-License-Identifier: MIT
// AppleDouble files: what macOS keeps of a file in `._name` beside it where the volume has no place
// for it (FAT, SMB, tar, zip). Pure bytes to values, built everywhere; read by search's sidecars.
// Knows no file system, and not what the attributes mean.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace ffind::os {

inline constexpr std::size_t finder_info_size = 32;

/// Everything but a resource fork lies in so many first bytes, as macOS writes such files: its
/// kernel reads no more for the header (ATTR_MAX_HDR_SIZE of bsd/vfs/vfs_xattr.c).
inline constexpr std::size_t apple_double_header = 65536;

/// Views of the bytes that were decoded.
struct AppleDouble {
  struct Attribute {
    std::string_view name;
    std::string_view value;
    bool whole = true;  ///< false: its value lies, at least in part, behind what was read
  };

  std::string_view finder_info;  ///< of that size, or empty
  std::string_view comment;      ///< plain text, or empty
  bool has_resource_fork = false;
  std::vector<Attribute> attributes;
  /// So many bytes of the file hold all but the resource fork.
  std::uint64_t extent = 0;
};

/// `bytes` are the first ones of a file of `file_size`. Nothing when it is none, or when a part of
/// it overlaps another or lies outside the file: macOS looks at no such file either. When only the
/// attributes are broken, the rest is returned without them, as macOS does.
std::optional<AppleDouble> decode_apple_double(std::string_view bytes, std::uint64_t file_size);

}  // namespace ffind::os
