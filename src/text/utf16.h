// SPDX-License-Identifier: MIT
// UTF-16 as UTF-8: of files that are read block by block, and of property lists. Knows neither.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ffind::text {

/// Belongs to one thread.
class Utf16Decoder {
 public:
  explicit Utf16Decoder(bool big_endian) : big_endian_(big_endian) {}

  /// Appends to `text` what `bytes` say. Halves of surrogate pairs become U+FFFD, as does what is
  /// missing at the end; a unit or a pair may be cut anywhere.
  void append(std::string_view bytes, std::string& text);
  void finish(std::string& text);

 private:
  void append_unit(char32_t unit, std::string& text);

  bool big_endian_;
  bool has_byte_ = false;
  unsigned char byte_ = 0;  ///< the first of a unit
  char32_t high_ = 0;       ///< the first half of a pair
};

}  // namespace ffind::text
