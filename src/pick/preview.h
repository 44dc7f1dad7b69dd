// SPDX-License-Identifier: MIT
// --preview: the output of a command about an entry, as lines of the pane. Used by EntryDetails and
// the picture.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "os/terminal.h"

namespace ffind::pick {

/// Returns the line for os::ShellCommand, whose parameter is the path: `{}` is the parameter. It is
/// the last word if the command has neither. COLUMNS and LINES are exported, and under the names
/// that commands for fzf expect.
std::string preview_command(std::string_view command, std::size_t columns, std::size_t rows);

/// Returns the lines of what a command has printed. Sequences that set colours and the like (SGR)
/// are kept, `ESC [ ... m`, and made of characters that are struck over; all others are left out.
/// Whatever else could control a terminal is escaped.
std::vector<std::string> preview_lines(std::string_view output);

/// Applies the parameters of an SGR sequence, such as `01;34`, to `style`. Backgrounds and what the
/// screen does not have are left out; the 24-bit colours become the nearest ones of 256.
void apply_sgr(os::TextStyle& style, std::string_view parameters);

}  // namespace ffind::pick
