// SPDX-License-Identifier: MIT
// See hyperlink.h.
#include "output/hyperlink.h"

#include "text/ascii.h"

namespace ffind::output {
namespace {

bool is_unreserved(char byte) {
  constexpr std::string_view others = "-._~/";
  return text::is_letter(byte) || text::is_digit(byte) ||
         others.find(byte) != std::string_view::npos;
}

}  // namespace

void append_percent_encoded(std::string& out, std::string_view bytes) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  for (const char byte : bytes) {
    if (is_unreserved(byte)) {
      out += byte;
    } else {
      const auto value = static_cast<unsigned char>(byte);
      out += '%';
      out += digits[value >> 4U];
      out += digits[value & 0xFU];
    }
  }
}

void append_hyperlink(std::string& out, std::string_view host, std::string_view path) {
  out += "\033]8;;file://";
  append_percent_encoded(out, host);
  append_percent_encoded(out, path);
  out += "\033\\";
}

}  // namespace ffind::output
