// SPDX-License-Identifier: MIT
// Colours of entries: LS_COLORS with the rules of GNU ls, except that the longest suffix wins.
//
//     LsColors       the parsed variable: a colour for each two-letter key, as in di=01;34, and for
//                    suffixes, as in *.tar=31.
//     SuffixColors   looks up the colour of the longest suffix of a name.
//     Palette        decides which key an entry has, from the metadata that this takes. Made once
//                    by cli; the lanes use it for each match. Knows no terminal.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ffind/entry.h"
#include "text/word_map.h"

namespace ffind::output {

/// In the order of key_names in the .cpp.
enum class ColorKey : std::uint8_t {
  left,   ///< lc: text before a colour
  right,  ///< rc: text after a colour
  end,    ///< ec: text that goes back to normal, if it is not lc rs rc
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
  clear_line,  ///< cl: unused, since no output wraps in the middle of a background
};
inline constexpr std::size_t color_key_count = 24;

struct SuffixColor {
  std::string suffix;
  std::string color;
};

struct LsColors {
  /// nullopt if not set, which differs from set to nothing.
  std::array<std::optional<std::string>, color_key_count> colors{};
  std::vector<SuffixColor> suffixes{};  ///< in the order of the variable

  std::optional<std::string>& operator[](ColorKey key) {
    return colors[static_cast<std::size_t>(key)];
  }
  const std::optional<std::string>& operator[](ColorKey key) const {
    return colors[static_cast<std::size_t>(key)];
  }
};

/// Adds the keys of `text` to `colors`. Returns false if it cannot be parsed. Unknown keys are
/// ignored, so that a newer dircolors does no harm.
bool read_ls_colors(std::string_view text, LsColors& colors);

/// Finds the colour of the longest suffix of a name. Looks up each length that a suffix with the
/// name's last byte has: two or three, among the 150 suffixes that dircolors sets. Immutable and
/// thread-safe.
class SuffixColors {
 public:
  /// The same suffix again replaces its earlier value. ASCII case counts only if a suffix is given
  /// in several cases with different colours.
  explicit SuffixColors(const std::vector<SuffixColor>& rules);

  /// Null if no suffix matches.
  const std::string* find(std::string_view name) const;

 private:
  /// The colours of suffixes that differ in case only.
  using Variants = std::vector<SuffixColor>;

  struct Table {
    text::WordMap<Variants> by_suffix;  ///< in small letters
    /// Lengths of the suffixes that end with a byte in small letters, the longest first.
    std::array<std::vector<std::size_t>, 256> lengths;
  };
  std::shared_ptr<const Table> table_;  ///< shared by the copies of a palette
};

/// Immutable after construction and thread-safe. The views it returns live as long as it does.
class Palette {
 public:
  /// Parses LS_COLORS. Returns the standard palette if it is empty, which counts as not set, or
  /// cannot be parsed: then it is ignored as a whole.
  static Palette parse(std::string_view ls_colors);
  /// Returns the palette for LS_COLORS that is not set.
  static Palette standard();

  /// Metadata that `color_of` may need.
  Needs needs() const;
  /// Metadata that `color_of` needs of an entry of `type`; the caller requires it first. The mode
  /// is left out if it cannot change the colour, so that no file is statted for nothing.
  Needs needs_for(FileType type) const;

  /// Returns the entry's colour; empty if it has none.
  std::string_view color_of(const Entry& entry) const;
  /// Returns the colour of the text `entry.target`, for listings with link targets. Needs
  /// target_mode.
  std::string_view color_of_target(const Entry& entry) const;
  /// Returns the colour of the directories before a name.
  std::string_view directory_color() const { return color(ColorKey::directory); }

  /// Appends `text`, which is escaped already, in `color`.
  void append_colored(std::string& out, std::string_view color, std::string_view text) const;

 private:
  explicit Palette(LsColors colors);

  bool is_colored(ColorKey key) const;
  std::string_view color(ColorKey key) const;
  std::string_view color(ColorKey key, std::string_view name) const;
  ColorKey key_of_file(std::uint32_t mode, bool capabilities, std::uint32_t links) const;
  ColorKey key_of_directory(std::uint32_t mode) const;
  ColorKey key_of_target(std::uint32_t mode) const;

  /// As parsed, except that link is nullopt for ln=target.
  LsColors colors_;
  SuffixColors suffixes_;
  std::string left_;
  std::string right_;
  /// Text after each coloured name, which goes back to normal.
  std::string end_;
  /// From ln=target; such links need target_mode.
  bool link_as_target_ = false;
  /// Metadata that may change the colour of a file, a directory or a link.
  Needs file_needs_ = needs::none;
  Needs directory_needs_ = needs::none;
  Needs link_needs_ = needs::none;
};

}  // namespace ffind::output
