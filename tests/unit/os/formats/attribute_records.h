// SPDX-License-Identifier: MIT
// Builder and reader for the tests of macOS's attribute records: records are written here byte by
// byte, with the numbers of Apple's headers and none of the decoder's.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "os/formats/darwin_attributes.h"
#include "unit/os/bytes.h"

namespace ffind::testing {

using os::darwin::AttributeRecord;
using os::darwin::AttributeSet;
using os::darwin::RecordDecoder;
using os::darwin::RecordLayout;

constexpr Needs everything = needs::metadata | needs::bundle;
constexpr std::uint32_t vreg = 1;
constexpr std::uint32_t vdir = 2;

constexpr std::uint32_t returned = 0x80000000;
constexpr std::uint32_t error_bit = 0x20000000;

/// A bulk record: the set, values, then the name behind them. Values are added in their order.
class Record {
 public:
  Record(std::uint32_t common, std::uint32_t directory, std::uint32_t file,
         std::uint32_t fork = 0) {
    bytes_.u32(0).u32(common).u32(0).u32(directory).u32(file).u32(fork);
  }
  /// Without a set, as searchfs writes them.
  Record() { bytes_.u32(0); }

  Record& name(std::string text) {
    name_at_ = bytes_.size();
    name_ = std::move(text);
    bytes_.u32(0).u32(static_cast<std::uint32_t>(name_.size() + 1));
    return *this;
  }
  Record& u32(std::uint32_t value) {
    bytes_.u32(value);
    return *this;
  }
  Record& u64(std::uint64_t value) {
    bytes_.u64(value);
    return *this;
  }
  Record& time(std::int64_t seconds, std::int64_t nanoseconds) {
    bytes_.time(seconds, nanoseconds);
    return *this;
  }
  Record& finder(unsigned flags) {
    const auto high = static_cast<std::uint8_t>(flags >> 8U);  // Finder's information is big-endian
    bytes_.zeros(8).u8(high).u8(static_cast<std::uint8_t>(flags & 0xFFU)).zeros(22);
    return *this;
  }

  Bytes bytes(std::size_t multiple = 8) const {
    Bytes all = bytes_;
    if (name_at_ != 0) {
      all.put_u32(name_at_, static_cast<std::uint32_t>(all.size() - name_at_));
      all.text(name_).zeros(1);
    }
    all.pad(multiple);
    return all.put_u32(0, static_cast<std::uint32_t>(all.size()));
  }
  std::size_t name_at() const { return name_at_; }

 private:
  Bytes bytes_;
  std::size_t name_at_ = 0;
  std::string name_;
};

/// Reads from a copy of exactly that size, so that AddressSanitizer sees a byte too many.
struct Reading {
  explicit Reading(const Bytes& from,
                   AttributeSet requested = os::darwin::bulk_attributes_for(everything),
                   RecordLayout layout = RecordLayout::bulk)
      : bytes(new unsigned char[from.size()]) {
    std::copy(from.data(), from.data() + from.size(), bytes.get());
    RecordDecoder reader(bytes.get(), from.size(), layout, requested);
    AttributeRecord record;
    while (reader.next(record)) records.push_back(record);
    malformed = reader.malformed();
    refused = reader.refused();
  }
  std::unique_ptr<unsigned char[]> bytes;
  std::vector<AttributeRecord> records;
  bool malformed = false;
  std::size_t refused = 0;
};

/// A file with all the values that are ever asked for.
inline Record full_file() {
  Record record(returned | 0x1607DE0B, 0, 0x205, 0x8);
  record.name("a file").u32(0x01000004).u32(vreg);
  record.time(1, 2).time(3, 4).time(5, 6).time(7, 8);  // created, modified, changed, accessed
  record.finder(0x2000).u32(501).u32(20).u32(0644).u32(0x2);
  record.u64(0x1122334455).u64(0x99).time(9, 10);  // file and parent id, added
  record.u32(3).u64(8192).u64(4097).u64(4096);     // links, allocated, size, private size
  return record;
}

inline AttributeSet full_request() {
  AttributeSet set = os::darwin::bulk_attributes_for(everything);
  set.common |=
      os::darwin::attr::cmn_parentid | os::darwin::attr::cmn_flags | os::darwin::attr::cmn_fsid;
  return set;
}

}  // namespace ffind::testing
