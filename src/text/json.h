// SPDX-License-Identifier: MIT
// Writer of NDJSON objects: keys, values, and bytes that no JSON string can contain (quoting.h has
// the strings). For --explain, --volumes and messages; records of matches, of which there are
// millions, have a faster writer in output.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace ffind::text {

/// Appends base64 (RFC 4648), padded.
void append_base64(std::string& out, std::string_view bytes);

/// One object, on a line of its own: the constructor begins it, end() closes it. Keys are not
/// escaped.
class JsonObject {
 public:
  explicit JsonObject(std::string& buffer) : buffer_(buffer) { buffer_ += '{'; }

  void add(std::string_view key, std::string_view value);
  void add(std::string_view key, std::uint64_t value);
  void add(std::string_view key, bool value);
  void add(std::string_view key, std::span<const std::string> values);
  /// Adds bytes of the file system as a string, with U+FFFD for bytes that are not UTF-8; in that
  /// case also the exact bytes, as `<key>_b64`.
  void add_bytes(std::string_view key, std::string_view bytes);
  void end() { buffer_ += "}\n"; }

 private:
  void add_key(std::string_view key, std::string_view suffix = {});

  std::string& buffer_;
  bool first_ = true;
};

}  // namespace ffind::text
