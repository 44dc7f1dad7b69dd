// SPDX-License-Identifier: MIT
// Keys, values, commas. The escapes are escape.cpp's.
#include "output/json.h"

#include <fmt/format.h>

#include "text/escape.h"

namespace ffind {

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
  text::append_json_string(buffer_, value);
}

void JsonObject::add(std::string_view key, std::uint64_t value) {
  add_key(key);
  const fmt::format_int digits(value);
  buffer_.append(digits.data(), digits.size());
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
    text::append_json_string(buffer_, values[index]);
  }
  buffer_ += ']';
}

void JsonObject::add_bytes(std::string_view key, std::string_view bytes) {
  add_key(key);
  if (text::append_json_string(buffer_, bytes)) return;
  add_key(key, "_b64");
  buffer_ += '"';
  text::append_base64(buffer_, bytes);
  buffer_ += '"';
}

}  // namespace ffind
