// SPDX-License-Identifier: MIT
// Reading binary property lists: a trailer, a table of offsets, objects that name each other by
// their number in it. See binary_plist.h.
#include "os/formats/binary_plist.h"

#include <cstddef>
#include <cstdint>
#include <utility>

#include "os/formats/big_endian.h"
#include "os/formats/plist_text.h"
#include "text/utf8.h"

namespace ffind::os {
namespace {

constexpr std::string_view signature = "bplist00";
constexpr std::size_t trailer_size = 32;

std::string utf8_of_utf16(std::string_view bytes) {
  std::string text;
  text::Utf16Decoder decoder(true);
  decoder.append(bytes, text);
  decoder.finish(text);
  return text;
}

class PlistReader {
 public:
  explicit PlistReader(std::string_view bytes) : bytes_(bytes) {}

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
    // A bit an object, each of which has a byte of the table at least.
    seen_.resize(count_);
    return read_object(top, 0);
  }

  std::vector<std::string> take_strings() { return std::move(strings_); }

 private:
  /// `header`: offset of an object's first byte. Leaves in `at` where what it holds begins.
  bool read_count(std::uint64_t header, std::uint64_t& at, std::uint64_t& count) const {
    const auto marker = static_cast<unsigned char>(bytes_[header]);
    at = header + 1;
    count = marker & 0x0FU;
    if (count < 15) return true;
    // An integer of 2^n bytes says it.
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

  bool read_object(std::uint64_t number, unsigned level) {
    if (number >= count_ || level > most_plist_levels) return false;
    // What was read is known, and a container that holds itself is not entered again.
    if (seen_[number]) return true;
    seen_[number] = true;
    const std::uint64_t header = load_big(bytes_, table_ + number * offset_size_, offset_size_);
    if (header < signature.size() || header >= table_) return false;
    const unsigned kind = static_cast<unsigned char>(bytes_[header]) >> 4U;
    // 0 to 4 and 8: null, booleans, numbers, dates, data, UIDs, which hold no text.
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

  bool read_string(std::uint64_t at, std::uint64_t count, unsigned unit) {
    if (count > (table_ - at) / unit) return false;
    const std::uint64_t size = count * unit;
    // Strings that lie in one another would make more of the bytes than there are.
    if (size > bytes_.size() - text_ || strings_.size() == most_plist_strings) return false;
    text_ += size;
    const std::string_view text = bytes_.substr(at, size);
    strings_.push_back(unit == 1 ? std::string(text) : utf8_of_utf16(text));
    return true;
  }

  bool read_members(std::uint64_t at, std::uint64_t count, unsigned each, unsigned level) {
    if (count > (table_ - at) / number_size_ / each) return false;
    for (std::uint64_t i = 0; i < count * each; ++i) {
      const std::uint64_t number = load_big(bytes_, at + i * number_size_, number_size_);
      if (!read_object(number, level + 1)) return false;
    }
    return true;
  }

  std::string_view bytes_;
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
  PlistReader reader(bytes);
  if (!reader.read()) return {};
  return reader.take_strings();
}

}  // namespace ffind::os
