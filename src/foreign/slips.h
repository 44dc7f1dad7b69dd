// SPDX-License-Identifier: MIT
// Values of our own options as people type them from memory: "10M-20M" for 10M..20M, "Nov 20" for
// 2026-11-20, "pdf;docx" for pdf,docx. The translator replaces them in the line that it offers. A
// value that the option reads as it is never changes.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/ranges.h"

namespace ffind::foreign {

/// The values of `option` (its main name) that were meant by `value`, usually one; two if the
/// option has to be repeated, as for ">1M <2M". Empty if there is nothing to correct, or no
/// correction is certain.
std::vector<std::string> corrected_values(std::string_view option, const std::string& value,
                                          const text::Clock& clock);

/// The words for a --format that is the name of one: "--json" for "json". Empty for other
/// templates.
std::string_view format_called(std::string_view name);

/// A placeholder that --preview does not have, such as {q} of fzf or {/} of --exec.
struct ForeignPlaceholder {
  std::size_t begin = 0;
  std::size_t size = 0;
  std::string_view owner{};  ///< "fzf"
  bool is_path = false;      ///< {} has the same value
};

/// The first one in a command of --preview. Only one that is a word, or is quoted: "[a-z]{2}" is a
/// regular expression, "${1}" a shell's parameter, and "{1..9}" nine words in bash.
std::optional<ForeignPlaceholder> foreign_placeholder(std::string_view command);

}  // namespace ffind::foreign
