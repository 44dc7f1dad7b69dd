// SPDX-License-Identifier: MIT
// Apple does not document the format; it was worked out by others (mac_alias, Mac::Alias). Numbers
// are little-endian, and offsets count from the end of the header:
//
//     "book" 0 "mark" 0 | length of the header | ...                         the header
//     offset of the first table | items and tables in any order
//     table   length - 8 | 0xFFFFFFFE | id | offset of the next, or 0 | count | {key, item, 0}...
//     item    length | type | bytes; of a list, the offsets of its items
//
// The path is the list of its components, under one key of any table.
#include "os/formats/bookmark.h"

#include <algorithm>
#include <cstdint>

#include "os/formats/endian.h"

namespace ffind::os {
namespace {

constexpr std::string_view magic("book\0\0\0\0mark\0\0\0\0", 16);
constexpr std::size_t header_length_at = 16;
constexpr std::uint32_t table_magic = 0xFFFFFFFE;
constexpr std::size_t table_head = 20;
constexpr std::size_t table_row = 12;
/// Tables name each other, perhaps in a circle. A bookmark has one for each volume on the way.
constexpr std::size_t most_tables = 64;

constexpr std::uint32_t path_key = 0x1004;
constexpr std::uint32_t list_type = 0x0601;
constexpr std::uint32_t text_type = 0x0101;
/// Components may share their bytes, so that a short file could yield an endless path.
constexpr std::size_t longest_path = 16384;

/// Items and tables: the bytes after the header.
class Items {
 public:
  explicit Items(std::string_view bytes) : bytes_(bytes) {}

  /// The bytes from `at` on; fewer than `size` if there are not as many.
  std::string_view from(std::size_t at, std::size_t size) const {
    return at <= bytes_.size() ? bytes_.substr(at, size) : std::string_view();
  }
  std::optional<std::uint32_t> word(std::size_t at) const {
    if (from(at, 4).size() < 4) return {};
    return word_of(bytes_, at);
  }
  /// The bytes of the item at `at`; nullopt if it is of another type.
  std::optional<std::string_view> item(std::size_t at, std::uint32_t type) const {
    const auto length = word(at);
    const auto found = word(at + 4);
    if (!length || found != type) return {};
    const std::string_view bytes = from(at + 8, *length);
    if (bytes.size() < *length) return {};
    return bytes;
  }
  static std::uint32_t word_of(std::string_view bytes, std::size_t at) {
    return le32(reinterpret_cast<const unsigned char*>(bytes.data()) + at);
  }

 private:
  std::string_view bytes_;
};

/// Returns the offset of the path's list from one of the tables.
std::optional<std::size_t> find_path(const Items& items) {
  std::optional<std::uint32_t> table = items.word(0);
  for (std::size_t i = 0; table && *table != 0 && i < most_tables; ++i) {
    const std::size_t at = *table;
    const std::string_view head = items.from(at, table_head);
    if (head.size() < table_head || Items::word_of(head, 4) != table_magic) return {};
    table = Items::word_of(head, 12);
    const std::size_t count = Items::word_of(head, 16);
    const std::string_view rows = items.from(at + table_head, count * table_row);
    for (std::size_t row = 0; row + table_row <= rows.size(); row += table_row) {
      if (Items::word_of(rows, row) == path_key) return Items::word_of(rows, row + 4);
    }
  }
  return {};
}

}  // namespace

bool may_be_alias_file(std::string_view bytes) {
  const std::size_t size = std::min(bytes.size(), magic.size());
  return bytes.substr(0, size) == magic.substr(0, size);
}

std::optional<std::string> target_of_alias_file(std::string_view bytes) {
  if (bytes.size() < least_alias_file || !may_be_alias_file(bytes)) return {};
  const std::size_t header = Items::word_of(bytes, header_length_at);
  if (header < header_length_at + 4 || header > bytes.size()) return {};
  const Items items(bytes.substr(header));
  const auto list_at = find_path(items);
  if (!list_at) return {};
  const auto list = items.item(*list_at, list_type);
  if (!list || list->size() % 4 != 0) return {};
  std::string path;
  for (std::size_t at = 0; at < list->size(); at += 4) {
    const auto name = items.item(Items::word_of(*list, at), text_type);
    if (!name || name->empty() || name->size() > longest_path - path.size()) return {};
    if (name->find_first_of(std::string_view("/\0", 2)) != std::string_view::npos) return {};
    path.append("/").append(*name);
    if (path.size() >= longest_path) return {};
  }
  return path.empty() ? "/" : path;
}

}  // namespace ffind::os
