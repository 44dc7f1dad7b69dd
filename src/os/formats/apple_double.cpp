// SPDX-License-Identifier: MIT
// Reading AppleDouble, version 2: a table of entries, and macOS's own block of extended attributes
// behind the Finder's record. Layout and checks are those of xnu's bsd/vfs/vfs_xattr.c.
#include "os/formats/apple_double.h"

#include <algorithm>

#include "os/formats/big_endian.h"

namespace ffind::os {
namespace {

constexpr std::uint32_t magic = 0x00051607;
constexpr std::uint32_t version = 0x00020000;
constexpr std::size_t table_at = 26;
constexpr std::size_t table_row = 12;
constexpr std::size_t most_entries = 15;

constexpr std::uint32_t resource_fork = 2;
constexpr std::uint32_t comment = 4;
constexpr std::uint32_t finder_record = 9;

// The attributes' header is where it is in a file of two entries, and nowhere else.
constexpr std::size_t attributes_at = 84;
constexpr std::uint32_t attributes_magic = 0x41545452;  // "ATTR"
constexpr std::size_t attributes_header_end = 120;
constexpr std::size_t attribute_name_at = 11;  // in a row of theirs
constexpr std::size_t most_attributes = 256;

struct Part {
  std::uint32_t type;
  std::uint64_t begin;
  std::uint64_t end;
};

bool overlap(const Part& one, const Part& other) {
  return std::max(one.begin, other.begin) < std::min(one.end, other.end);
}

/// The rows of the table; none when one of them is not in order.
std::vector<Part> read_parts(std::string_view bytes, std::uint64_t file_size) {
  const std::size_t count = be16(bytes, 24);
  const std::size_t table_end = table_at + count * table_row;
  if (count == 0 || count > most_entries || table_end > bytes.size()) return {};
  std::vector<Part> parts;
  for (std::size_t row = table_at; row < table_end; row += table_row) {
    Part part{be32(bytes, row), be32(bytes, row + 4), 0};
    part.end = part.begin + be32(bytes, row + 8);
    if (part.begin < table_end || part.end > file_size) return {};
    for (const Part& other : parts) {
      if (overlap(part, other)) return {};
    }
    parts.push_back(part);
  }
  return parts;
}

/// What of it was read.
std::string_view view_of(std::string_view bytes, std::uint64_t begin, std::uint64_t end) {
  if (begin >= bytes.size()) return {};
  return bytes.substr(begin, std::min<std::uint64_t>(end, bytes.size()) - begin);
}

bool read_attributes(std::string_view bytes, const Part& record, AppleDouble& found) {
  if (bytes.size() < attributes_header_end || be32(bytes, attributes_at) != attributes_magic) {
    return false;
  }
  const std::uint64_t total = be32(bytes, 92);
  const std::uint64_t data_begin = be32(bytes, 96);
  const std::uint64_t data_end = data_begin + be32(bytes, 100);
  const std::size_t count = be16(bytes, 118);
  if (count > most_attributes || total > record.end || data_begin < attributes_header_end ||
      data_end > total) {
    return false;
  }
  std::size_t row = attributes_header_end;
  std::uint64_t values = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (row + attribute_name_at > bytes.size()) return false;
    const std::uint64_t begin = be32(bytes, row);
    const std::uint64_t end = begin + be32(bytes, row + 4);
    const std::size_t name_length = static_cast<unsigned char>(bytes[row + 10]);
    const std::size_t name_end = row + attribute_name_at + name_length;
    // The names lie before the values, each with a NUL at its end and nowhere else.
    if (name_length < 2 || name_end > bytes.size() || name_end > data_begin) return false;
    const std::string_view name = bytes.substr(row + attribute_name_at, name_length - 1);
    if (bytes[name_end - 1] != '\0' || name.find('\0') != std::string_view::npos) return false;
    if (begin < data_begin || end > data_end) return false;
    // Values that lie in one another would make 256 times as much of the bytes as there is.
    values += end - begin;
    if (values > data_end - data_begin) return false;
    found.attributes.push_back({name, view_of(bytes, begin, end), end <= bytes.size()});
    found.extent = std::max(found.extent, end);
    row += (attribute_name_at + name_length + 3) & ~std::size_t{3};
  }
  return true;
}

}  // namespace

std::optional<AppleDouble> decode_apple_double(std::string_view bytes, std::uint64_t file_size) {
  bytes = bytes.substr(0, std::min<std::uint64_t>(bytes.size(), file_size));
  if (bytes.size() < table_at || be32(bytes, 0) != magic || be32(bytes, 4) != version) return {};
  const std::vector<Part> parts = read_parts(bytes, file_size);
  if (parts.empty()) return {};
  AppleDouble found;
  for (const Part& part : parts) {
    const std::uint64_t size = part.end - part.begin;
    if (part.type == resource_fork) {
      found.has_resource_fork = size != 0;
    } else if (part.type == comment) {
      found.comment = view_of(bytes, part.begin, part.end);
      found.extent = std::max(found.extent, part.end);
    } else if (part.type == finder_record && size >= finder_info_size) {
      const std::string_view info = view_of(bytes, part.begin, part.begin + finder_info_size);
      if (info.size() == finder_info_size) found.finder_info = info;
      found.extent = std::max(found.extent, part.begin + finder_info_size);
      if (size > finder_info_size && !read_attributes(bytes, part, found)) found.attributes.clear();
    }
  }
  return found;
}

}  // namespace ffind::os
