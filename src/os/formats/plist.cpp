// SPDX-License-Identifier: MIT
// Readers of property lists. A binary one is objects that refer to each other by number, a table of
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
// Of XML, only the elements of Apple's PropertyList-1.0.dtd are known, and the syntax that can be
// in them; each byte is read once. Either reader fails as a whole at the first error: half a list
// is not a list.
#include "os/formats/plist.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "os/formats/endian.h"
#include "text/ascii.h"
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

// In XML. The same list:
//
//     <?xml version="1.0" encoding="UTF-8"?>
//     <plist version="1.0"><array><string>Red&#10;6</string></array></plist>

namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

/// Content of an element: other elements, text that is a result, or text that is none of ours.
enum class Content : std::uint8_t { members, text, nothing_wanted };

struct Element {
  std::string_view name;
  Content content;
};

/// All elements of the DTD. `true` and `false` are empty, numbers, dates and data have text.
constexpr std::array<Element, 11> elements = {{
    {"plist", Content::members},
    {"array", Content::members},
    {"dict", Content::members},
    {"string", Content::text},
    {"key", Content::text},
    {"integer", Content::nothing_wanted},
    {"real", Content::nothing_wanted},
    {"date", Content::nothing_wanted},
    {"data", Content::nothing_wanted},
    {"true", Content::nothing_wanted},
    {"false", Content::nothing_wanted},
}};

struct Reference {
  std::string_view name;
  char byte;
};

/// XML's own; a list that declares others is refused.
constexpr std::array<Reference, 5> references = {
    {{"lt", '<'}, {"gt", '>'}, {"amp", '&'}, {"quot", '"'}, {"apos", '\''}}};

bool is_blank(char byte) {
  return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
}
bool is_lower(char byte) {
  return byte >= 'a' && byte <= 'z';
}

/// Some editors put a mark of the byte order in front, which is not a part of the document.
std::string_view without_mark(std::string_view bytes) {
  if (bytes.starts_with(byte_order_mark)) bytes.remove_prefix(byte_order_mark.size());
  return bytes;
}

/// The character of `&#...;`, from its digits; nullopt if there is none.
std::optional<char32_t> numbered_character(std::string_view digits) {
  unsigned base = 10;
  if (digits.starts_with('x')) {
    base = 16;
    digits.remove_prefix(1);
  }
  if (digits.empty()) return {};
  char32_t code = 0;
  for (const char byte : digits) {
    const auto digit = text::hex_value(byte);
    if (!digit || *digit >= base) return {};
    code = code * base + *digit;
    if (code > 0x10FFFF) return {};
  }
  if (code == 0 || !text::is_encodable(code)) return {};
  return code;
}

/// The longest is "#x10FFFF"; a few more zeros are allowed for.
constexpr std::size_t longest_reference = 16;

/// Parser of an XML list. `rest_` is the input that is left; functions take what they parse from
/// its front and return false on an error, after which nothing is read. Trailing NULs are not
/// input.
class XmlParser {
 public:
  explicit XmlParser(std::string_view bytes) : rest_(without_mark(bytes)) {
    while (rest_.ends_with('\0')) rest_.remove_suffix(1);
  }

  bool read() {
    return read_declaration() && skip_between() && read_element(0) && skip_between() &&
           rest_.empty();
  }

  std::vector<std::string> take_strings() { return std::move(strings_); }

 private:
  /// Takes `expected` from the front; false, and no change, if it is not there.
  bool take(std::string_view expected) {
    if (!rest_.starts_with(expected)) return false;
    rest_.remove_prefix(expected.size());
    return true;
  }

  /// Takes the text before `end`, and `end`; false if it is missing.
  bool take_until(std::string_view end, std::string_view& found) {
    const std::size_t at = rest_.find(end);
    if (at == std::string_view::npos) return false;
    found = rest_.substr(0, at);
    rest_.remove_prefix(at + end.size());
    return true;
  }

  void skip_blanks() {
    while (!rest_.empty() && is_blank(rest_.front())) rest_.remove_prefix(1);
  }

  /// Skips `<?xml ... ?>` if there is one; false for encodings other than UTF-8.
  bool read_declaration() {
    std::string_view declared;
    if (!rest_.starts_with("<?xml")) return true;
    if (!take_until("?>", declared)) return false;
    const std::size_t encoding = declared.find("encoding");
    if (encoding == std::string_view::npos) return true;
    const std::size_t quote = declared.find_first_of("\"'", encoding);
    if (quote == std::string_view::npos) return false;
    const std::string_view name = declared.substr(quote + 1);
    const std::string lower = text::fold_ascii(name.substr(0, name.find(declared[quote])));
    return lower == "utf-8" || lower == "us-ascii";
  }

  /// Skips blanks, comments, instructions and the document type.
  bool skip_between() {
    std::string_view skipped;
    while (true) {
      skip_blanks();
      if (take("<!--")) {
        if (!take_until("-->", skipped)) return false;
      } else if (take("<?")) {
        if (!take_until("?>", skipped)) return false;
      } else if (take("<!DOCTYPE")) {
        if (!take_until(">", skipped) || skipped.find('[') != std::string_view::npos) return false;
      } else {
        return true;
      }
    }
  }

  /// Skips the attributes after the name of an element. `empty`: the element ends here.
  bool finish_tag(bool& empty) {
    char quote = '\0';
    char before = '\0';
    for (std::size_t at = 0; at < rest_.size(); ++at) {
      const char byte = rest_[at];
      // The name ends here: "<arrays>" is no array.
      if (at == 0 && !is_blank(byte) && byte != '/' && byte != '>') return false;
      if (quote != '\0') {
        if (byte == quote) quote = '\0';
      } else if (byte == '"' || byte == '\'') {
        quote = byte;
      } else if (byte == '<') {
        return false;
      } else if (byte == '>') {
        empty = before == '/';
        rest_.remove_prefix(at + 1);
        return true;
      }
      before = byte;
    }
    return false;
  }

  /// Takes the end tag of `name`, such as "</array >".
  bool take_end(std::string_view name) {
    if (!take("</") || !take(name)) return false;
    skip_blanks();
    return take(">");
  }

  /// Reads an element, `<name ...>content</name>` or `<name/>`. False for an element that property
  /// lists do not have.
  bool read_element(unsigned level) {
    if (level > most_plist_levels || !take("<")) return false;
    const auto end = std::find_if_not(rest_.begin(), rest_.end(), is_lower);
    const std::string_view name = rest_.substr(0, static_cast<std::size_t>(end - rest_.begin()));
    const auto* const element = std::find_if(
        elements.begin(), elements.end(), [&](const Element& each) { return each.name == name; });
    if (element == elements.end()) return false;
    rest_.remove_prefix(name.size());
    bool empty = false;
    if (!finish_tag(empty)) return false;
    if (element->content == Content::members) return empty || read_members(element->name, level);
    std::string text;
    if (!empty && (!read_text(text) || !take_end(element->name))) return false;
    if (element->content == Content::nothing_wanted) return true;
    if (strings_.size() == most_plist_strings) return false;
    strings_.push_back(std::move(text));
    return true;
  }

  /// Reads the elements inside `name`, and its end tag. Text between them is an error.
  bool read_members(std::string_view name, unsigned level) {
    while (skip_between()) {
      if (rest_.starts_with("</")) return take_end(name);
      if (!read_element(level + 1)) return false;
    }
    return false;
  }

  /// Reads text up to the next tag.
  bool read_text(std::string& text) {
    std::string_view piece;
    while (!rest_.empty()) {
      if (take("<!--")) {
        if (!take_until("-->", piece)) return false;
      } else if (take("<![CDATA[")) {
        if (!take_until("]]>", piece)) return false;
        append(piece, text);
      } else if (rest_.front() == '<') {
        return true;
      } else if (take("&")) {
        if (!read_reference(text)) return false;
      } else {
        const std::size_t end = std::min(rest_.find_first_of("<&"), rest_.size());
        append(rest_.substr(0, end), text);
        rest_.remove_prefix(end);
      }
    }
    return false;
  }

  /// XML turns each kind of line end into a newline.
  static void append(std::string_view piece, std::string& text) {
    for (std::size_t at = 0; at < piece.size(); ++at) {
      if (piece[at] == '\r' && at + 1 < piece.size() && piece[at + 1] == '\n') continue;
      text += piece[at] == '\r' ? '\n' : piece[at];
    }
  }

  /// Reads the rest of a reference after its `&`: "amp;", "#10;", "#xE4;".
  bool read_reference(std::string& text) {
    const std::size_t end = rest_.substr(0, longest_reference).find(';');
    if (end == std::string_view::npos) return false;
    const std::string_view name = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    if (name.starts_with('#')) {
      const std::optional<char32_t> code = numbered_character(name.substr(1));
      if (code) text::append_utf8(text, *code);
      return code.has_value();
    }
    const auto* const known =
        std::find_if(references.begin(), references.end(),
                     [&](const Reference& each) { return each.name == name; });
    if (known == references.end()) return false;
    text += known->byte;
    return true;
  }

  std::string_view rest_;
  std::vector<std::string> strings_;
};

}  // namespace

bool is_xml_plist(std::string_view bytes) {
  bytes = without_mark(bytes);
  return bytes.starts_with("<?xml") || bytes.starts_with("<!DOCTYPE plist") ||
         bytes.starts_with("<plist");
}

std::optional<std::vector<std::string>> strings_of_xml_plist(std::string_view bytes) {
  if (!is_xml_plist(bytes)) return {};
  XmlParser reader(bytes);
  if (!reader.read()) return {};
  return reader.take_strings();
}

}  // namespace ffind::os
