// SPDX-License-Identifier: MIT
// Quoting of names and other foreign text: escapes for terminals and messages, words for shells,
// strings for JSON; and the reverse, words of a shell's line. All use one table of the characters
// that control a terminal or mislead a reader. Knows bytes and UTF-8, no entries.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ffind::text {

/// True for characters that control a terminal, change the direction of writing or are invisible.
/// Joiners are among them, but shown in text of the scripts that need them.
bool misleads(char32_t code_point);

/// True if `bytes` contain anything that could control a terminal or mislead a reader: control
/// characters, bytes that are not UTF-8, characters that change the direction of writing, invisible
/// ones.
bool needs_escaping(std::string_view bytes);

/// Appends `bytes` with such characters as `\n`, `\x1b` or `\u{202e}`. Then backslashes are doubled
/// too, so that no name can look like another.
void append_escaped(std::string& out, std::string_view bytes);

/// The same as a string.
std::string escaped(std::string_view bytes);

/// Appends `bytes` as a word that bash, zsh, ksh and POSIX.1-2024 read back byte for byte, and that
/// cannot control a terminal: $'a\nb'.
void append_dollar_quoted(std::string& out, std::string_view bytes);

/// Appends a JSON string with its quotes, and U+FFFD for bytes that are not UTF-8: one for each
/// maximal subpart, as Unicode recommends. False if anything was replaced by U+FFFD.
bool append_json_string(std::string& out, std::string_view bytes);

/// Appends an array of such strings.
void append_json_list(std::string& out, std::span<const std::string> list);

/// Appends `bytes`, all but letters, digits and `kept` as %NN: every byte comes back, whatever its
/// encoding. The usual ones are those of RFC 3986, and the slash.
void append_percent_encoded(std::string& out, std::string_view bytes,
                            std::string_view kept = "-._~/");

/// Appends `word` for any POSIX shell: unchanged if no character is special to a shell, else in
/// single quotes, with newlines and bytes that are not UTF-8.
void append_shell_quoted(std::string& out, std::string_view word);

/// Returns `word` to be shown and pasted: the same, but as $'a\nb', which bash, zsh and ksh read,
/// if it needs escaping.
std::string shell_word(std::string_view word);

enum class QuotedFor : bool {
  shell,     ///< for any POSIX shell, with any byte
  terminal,  ///< by shell_word()
};

/// Returns a command line of `words`.
std::string shell_line(const std::vector<std::string>& words, QuotedFor reader);

/// Splits a line into words, as a POSIX shell does. nullopt if a quotation mark is not closed, or a
/// backslash is the last character.
std::optional<std::vector<std::string>> shell_words(std::string_view line);

/// Returns the name that git writes as `word`, "gr\303\274n" with its quotes; nullopt if it is no
/// such word.
std::optional<std::string> unquoted_by_git(std::string_view word);

/// Returns what is open at the end of `text`, the beginning of a shell's line: quotes, backquotes
/// and parentheses, the innermost last. A backslash there quotes the next character.
std::string open_quotes(std::string_view text);

/// Appends base64 (RFC 4648), padded.
void append_base64(std::string& out, std::string_view bytes);

}  // namespace ffind::text
