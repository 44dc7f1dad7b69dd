// SPDX-License-Identifier: MIT
// What may be shown: the one table of characters that steer or mislead, and names made fit for a
// terminal, a message, a shell and JSON by it. Every room that shows anything comes here. Knows
// bytes and UTF-8, no entries.
#pragma once

#include <string>
#include <string_view>

namespace ffind::text {

/// Whether this character steers a terminal, turns the direction of writing or is not seen at all.
/// Joiners do; in a text they are shown where whole scripts are written with them.
bool misleads(char32_t code_point);

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

}  // namespace ffind::text
