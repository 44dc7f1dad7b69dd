// SPDX-License-Identifier: MIT
// Reads a JSON object of one line, as NDJSON has them: calls for each member, in its order, with
// the value as it is written; then that is decoded as a text, a number or a list of texts.
//
//     {"path":"a","size":12,"tags":["x"]}  ──read_object──▶  path  "a"   ──json_text──▶  a
//                                                            size  12    ──json_number─▶ 12
//                                                            tags  ["x"] ──json_list──▶  x
//
// It reads what RFC 8259 allows, and is lenient inside of values that nothing decodes. Bytes in
// strings that are not UTF-8 are kept.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ffind::text {

/// Calls `take` with the key and the value of each member. Returns false if `line` is no object;
/// some members may have been taken then.
bool read_object(std::string_view line,
                 const std::function<void(std::string_view key, std::string_view value)>& take);

// `value` is one that read_object() passed on.

/// Replaces `text` by the characters of a string: U+FFFD for an escape that is none, such as half
/// of a surrogate pair. Returns false if the value is no string.
bool read_json_text(std::string_view value, std::string& text);

/// Returns a whole number without an exponent, up to 64 bits; nullopt for any other value.
std::optional<std::uint64_t> json_number(std::string_view value);

/// Replaces `texts` by the elements of a list of strings. Returns false for any other value.
bool read_json_list(std::string_view value, std::vector<std::string>& texts);

/// Replaces `bytes` by those that base64 stands for (RFC 4648, padded). Returns false if `text` is
/// no base64.
bool read_base64(std::string_view text, std::string& bytes);

}  // namespace ffind::text
