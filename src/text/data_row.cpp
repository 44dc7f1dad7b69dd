// SPDX-License-Identifier: MIT
// Every value begins with begin(), which writes the comma and the key of an object, or the comma
// and, in a heading, the key as the cell.
#include "text/data_row.h"

#include "text/format.h"
#include "text/quoting.h"
#include "text/utf8.h"

namespace ffind::text {

/// Returns false if there is no value to write, since this is a heading.
bool DataRow::begin(std::string_view key) {
  if (!first_) buffer_ += form_.is_csv() ? form_.separator : ',';
  first_ = false;
  if (is_heading_) append_cell(key);
  if (form_.is_csv()) return !is_heading_;
  append_json_string(buffer_, key);
  buffer_ += ':';
  return true;
}

/// Appends a cell of CSV, in quotation marks if it has a separator, a line end or such a mark.
/// Returns false if anything was replaced by U+FFFD: NULs are, too, which readers take for the end.
bool DataRow::append_cell(std::string_view value) {
  std::string plain;
  bool exact = true;
  if (form_.escapes && needs_escaping(value)) {
    append_escaped(plain, value);
    value = plain;
  } else if (!is_utf8(value) || value.find('\0') != std::string_view::npos) {
    exact = false;
    for (std::size_t at = 0; at < value.size();) {
      const Decoded character = decode_utf8(value, at);
      const bool shown = character.valid && character.code_point != 0;
      append_utf8(plain, shown ? character.code_point : replacement_character);
      at += character.length;
    }
    value = plain;
  }
  const char special[] = {form_.separator, '"', '\r', '\n'};
  if (value.find_first_of(std::string_view(special, sizeof special)) == std::string_view::npos) {
    buffer_ += value;
    return exact;
  }
  buffer_ += '"';
  for (const char c : value) buffer_.append(c == '"' ? 2 : 1, c);
  buffer_ += '"';
  return exact;
}

void DataRow::add(std::string_view key, std::string_view value) {
  if (!begin(key)) return;
  if (form_.is_csv()) {
    append_cell(value);
  } else {
    append_json_string(buffer_, value);
  }
}

void DataRow::add(std::string_view key, std::uint64_t value) {
  if (begin(key)) append_number(buffer_, value);
}

void DataRow::add(std::string_view key, bool value) {
  if (begin(key)) buffer_ += value ? "true" : "false";
}

void DataRow::add(std::string_view key, std::span<const std::string> values) {
  if (form_.is_csv()) {
    std::string cell;
    for (const std::string& value : values) cell.append(cell.empty() ? "" : ",").append(value);
    add(key, cell);
  } else if (begin(key)) {
    append_json_list(buffer_, values);
  }
}

void DataRow::add_bytes(std::string_view key, std::string_view bytes) {
  if (form_.is_csv()) last_ += form_.separator;
  if (!begin(key)) {
    last_.append(key) += "_b64";
    return;
  }
  if (form_.is_csv()) {
    // Escapes for a terminal would hide that it is not UTF-8.
    if (!append_cell(bytes) || (form_.escapes && !is_utf8(bytes))) append_base64(last_, bytes);
  } else if (!append_json_string(buffer_, bytes)) {
    begin(std::string(key) + "_b64");
    buffer_ += '"';
    append_base64(buffer_, bytes);
    buffer_ += '"';
  }
}

void DataRow::add_unknown(std::string_view key, bool is_bytes) {
  if (!form_.is_csv()) return;
  if (is_bytes) last_ += form_.separator;
  if (!begin(key) && is_bytes) last_.append(key) += "_b64";
}

void DataRow::end() {
  buffer_ += form_.is_csv() ? std::string_view(last_) : "}";
  buffer_ += '\n';
}

}  // namespace ffind::text
