// SPDX-License-Identifier: MIT
// Byte strings put together value by value, for the tests of decoders; and the reverse, a reader
// that throws at the end. Shares nothing with the decoders: both sides would have the same mistake.
#pragma once

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace ffind::testing {

/// Numbers in the order of the machine, as its kernel writes them.
class Bytes {
 public:
  Bytes& u8(std::uint8_t value) { return raw(&value, sizeof value); }
  Bytes& u16(std::uint16_t value) { return raw(&value, sizeof value); }
  Bytes& u32(std::uint32_t value) { return raw(&value, sizeof value); }
  Bytes& i32(std::int32_t value) { return raw(&value, sizeof value); }
  Bytes& u64(std::uint64_t value) { return raw(&value, sizeof value); }
  Bytes& i64(std::int64_t value) { return raw(&value, sizeof value); }
  Bytes& time(std::int64_t seconds, std::int64_t nanoseconds) {
    return i64(seconds).i64(nanoseconds);
  }
  Bytes& text(std::string_view value) { return raw(value.data(), value.size()); }
  Bytes& zeros(std::size_t count) {
    bytes_.resize(bytes_.size() + count);
    return *this;
  }
  Bytes& pad(std::size_t multiple) {
    while (bytes_.size() % multiple != 0) bytes_.push_back(0);
    return *this;
  }
  Bytes& append(const Bytes& other) { return raw(other.data(), other.size()); }
  /// Overwrites what is at `at`.
  Bytes& put_u16(std::size_t at, std::uint16_t value) { return put(at, &value, sizeof value); }
  Bytes& put_u32(std::size_t at, std::uint32_t value) { return put(at, &value, sizeof value); }

  const unsigned char* data() const { return bytes_.data(); }
  std::size_t size() const { return bytes_.size(); }

 private:
  Bytes& raw(const void* from, std::size_t size) {
    const auto* const begin = static_cast<const unsigned char*>(from);
    bytes_.insert(bytes_.end(), begin, begin + size);
    return *this;
  }

  Bytes& put(std::size_t at, const void* from, std::size_t size) {
    if (at + size > bytes_.size()) throw std::out_of_range("Bytes::put");
    std::memcpy(bytes_.data() + at, from, size);
    return *this;
  }

  std::vector<unsigned char> bytes_;
};

/// Reads a buffer from its front.
class ByteReader {
 public:
  explicit ByteReader(const std::vector<unsigned char>& bytes) : bytes_(bytes) {}

  std::uint32_t u32() { return number<std::uint32_t>(); }
  std::int32_t i32() { return number<std::int32_t>(); }
  std::uint64_t u64() { return number<std::uint64_t>(); }
  std::int64_t i64() { return number<std::int64_t>(); }
  std::size_t position() const { return position_; }
  std::string_view text(std::size_t at, std::size_t size) const {
    if (at > bytes_.size() || size > bytes_.size() - at) throw std::out_of_range("ByteReader");
    return {reinterpret_cast<const char*>(bytes_.data()) + at, size};
  }

 private:
  template <typename Number>
  Number number() {
    Number value = 0;
    std::memcpy(&value, text(position_, sizeof value).data(), sizeof value);
    position_ += sizeof value;
    return value;
  }

  const std::vector<unsigned char>& bytes_;
  std::size_t position_ = 0;
};

}  // namespace ffind::testing
