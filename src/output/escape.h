// SPDX-License-Identifier: MIT
// Names made fit to be shown: on a terminal, in messages, in JSON. Called by lanes, messages and
// json. Knows bytes and UTF-8, no entries.
#pragma once

#include <string>
#include <string_view>

namespace ffind {

/// Whether `bytes` holds anything that could steer a terminal or mislead who reads it: control
/// characters, what is not UTF-8, characters that turn the direction of writing, invisible ones.
bool needs_escaping(std::string_view bytes);

/// Appends `bytes` with those as `\n`, `\x1b` or `\u{202e}`. Backslashes are doubled in a text that
/// has any, so that no name can be made to look like another.
void append_escaped(std::string& out, std::string_view bytes);

/// `bytes` so.
std::string escaped(std::string_view bytes);

/// Appends `bytes` as a word that bash, zsh, ksh and POSIX.1-2024 read back byte for byte, with
/// nothing in it that steers a terminal: $'a\nb'.
void append_dollar_quoted(std::string& out, std::string_view bytes);

/// Appends a JSON string, quotes included, with U+FFFD for what is not UTF-8: one for each maximal
/// subpart, as Unicode recommends. False when something had to be replaced that way.
bool append_json_string(std::string& out, std::string_view bytes);

/// RFC 4648, padded.
void append_base64(std::string& out, std::string_view bytes);

}  // namespace ffind
