// SPDX-License-Identifier: MIT
// Objects of NDJSON: keys, values, and bytes that JSON cannot say (its strings are quoting.h's).
// Used for --explain and --volumes, and for messages. Matches, of which there are millions, are put
// together by json_record.h in output.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace ffind::text {

/// RFC 4648, padded.
void append_base64(std::string& out, std::string_view bytes);

/// Begins an object when made; `end` closes it and the line. Keys are ours and need no escapes.
class JsonObject {
 public:
  explicit JsonObject(std::string& buffer) : buffer_(buffer) { buffer_ += '{'; }

  void add(std::string_view key, std::string_view value);
  void add(std::string_view key, std::uint64_t value);
  void add(std::string_view key, bool value);
  void add(std::string_view key, std::span<const std::string> values);
  /// Raw bytes of the file system: a string with U+FFFD for what is not UTF-8, and then the exact
  /// bytes in `<key>_b64` beside it.
  void add_bytes(std::string_view key, std::string_view bytes);
  void end() { buffer_ += "}\n"; }

 private:
  void add_key(std::string_view key, std::string_view suffix = {});

  std::string& buffer_;
  bool first_ = true;
};

}  // namespace ffind::text
