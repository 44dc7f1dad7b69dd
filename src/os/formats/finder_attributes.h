// SPDX-License-Identifier: MIT
// What extended attributes say that people see: under which names a volume stores those of macOS
// and of Linux's desktops, and what their values mean. Pure bytes to values, built everywhere;
// asked by search's attribute loader. AppleDouble files: what macOS keeps of a file in `._name`
// beside it where the volume has no place for it (FAT, SMB, tar, zip); read by search's sidecars.
// Knows no file system.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ffind/finder_metadata.h"

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

inline constexpr std::string_view finder_info_attribute = "com.apple.FinderInfo";
inline constexpr std::string_view resource_fork_attribute = "com.apple.ResourceFork";

/// How an attribute is stored that its own system calls otherwise.
enum class AttributeForm : std::uint8_t {
  plain,     ///< the bytes of it
  stream,    ///< Samba's vfs_streams_xattr: a NUL behind them
  afp_info,  ///< Samba's vfs_fruit: Finder info inside a record of AFP's
};

struct StoredName {
  std::string name;  ///< as macOS calls it
  AttributeForm form = AttributeForm::plain;
};

/// What the attribute that a volume calls `stored` is to macOS: "com.apple.x" for
/// "user.com.apple.x" and for "user.DosStream.com.apple.x:$DATA". Others keep their name.
StoredName read_stored_name(std::string_view stored);

/// The attribute's own bytes in what is stored; empty when that is not of its form.
std::string_view unwrap(AttributeForm form, std::string_view stored);

/// Whether the attribute of that name (as read_stored_name gives it) says anything of the Finder's.
bool is_finder_attribute(std::string_view name);

/// Adds what the attribute says to `metadata`: tags and origins, 4096 at most; a comment and flags
/// when there were none. Values that are broken say nothing.
void add_finder_attribute(std::string_view name, std::string_view value, FinderMetadata& metadata);
void add_apple_double(const AppleDouble& file, FinderMetadata& metadata);

/// To be called after the last source. Tags and origins that were returned before are dropped; what
/// was labelled before there were tags gets the tag of that colour, as the Finder shows it.
void finish(FinderMetadata& metadata);

/// The strings in a value that is a property list, binary or XML; none otherwise.
std::vector<std::string> texts_in(std::string_view value);

/// A colour's name, as the Finder calls its tag in English; empty for 0 and above 7.
std::string_view finder_colour_name(unsigned colour);

}  // namespace ffind::os
