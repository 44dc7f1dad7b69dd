// SPDX-License-Identifier: MIT
// Colours of entries: LS_COLORS with the rules of GNU ls, except that the longest suffix wins. A
// Palette decides which key of the variable an entry has, from the metadata that this takes. Made
// once by cli; the lanes use it for each match. Knows no terminal.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "ffind/entry.h"

namespace ffind::output {

enum class ColorKey : std::uint8_t;
struct LsColors;

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
  std::string_view directory_color() const;

  /// Appends `text` in `color`, if that is not empty. `escapes`: bytes that would steer a terminal
  /// are escaped.
  void append_colored(std::string& out, std::string_view color, std::string_view text,
                      bool escapes = false) const;

 private:
  explicit Palette(LsColors colors);

  bool is_colored(ColorKey key) const;
  std::string_view color(ColorKey key) const;
  std::string_view color(ColorKey key, std::string_view name) const;
  ColorKey key_of_file(std::uint32_t mode, bool capabilities, std::uint32_t links) const;
  ColorKey key_of_directory(std::uint32_t mode) const;
  std::string_view color_of_mode(const Entry& entry, std::string_view name) const;
  ColorKey key_of(FileType type, std::uint32_t mode, bool capabilities, std::uint32_t links) const;

  /// As parsed, except that link is nullopt for ln=target. Shared by the copies.
  std::shared_ptr<const LsColors> colors_;
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
