// SPDX-License-Identifier: MIT
// The language of LS_COLORS (`di=01;34:*.tar=31`), as dircolors writes it and ls reads it. Called
// by Palette. Knows the syntax, not what it means for an entry.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ffind::output {

enum class ColorKey : std::uint8_t {
  left,   ///< lc: what begins a colour
  right,  ///< rc: what ends it
  end,    ///< ec: what goes back to normal, when it is not lc rs rc
  reset,  ///< rs
  normal,
  file,
  directory,
  link,
  fifo,
  socket,
  block,
  character,
  door,
  missing,
  orphan,
  executable,
  set_user_id,
  set_group_id,
  sticky,
  other_writable,
  sticky_other_writable,
  capability,
  hard_links,
  clear_line,  ///< cl: not ours, since nothing we print wraps in the middle of a background
};
inline constexpr std::size_t color_key_count = 24;

struct SuffixColor {
  std::string suffix;
  std::string color;
};

struct LsColors {
  /// Without a value: not set, which differs from set to nothing.
  std::array<std::optional<std::string>, color_key_count> colors{};
  std::vector<SuffixColor> suffixes{};  ///< as they came

  std::optional<std::string>& operator[](ColorKey key) {
    return colors[static_cast<std::size_t>(key)];
  }
  const std::optional<std::string>& operator[](ColorKey key) const {
    return colors[static_cast<std::size_t>(key)];
  }
};

/// Adds to `colors` what `text` says; false when it cannot be read. Keys that nobody knows are
/// passed over, so that a newer dircolors does no harm.
bool read_ls_colors(std::string_view text, LsColors& colors);

}  // namespace ffind::output
