// SPDX-License-Identifier: MIT
// Finder metadata of a file: tags, comment, origins, flags. Decoded by the searcher from extended
// attributes or AppleDouble files, read by tests and lanes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ffind {

struct FinderTag {
  std::string name;     ///< UTF-8, as the user reads it
  std::uint8_t colour;  ///< 0 none, 1 grey, 2 green, 3 purple, 4 blue, 5 yellow, 6 red, 7 orange
};

/// Flags of the Finder's own record (FinderInfo, bytes 8 and 9), and the colour of the label that
/// came before tags.
struct FinderFlags {
  std::uint8_t colour = 0;  ///< as FinderTag's
  bool hides_extension = false;
  bool has_custom_icon = false;
  bool stationery = false;
  bool locked = false;
  bool bundle = false;
  bool invisible = false;
  bool alias = false;

  bool operator==(const FinderFlags&) const = default;
};

struct FinderMetadata {
  std::vector<FinderTag> tags;
  std::string comment;
  std::vector<std::string> where_froms;  ///< URLs of the download
  FinderFlags flags;
};

}  // namespace ffind
