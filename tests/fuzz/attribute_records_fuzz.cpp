// SPDX-License-Identifier: MIT
// Fuzzes the reader of macOS's attribute records. Input: a byte for the layout, three sets of four
// bytes that were asked for (common, directory, file), then the records.
#include "fuzz/fuzz.h"
#include "os/formats/darwin_attributes.h"

namespace ffind::fuzz::attribute_records_fuzz {

namespace {

using namespace os::darwin;

/// What of `needs` the sets that were asked for can ever answer.
Needs answerable(const AttributeSet& asked) {
  Needs needs = needs::none;
  const auto common = [&](std::uint32_t bits) { return (asked.common & bits) == bits; };
  if (common(0x8)) needs |= needs::type;
  if (common(0x20008)) needs |= needs::mode;
  if (common(0x18000)) needs |= needs::owner;
  if (common(0x2000002)) needs |= needs::identity;
  if (common(0x200)) needs |= needs::created;
  if (common(0x400)) needs |= needs::modified;
  if (common(0x800)) needs |= needs::changed;
  if (common(0x1000)) needs |= needs::accessed;
  if (common(0x10000000)) needs |= needs::added;
  if (common(0x40000)) needs |= needs::flags | needs::hidden;  // the flag alone may tell
  if ((asked.file & 0x1) != 0) needs |= needs::links;
  if ((asked.file & 0x204) == 0x204 || (asked.directory & 0x28) == 0x28) needs |= needs::size;
  return needs;
}

/// The record that holds `at`, by the lengths alone.
std::string_view record_around(const char* at, std::string_view buffer) {
  while (!buffer.empty()) {
    std::uint32_t length = 0;
    require(buffer.size() >= sizeof length, "a record begins with its length");
    std::memcpy(&length, buffer.data(), sizeof length);
    require(length >= sizeof length && length <= buffer.size(), "a record lies in the buffer");
    if (at < buffer.data() + length) return buffer.substr(0, length);
    buffer.remove_prefix(length);
  }
  return {};
}

void check_name(std::string_view name, std::string_view buffer) {
  require(name.data() >= buffer.data(), "a name lies in the buffer");
  const std::string_view record = record_around(name.data(), buffer);
  require(name.data() + name.size() < record.data() + record.size(),
          "a name and the NUL behind it lie in one record");
  require(name.data()[name.size()] == '\0', "a NUL follows the name");
  require(name.find('\0') == std::string_view::npos, "no NUL is in the name");
  require(name.find('/') == std::string_view::npos, "no slash is in the name");
  require(name != "." && name != "..", "no name is one of dots");
}

void check(const AttributeRecord& record, const AttributeSet& asked) {
  require((record.known & ~answerable(asked)) == 0, "known is only what was asked for");
  require(((record.known & needs::type) != 0) == (record.type != FileType::unknown),
          "a type is known or unknown");
  require(!record.bundle || (record.bundle_known && record.type == FileType::directory),
          "a bundle is a directory");
  require((asked.common & 0x4000) != 0 || !record.bundle_known, "a bundle was asked for");
  require(record.error == 0 || record.known == needs::none, "of an error nothing is known");
  if ((record.known & needs::mode) != 0) {
    constexpr std::uint32_t bits[] = {0,       0100000, 0040000, 0120000,
                                      0010000, 0140000, 0060000, 0020000};
    require((record.metadata.mode & ~07777U) == bits[static_cast<unsigned>(record.type)],
            "the mode is one of the type");
  }
  if ((record.known & needs::size) != 0) {
    require(record.metadata.allocated % 512 == 0, "blocks are counted");
  }
}

}  // namespace

FUZZ_TARGET(attribute_records) {
  Input input(data, size);
  const RecordLayout layout =
      (input.take<std::uint8_t>() & 1U) != 0 ? RecordLayout::search : RecordLayout::bulk;
  AttributeSet asked;
  asked.common = input.take<std::uint32_t>();
  asked.directory = input.take<std::uint32_t>();
  asked.file = input.take<std::uint32_t>();

  RecordDecoder reader(input.data(), input.size(), layout, asked);
  AttributeRecord record;
  std::size_t records = 0;
  const char* after = nullptr;
  while (reader.next(record)) {
    ++records;
    require(!reader.malformed(), "a record is not malformed");
    require(records + reader.refused() <= input.size() / 4, "every record has a length");
    check(record, asked);
    if (record.name.empty()) {
      require(record.name.data() == nullptr, "an empty name is none");
      continue;
    }
    check_name(record.name, input.rest());
    require(after == nullptr || record.name.data() >= after, "names lie in records of their own");
    after = record.name.data() + record.name.size() + 1;
  }
  const bool malformed = reader.malformed();
  require(!reader.next(record) && reader.malformed() == malformed, "the end is the end");
  return 0;
}

}  // namespace ffind::fuzz::attribute_records_fuzz
