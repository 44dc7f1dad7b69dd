// SPDX-License-Identifier: MIT
// Rows of named values for programs: objects of NDJSON, or lines of CSV with a heading. The same
// calls write a row in either form, and the heading. Knows bytes and UTF-8, no entries.
//
//     add_bytes("dir", "a\xFF")  add("count", 2)  add_unknown("kind")
//
//     NDJSON    {"dir":"a<U+FFFD>","dir_b64":"Yf8=","count":2}
//     CSV       dir,count,kind,dir_b64
//               a<U+FFFD>,2,,Yf8=
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace ffind::text {

/// Form of the rows.
struct RowForm {
  char separator = '\0';  ///< between the cells of CSV (RFC 4180); '\0' for NDJSON
  bool escapes = false;   ///< CSV for a terminal, which names could steer

  bool is_csv() const { return separator != '\0'; }
};

/// One row, on a line of its own: the constructor begins it, end() ends it.
class DataRow {
 public:
  explicit DataRow(std::string& buffer, RowForm form = {}, bool is_heading = false)
      : buffer_(buffer), form_(form), is_heading_(is_heading) {
    if (!form_.is_csv()) buffer_ += '{';
  }

  void add(std::string_view key, std::string_view value);
  void add(std::string_view key, std::uint64_t value);
  void add(std::string_view key, bool value);
  /// A list is an array, or a cell with commas.
  void add(std::string_view key, std::span<const std::string> values);
  /// Adds bytes of the file system as a string, with U+FFFD for bytes that are not UTF-8; in that
  /// case also the exact bytes, as `<key>_b64`. In CSV, these columns are the last ones.
  void add_bytes(std::string_view key, std::string_view bytes);
  /// Leaves the value out; in CSV the cell is empty, as that of its bytes.
  void add_unknown(std::string_view key, bool is_bytes = false);
  void end();

 private:
  bool begin(std::string_view key);
  bool append_cell(std::string_view value);

  std::string& buffer_;
  const RowForm form_;
  const bool is_heading_;
  bool first_ = true;
  std::string last_;  ///< cells of CSV to be added at the end
};

}  // namespace ffind::text
