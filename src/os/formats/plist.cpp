// SPDX-License-Identifier: MIT
// Reader of binary property lists: objects that refer to each other by number, a table of
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
#include "os/formats/plist.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "os/formats/endian.h"
#include "text/utf8.h"

namespace ffind::os {
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

/// Parser of a binary list. Recursive, most_plist_levels deep. Work and memory are bounded by the
/// size of the input: each object is read once, and all strings together have no more bytes than
/// it.
class PlistParser {
 public:
  explicit PlistParser(std::string_view bytes) : bytes_(bytes) {}

  /// Checks the trailer and reads the top object; false if the list is malformed.
  bool read() {
    if (!is_binary_plist(bytes_) || bytes_.size() < signature.size() + trailer_size) return false;
    const std::size_t trailer = bytes_.size() - trailer_size;
    offset_size_ = static_cast<unsigned char>(bytes_[trailer + 6]);
    number_size_ = static_cast<unsigned char>(bytes_[trailer + 7]);
    count_ = load_big(bytes_, trailer + 8, 8);
    const std::uint64_t top = load_big(bytes_, trailer + 16, 8);
    table_ = load_big(bytes_, trailer + 24, 8);
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
  /// Reads the count of the object whose first byte is at `header`. Sets `at` to its contents.
  bool read_count(std::uint64_t header, std::uint64_t& at, std::uint64_t& count) const {
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
    count = load_big(bytes_, at, size);
    at += size;
    return true;
  }

  /// Reads object `number`, and those that it contains. Bytes from `table_` on are no object's.
  bool read_object(std::uint64_t number, unsigned level) {
    if (number >= count_ || level > most_plist_levels) return false;
    // Objects are read once, so a container that contains itself ends.
    if (seen_[number]) return true;
    seen_[number] = true;
    // The offset of the object, from the table.
    const std::uint64_t header = load_big(bytes_, table_ + number * offset_size_, offset_size_);
    if (header < signature.size() || header >= table_) return false;
    const unsigned kind = static_cast<unsigned char>(bytes_[header]) >> 4U;
    // 0 to 4 and 8: null, booleans, numbers, dates, data, UIDs, none of which has text.
    if (kind < 5 || kind == 8) return true;
    std::uint64_t at = 0;
    std::uint64_t count = 0;
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
  bool read_string(std::uint64_t at, std::uint64_t count, unsigned unit) {
    if (count > (table_ - at) / unit) return false;
    const std::uint64_t size = count * unit;
    // Overlapping strings would yield more text than there are bytes.
    if (size > bytes_.size() - text_ || strings_.size() == most_plist_strings) return false;
    text_ += size;
    const std::string_view text = bytes_.substr(at, size);
    strings_.push_back(unit == 1 ? std::string(text) : utf8_of_utf16(text));
    return true;
  }

  /// `count` members of `each` object numbers: 1, or 2 for a key and its value.
  bool read_members(std::uint64_t at, std::uint64_t count, unsigned each, unsigned level) {
    if (count > (table_ - at) / number_size_ / each) return false;
    for (std::uint64_t i = 0; i < count * each; ++i) {
      const std::uint64_t number = load_big(bytes_, at + i * number_size_, number_size_);
      if (!read_object(number, level + 1)) return false;
    }
    return true;
  }

  std::string_view bytes_;
  /// From the trailer: bytes of an offset and of an object's number, number of objects, table.
  std::size_t offset_size_ = 0;
  std::size_t number_size_ = 0;
  std::uint64_t count_ = 0;
  std::uint64_t table_ = 0;
  std::uint64_t text_ = 0;  ///< bytes of all strings so far
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

}  // namespace ffind::os
