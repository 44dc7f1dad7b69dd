// SPDX-License-Identifier: MIT
// Decoders of Finder metadata (tags, comment, origins, flags, type and creator codes, time of last
// use), from
//
//  - extended attributes of macOS and of Linux's desktops, which each kind of volume stores under
//    names of its own (read_stored_name, unwrap, add_finder_attribute), and
//  - AppleDouble files: "._name" next to a file, in which macOS stores attributes on volumes that
//    have none (FAT, SMB, tar, zip).
//
// Pure and built everywhere; AttributeAccess and the sidecars of search read the bytes. Sources are
// added to a FinderMetadata one by one; finish() resolves duplicates.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ffind/entry.h"

namespace ffind::os {

inline constexpr std::size_t finder_info_size = 32;

/// Bytes at the beginning of an AppleDouble file that contain everything but a resource fork, as
/// macOS writes it: its kernel reads no more for the header (ATTR_MAX_HDR_SIZE of
/// bsd/vfs/vfs_xattr.c).
inline constexpr std::size_t apple_double_header = 65536;

/// Contents of an AppleDouble file: views of the decoded bytes.
struct AppleDouble {
  struct Attribute {
    std::string_view name;
    std::string_view value;
    bool whole = true;  ///< false: its value is not, or not all, in the decoded bytes
  };

  std::string_view finder_info;  ///< of `finder_info_size`, or empty
  std::string_view comment;      ///< plain text, or empty
  std::vector<Attribute> attributes;
  std::uint64_t extent = 0;  ///< bytes of the file that contain everything but a resource fork
};

/// Decodes the first bytes of an AppleDouble file of `file_size`. nullopt if it is none, or is
/// damaged; if only the attributes are, the rest is returned without them. Both as macOS does.
std::optional<AppleDouble> decode_apple_double(std::string_view bytes, std::uint64_t file_size);

inline constexpr std::string_view finder_info_attribute = "com.apple.FinderInfo";

struct StoredName {
  std::string name;        ///< the attribute's name on macOS
  bool is_stream = false;  ///< of Samba's vfs_streams_xattr, which adds a NUL to the value
};

/// Returns the name on macOS of an attribute that a volume calls `stored`; others keep theirs.
StoredName read_stored_name(std::string_view stored);

/// Returns the attribute's own bytes in the stored value.
std::string_view unwrap(bool is_stream, std::string_view stored);

/// Whether the attribute of that name (by read_stored_name) is Finder metadata.
bool is_finder_attribute(std::string_view name);

/// Adds an attribute to `metadata`: tags and origins, 4096 at most; a comment and flags only if
/// there were none, and so do other values. Damaged values are ignored.
void add_finder_attribute(std::string_view name, std::string_view value, FinderMetadata& metadata);
void add_apple_double(const AppleDouble& file, FinderMetadata& metadata);

/// Call after the last source. Drops duplicates of tags and origins. A file with a colour but no
/// tag, labelled before there were tags, gets the tag of that colour, as the Finder shows it.
void finish(FinderMetadata& metadata);

bool is_binary_plist(std::string_view bytes);

/// Returns the strings of a binary list as UTF-8, in order, with those in arrays, sets and
/// dictionaries (keys, then values), each once. nullopt if `bytes` are no binary list, or it is
/// damaged, or has more than 16 levels or 4096 strings.
std::optional<std::vector<std::string>> strings_of_binary_plist(std::string_view bytes);

}  // namespace ffind::os
