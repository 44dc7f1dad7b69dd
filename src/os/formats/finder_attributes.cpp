// SPDX-License-Identifier: MIT
// Table of the attributes with Finder metadata, the meaning of their values, and the decoders of
// binary property lists and of AppleDouble.
//
//     stored name ──read_stored_name──▶ name on macOS ──rows──▶ Meaning
//     stored value ──unwrap──▶ value ──texts_of──▶ texts ──add_...──▶ FinderMetadata ──finish
//
// The same fact may be in several places: a tag as an attribute and as the colour in the Finder's
// record, both again in a "._name" file.
//
// Values may be any bytes, so each decoder checks bounds, and limits its result by its input.
#include "os/formats/finder_attributes.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include "os/formats/endian.h"
#include "text/ascii.h"
#include "text/sizes.h"
#include "text/utf8.h"

namespace ffind::os {
namespace {

enum class Meaning : std::uint8_t {
  tags,
  tag_list,
  comment,
  where_froms,
  last_opened,
  finder_info
};

/// An attribute, by its name on macOS or Linux. A new row is recognised by is_finder_attribute, and
/// so read with all others; a new Meaning also needs a case in add_finder_attribute.
struct Row {
  std::string_view name;
  Meaning meaning;
};

constexpr Row rows[] = {
    {"com.apple.metadata:_kMDItemUserTags", Meaning::tags},
    {"com.apple.metadata:kMDItemFinderComment", Meaning::comment},
    {"com.apple.metadata:kMDItemWhereFroms", Meaning::where_froms},
    {"com.apple.lastuseddate#PS", Meaning::last_opened},
    {finder_info_attribute, Meaning::finder_info},
    // freedesktop.org's common extended attributes: KDE writes the first two, browsers, curl and
    // wget the others. Values are plain text, tags with commas between them.
    {"user.xdg.tags", Meaning::tag_list},
    {"user.xdg.comment", Meaning::comment},
    {"user.xdg.origin.url", Meaning::where_froms},
    {"user.xdg.referrer.url", Meaning::where_froms},
};

/// By the number of a colour, of the Finder's flags and of tags; 0 is none.
constexpr std::array<std::string_view, 8> colour_names = {"",     "Gray",   "Green", "Purple",
                                                          "Blue", "Yellow", "Red",   "Orange"};

using Texts = std::vector<std::string>;

/// Returns the texts in the value of an attribute. A value that is no list is one text, without
/// NULs and newlines at its end. None for a damaged list.
Texts texts_of(std::string_view value) {
  if (is_binary_plist(value)) return strings_of_binary_plist(value).value_or(Texts());
  while (value.ends_with('\0') || value.ends_with('\n')) value.remove_suffix(1);
  if (value.empty()) return {};
  return {std::string(value)};
}

/// Tags, and origins: more than any file has; a value of a megabyte can contain half a million.
constexpr std::size_t most_kept = 4096;

/// finish() drops duplicates: comparing each with all others here would be quadratic.
void add_tag(std::string_view name, std::uint8_t colour, FinderMetadata& metadata) {
  if (name.empty() || metadata.tags.size() == most_kept) return;
  metadata.tags.push_back({std::string(name), colour});
}

/// Adds a tag from "Name", or "Name\nN" with the number of its colour. The Finder leaves the number
/// out for tags that are named like their colour, in English:
///
///     "Draft\n6"   Draft, red          "Red"     Red, red
///     "Draft"      Draft, no colour    "Grey"    Grey, gray
void add_finder_tag(std::string_view text, FinderMetadata& metadata) {
  std::uint8_t colour = 0;
  const std::size_t line = text.rfind('\n');
  if (line != std::string_view::npos) {
    if (text.size() == line + 2 && text[line + 1] >= '0' && text[line + 1] <= '7') {
      colour = static_cast<std::uint8_t>(text[line + 1] - '0');
    }
    text = text.substr(0, line);
  } else {
    const std::string folded = text::fold_ascii(text);
    for (std::size_t i = 1; i < colour_names.size(); ++i) {
      if (folded == text::fold_ascii(colour_names[i])) colour = static_cast<std::uint8_t>(i);
    }
    if (folded == "grey") colour = 1;
  }
  add_tag(text, colour, metadata);
}

/// "a, b,,c" has the tags a, b and c.
void add_tag_list(std::string_view text, FinderMetadata& metadata) {
  while (!text.empty()) {
    std::string_view tag = text::take_part(text, ',');
    while (tag.starts_with(' ')) tag.remove_prefix(1);
    while (tag.ends_with(' ')) tag.remove_suffix(1);
    add_finder_tag(tag, metadata);
  }
}

/// Returns a code of four characters. NUL fills it up, and is all of it if there is none.
std::string_view code_in(std::string_view bytes) {
  while (bytes.ends_with('\0')) bytes.remove_suffix(1);
  return bytes;
}

/// Flags are the two bytes at 8, big-endian; the codes of type and creator come before them.
void add_finder_info(std::string_view info, FinderMetadata& metadata) {
  if (info.size() != finder_info_size) return;
  const std::uint16_t bits = be16(info, 8);
  FinderFlags flags;
  flags.colour = static_cast<std::uint8_t>(bits >> 1U & 7U);
  flags.locked = (bits & 0x1000U) != 0;
  flags.bundle = (bits & 0x2000U) != 0;
  flags.invisible = (bits & 0x4000U) != 0;
  flags.alias = (bits & 0x8000U) != 0;
  // A record of another source counts if the first is blank.
  if (metadata.flags == FinderFlags{}) metadata.flags = flags;
  if (metadata.type_code.empty()) metadata.type_code = code_in(info.substr(0, 4));
  if (metadata.creator.empty()) metadata.creator = code_in(info.substr(4, 4));
}

/// Adds the time in two little-endian numbers of 64 bits, seconds and nanoseconds: a timespec.
void add_last_opened(std::string_view value, FinderMetadata& metadata) {
  if (value.size() != 16 || metadata.last_opened) return;
  const auto* const bytes = reinterpret_cast<const unsigned char*>(value.data());
  const auto seconds = static_cast<std::int64_t>(le64(bytes));
  if (seconds == 0) return;  // written for "never"
  metadata.last_opened = instant(seconds, static_cast<std::int64_t>(le64(bytes + 8)));
}

void add_comment(std::string_view text, FinderMetadata& metadata) {
  if (metadata.comment.empty()) metadata.comment = text;
}

void add_origin(std::string text, FinderMetadata& metadata) {
  if (text.empty() || metadata.where_froms.size() == most_kept) return;
  metadata.where_froms.push_back(std::move(text));
}

const Row* find_row(std::string_view name) {
  for (const Row& row : rows) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

}  // namespace

// Examples:
//
//     user.com.apple.FinderInfo                           com.apple.FinderInfo
//     osx.com.apple.FinderInfo (Linux's hfsplus)          com.apple.FinderInfo
//     user.DosStream.com.apple.metadata<U+F022>x:$DATA    com.apple.metadata:x, a stream
//     user.xdg.tags                                       itself
StoredName read_stored_name(std::string_view stored) {
  constexpr std::string_view stream = "user.DosStream.";
  if (stored.starts_with(stream)) {
    std::string name(stored.substr(stream.size()));
    constexpr std::string_view type = ":$DATA";
    if (std::string_view(name).ends_with(type)) name.resize(name.size() - type.size());
    // U+F022: catia and macOS write it for a colon, which a stream's name cannot contain.
    constexpr std::string_view colon = "\xEF\x80\xA2";
    for (std::size_t at = 0; (at = name.find(colon, at)) != std::string::npos; ++at) {
      name.replace(at, colon.size(), ":");
    }
    return {.name = std::move(name), .is_stream = true};
  }
  for (const std::string_view space : {"user.", "osx."}) {
    if (!stored.starts_with(space)) continue;
    if (stored.substr(space.size()).starts_with("com.apple.")) stored.remove_prefix(space.size());
    break;
  }
  return {.name = std::string(stored)};
}

std::string_view unwrap(bool is_stream, std::string_view stored) {
  // The NUL would hide the trailer of a binary list.
  if (is_stream && stored.ends_with('\0')) stored.remove_suffix(1);
  return stored;
}

bool is_finder_attribute(std::string_view name) {
  return find_row(name) != nullptr;
}

void add_finder_attribute(std::string_view name, std::string_view value, FinderMetadata& metadata) {
  const Row* const row = find_row(name);
  if (row == nullptr) return;
  if (row->meaning == Meaning::finder_info) return add_finder_info(value, metadata);
  if (row->meaning == Meaning::last_opened) return add_last_opened(value, metadata);
  for (std::string& text : texts_of(value)) {
    if (row->meaning == Meaning::tags) add_finder_tag(text, metadata);
    if (row->meaning == Meaning::tag_list) add_tag_list(text, metadata);
    if (row->meaning == Meaning::comment) add_comment(text, metadata);
    if (row->meaning == Meaning::where_froms) add_origin(std::move(text), metadata);
  }
}

void add_apple_double(const AppleDouble& file, FinderMetadata& metadata) {
  for (const AppleDouble::Attribute& attribute : file.attributes) {
    if (attribute.whole) add_finder_attribute(attribute.name, attribute.value, metadata);
  }
  add_finder_info(file.finder_info, metadata);
  if (!file.comment.empty()) add_comment(file.comment, metadata);
}

// A tag that has a colour in one source and none in another keeps the colour.
void finish(FinderMetadata& metadata) {
  std::vector<FinderTag> tags;
  std::map<std::string, std::size_t> places;  // in `tags`
  for (FinderTag& tag : metadata.tags) {
    const auto [known, is_new] = places.emplace(tag.name, tags.size());
    if (is_new) {
      tags.push_back(std::move(tag));
    } else if (tags[known->second].colour == 0) {
      tags[known->second].colour = tag.colour;
    }
  }
  metadata.tags = std::move(tags);
  std::set<std::string> origins;
  std::erase_if(metadata.where_froms,
                [&](const std::string& origin) { return !origins.insert(origin).second; });
  const unsigned colour = metadata.flags.colour;
  if (metadata.tags.empty() && colour != 0) {
    add_tag(colour_names[colour], metadata.flags.colour, metadata);
  }
}

// Binary property lists ("bplist00"): objects that refer to each other by number, a table of
// their offsets, and a trailer:
//
//     "bplist00" | objects | their offsets | trailer: sizes, count, top object, table's offset
//
// An object begins with a byte of two halves, its kind and a count; a count of 15 means that the
// real one follows as an integer object. The list of one tag, ["Red\n6"]:
//
//     A1 01               array of one: object 1
//     55 52 65 64 0A 36   string of 5 bytes of ASCII
//     08 0A               the table: objects 0 and 1 are at 8 and 10
//     00 x 6              unused, and a version
//     01 01               bytes of an offset, bytes of an object's number
//     2  0  16            count, top object, place of the table, 8 bytes each
//
// Strings are 5 (ASCII) and 6 (UTF-16, big-endian, counted in units); containers are A (array), C
// (set) and D (dictionary: all keys, then all values). All numbers are big-endian.
//
// The reader fails as a whole at the first error: half a list is not a list.

namespace {

/// Attributes are arrays of strings. A deeper list is no attribute of the Finder's.
constexpr unsigned most_plist_levels = 16;
/// An empty string takes 2 bytes of a binary list and 32 of memory.
constexpr std::size_t most_plist_strings = 4096;

constexpr std::string_view signature = "bplist00";
constexpr std::size_t trailer_size = 32;

std::string utf8_of_utf16(std::string_view bytes) {
  std::string text;
  text::Utf16Decoder decoder(true);
  decoder.append(bytes, text);
  decoder.finish(text);
  return text;
}

/// Recursive, most_plist_levels deep. Work and memory are bounded by the size of the input: each
/// object is read once, and all strings together have no more bytes than it.
class PlistParser {
 public:
  explicit PlistParser(std::string_view bytes) : bytes_(bytes) {}

  /// Checks the trailer and reads the top object; false if the list is malformed.
  bool read() {
    if (!is_binary_plist(bytes_) || bytes_.size() < signature.size() + trailer_size) return false;
    const std::size_t trailer = bytes_.size() - trailer_size;
    offset_size_ = static_cast<unsigned char>(bytes_[trailer + 6]);
    number_size_ = static_cast<unsigned char>(bytes_[trailer + 7]);
    count_ = load(trailer + 8, 8);
    const std::size_t top = load(trailer + 16, 8);
    table_ = load(trailer + 24, 8);
    if (offset_size_ == 0 || offset_size_ > 8 || number_size_ == 0 || number_size_ > 8)
      return false;
    if (table_ < signature.size() || table_ > trailer) return false;
    if (count_ == 0 || count_ > (trailer - table_) / offset_size_) return false;
    // A bit for each object, of which each has at least a byte of the table.
    seen_.resize(count_);
    return read_object(top, 0);
  }

  std::vector<std::string> take_strings() { return std::move(strings_); }

 private:
  /// A number beyond memory is beyond the list, too.
  std::size_t load(std::size_t at, std::size_t size) const {
    return text::at_most(SIZE_MAX, load_big(bytes_, at, size));
  }

  /// Reads the count of the object whose first byte is at `header`. Sets `at` to its contents.
  bool read_count(std::size_t header, std::size_t& at, std::size_t& count) const {
    const auto marker = static_cast<unsigned char>(bytes_[header]);
    at = header + 1;
    count = marker & 0x0FU;
    if (count < 15) return true;
    // 15: the count is an integer of 2^n bytes, after the header.
    if (at >= table_) return false;
    const auto integer = static_cast<unsigned char>(bytes_[at]);
    if ((integer & 0xF0U) != 0x10 || (integer & 0x0FU) > 3) return false;
    const std::size_t size = std::size_t{1} << (integer & 0x0FU);
    ++at;
    if (size > table_ - at) return false;
    count = load(at, size);
    at += size;
    return true;
  }

  /// Reads object `number`, and those that it contains. Bytes from `table_` on are no object's.
  bool read_object(std::size_t number, unsigned level) {
    if (number >= count_ || level > most_plist_levels) return false;
    // Objects are read once, so a container that contains itself ends.
    if (seen_[number]) return true;
    seen_[number] = true;
    // The offset of the object, from the table.
    const std::size_t header = load(table_ + number * offset_size_, offset_size_);
    if (header < signature.size() || header >= table_) return false;
    const unsigned kind = static_cast<unsigned char>(bytes_[header]) >> 4U;
    // 0 to 4 and 8: null, booleans, numbers, dates, data, UIDs, none of which has text.
    if (kind < 5 || kind == 8) return true;
    std::size_t at = 0;
    std::size_t count = 0;
    if (!read_count(header, at, count)) return false;
    switch (kind) {
      case 0x5:
      case 0x6:
        return read_string(at, count, kind == 0x6 ? 2 : 1);
      case 0xA:
      case 0xC:
        return read_members(at, count, 1, level);
      case 0xD:
        return read_members(at, count, 2, level);
      default:
        return false;
    }
  }

  /// `count` units of `unit` bytes: 1 for ASCII, 2 for UTF-16.
  bool read_string(std::size_t at, std::size_t count, unsigned unit) {
    if (count > (table_ - at) / unit) return false;
    const std::size_t size = count * unit;
    // Overlapping strings would yield more text than there are bytes.
    if (size > bytes_.size() - text_ || strings_.size() == most_plist_strings) return false;
    text_ += size;
    const std::string_view text = bytes_.substr(at, size);
    strings_.push_back(unit == 1 ? std::string(text) : utf8_of_utf16(text));
    return true;
  }

  /// `count` members of `each` object numbers: 1, or 2 for a key and its value.
  bool read_members(std::size_t at, std::size_t count, unsigned each, unsigned level) {
    if (count > (table_ - at) / number_size_ / each) return false;
    for (std::size_t i = 0; i < count * each; ++i) {
      if (!read_object(load(at + i * number_size_, number_size_), level + 1)) return false;
    }
    return true;
  }

  std::string_view bytes_;
  /// From the trailer: bytes of an offset and of an object's number, number of objects, table.
  std::size_t offset_size_ = 0;
  std::size_t number_size_ = 0;
  std::size_t count_ = 0;
  std::size_t table_ = 0;
  std::size_t text_ = 0;  ///< bytes of all strings so far
  std::vector<bool> seen_;
  std::vector<std::string> strings_;
};

}  // namespace

bool is_binary_plist(std::string_view bytes) {
  return bytes.substr(0, signature.size()) == signature;
}

std::optional<std::vector<std::string>> strings_of_binary_plist(std::string_view bytes) {
  PlistParser reader(bytes);
  if (!reader.read()) return {};
  return reader.take_strings();
}

// AppleDouble, version 2: a table of parts, and macOS's own block of extended attributes after the
// Finder's record. Layout and checks are those of xnu's bsd/vfs/vfs_xattr.c.
//
//     magic | version | 16 bytes | count | {type, begin, size}... | Finder's 32 bytes
//         | "ATTR" ... {begin, size, flags, name}... values | resource fork

namespace {

constexpr std::uint32_t magic = 0x00051607;
constexpr std::uint32_t version = 0x00020000;
constexpr std::size_t table_at = 26;
constexpr std::size_t table_row = 12;
constexpr std::size_t most_entries = 15;

constexpr std::uint32_t comment = 4;
constexpr std::uint32_t finder_record = 9;

// The attributes' header is always where it is in a file of two parts.
constexpr std::size_t attributes_at = 84;
constexpr std::uint32_t attributes_magic = 0x41545452;  // "ATTR"
constexpr std::size_t attributes_header_end = 120;
constexpr std::size_t attribute_name_at = 11;  // in a row of theirs
constexpr std::size_t most_attributes = 256;

/// An entry of the table: bytes of the file from `begin` to `end`.
struct Part {
  std::uint32_t type;
  std::uint64_t begin;
  std::uint64_t end;
};

/// Returns the parts in the table; none if one of them is invalid, begins inside the table, ends
/// outside of the file, or overlaps another. At most 15 parts, so they are compared in pairs.
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
      if (std::max(part.begin, other.begin) < std::min(part.end, other.end)) return {};
    }
    parts.push_back(part);
  }
  return parts;
}

/// The bytes from `begin` to `end`, cut at those that were read.
std::string_view view_of(std::string_view bytes, std::uint64_t begin, std::uint64_t end) {
  const std::size_t from = text::at_most(bytes.size(), begin);
  return bytes.substr(from, text::at_most(bytes.size(), end) - from);
}

/// Reads the block of attributes after the Finder's record. False if it is missing or malformed.
/// Offsets count from the start of the file:
///
///     84  "ATTR"    92  end of all    96  begin, 100 size of values    118  number of attributes
///     120 rows: begin 4, size 4, flags 2, size of the name 1, name with NUL; padded to 4
///
/// A value may be outside of `bytes`, the beginning of the file; it is then cut and not `whole`.
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
    // The names precede the values, each with one NUL, at its end.
    if (name_length < 2 || name_end > bytes.size() || name_end > data_begin) return false;
    const std::string_view name = bytes.substr(row + attribute_name_at, name_length - 1);
    if (bytes[name_end - 1] != '\0' || name.find('\0') != std::string_view::npos) return false;
    if (begin < data_begin || end > data_end) return false;
    // Overlapping values could yield 256 times as many bytes as there are.
    values += end - begin;
    if (values > data_end - data_begin) return false;
    found.attributes.push_back({name, view_of(bytes, begin, end), end <= bytes.size()});
    found.extent = std::max(found.extent, end);
    row += (attribute_name_at + name_length + 3) & ~std::size_t{3};
  }
  return true;
}

}  // namespace

// `bytes` are the beginning of the file. Parts of other types, such as resource forks and icons,
// are checked with all others, and ignored.
std::optional<AppleDouble> decode_apple_double(std::string_view bytes, std::uint64_t file_size) {
  bytes = bytes.substr(0, text::at_most(bytes.size(), file_size));
  if (bytes.size() < table_at || be32(bytes, 0) != magic || be32(bytes, 4) != version) return {};
  const std::vector<Part> parts = read_parts(bytes, file_size);
  if (parts.empty()) return {};
  AppleDouble found;
  for (const Part& part : parts) {
    const std::uint64_t size = part.end - part.begin;
    if (part.type == comment) {
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
