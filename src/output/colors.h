// SPDX-License-Identifier: MIT
// Which colour an entry gets: LS_COLORS with the rules of GNU ls. Made once by cli, asked by the
// lanes for each match. Knows no terminal; what is printed is up to the lane.
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

/// Colour of the longest suffix that a name ends with. Looks up each length that a suffix with the
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
  /// The value of LS_COLORS. Empty counts as not set; one that cannot be read is ignored as a
  /// whole. Both give the standard palette.
  static Palette parse(std::string_view ls_colors);
  /// What is used where LS_COLORS is not set.
  static Palette standard();

  /// Everything that `color_of` may look at.
  Needs needs() const;
  /// What it looks at in an entry of `type`; the caller requires that first. A mode that can give
  /// no other colour is not read, so that no file is statted for nothing.
  Needs needs_for(FileType type) const;

  /// Empty when it has no colour of its own.
  std::string_view color_of(const Entry& entry) const;
  /// The colour of the text `entry.target`, for what shows where links lead. Looks at target_mode.
  std::string_view color_of_target(const Entry& entry) const;
  /// For the directories in front of a name.
  std::string_view directory_color() const { return color(ColorKey::directory); }

  /// `text` must be fit for a terminal already.
  void append_colored(std::string& out, std::string_view color, std::string_view text) const;

 private:
  explicit Palette(LsColors colors);

  bool is_colored(ColorKey key) const;
  std::string_view color(ColorKey key) const;
  std::string_view color(ColorKey key, std::string_view name) const;
  ColorKey key_of_file(std::uint32_t mode, bool capabilities, std::uint32_t links) const;
  ColorKey key_of_directory(std::uint32_t mode) const;
  ColorKey key_of_target(std::uint32_t mode) const;

  LsColors colors_;
  SuffixColors suffixes_;
  std::string left_;
  std::string right_;
  std::string end_;  ///< what goes back to normal
  bool link_as_target_ = false;
  Needs file_needs_ = needs::none;
  Needs directory_needs_ = needs::none;
  Needs link_needs_ = needs::none;
};

}  // namespace ffind::output
