// SPDX-License-Identifier: MIT
// Words as a POSIX shell reads them back, byte for byte. Pure. Used wherever a command is shown.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ffind::text {

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

}  // namespace ffind::text
