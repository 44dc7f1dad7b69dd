// SPDX-License-Identifier: MIT
// Keys, values and commas of JSON objects; quoting.cpp escapes strings.
#include "text/json.h"

#include <algorithm>

#include "text/format.h"
#include "text/quoting.h"

namespace ffind::text {

void append_base64(std::string& out, std::string_view bytes) {
  constexpr std::string_view digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - at);
    std::uint32_t group = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      group = group << 8U | (i < count ? static_cast<unsigned char>(bytes[at + i]) : 0U);
    }
    for (std::size_t i = 0; i < 4; ++i) {
      out += i <= count ? digits[group >> (18 - 6 * i) & 0x3FU] : '=';
    }
  }
}

void JsonObject::add_key(std::string_view key, std::string_view suffix) {
  if (!first_) buffer_ += ',';
  first_ = false;
  buffer_ += '"';
  buffer_ += key;
  buffer_ += suffix;
  buffer_ += "\":";
}

void JsonObject::add(std::string_view key, std::string_view value) {
  add_key(key);
  append_json_string(buffer_, value);
}

void JsonObject::add(std::string_view key, std::uint64_t value) {
  add_key(key);
  append_number(buffer_, value);
}

void JsonObject::add(std::string_view key, bool value) {
  add_key(key);
  buffer_ += value ? "true" : "false";
}

void JsonObject::add(std::string_view key, std::span<const std::string> values) {
  add_key(key);
  buffer_ += '[';
  for (std::size_t index = 0; index < values.size(); ++index) {
    if (index != 0) buffer_ += ',';
    append_json_string(buffer_, values[index]);
  }
  buffer_ += ']';
}

void JsonObject::add_bytes(std::string_view key, std::string_view bytes) {
  add_key(key);
  if (append_json_string(buffer_, bytes)) return;
  add_key(key, "_b64");
  buffer_ += '"';
  append_base64(buffer_, bytes);
  buffer_ += '"';
}

}  // namespace ffind::text
