// SPDX-License-Identifier: MIT
// What may be shown: the one table of characters that steer or mislead, and names made fit for a
// terminal, a message, a shell and JSON by it. Every room that shows anything comes here. Knows
// bytes and UTF-8, no entries.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

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

/// Appends `word` so that any POSIX shell takes it for this one word: as it is where nothing in it
/// means anything to a shell, else in single quotes, newlines and what is not UTF-8 included.
void append_shell_quoted(std::string& out, std::string_view word);

/// `word` for a person to paste: the same, but where anything in it could steer a terminal as
/// $'a\nb', which bash, zsh and ksh read.
std::string shell_word(std::string_view word);

enum class QuotedFor : bool {
  shell,     ///< any POSIX shell reads it; it may hold any byte
  terminal,  ///< as shell_word has it
};

/// A command line of `words`.
std::string shell_line(const std::vector<std::string>& words, QuotedFor reader);

/// Nothing where a quotation mark is not closed, or a backslash is the last character.
std::optional<std::vector<std::string>> shell_words(std::string_view line);

}  // namespace ffind::text
