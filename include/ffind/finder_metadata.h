// SPDX-License-Identifier: MIT
// What the Finder keeps about a file beside its bytes: tags, comment, origins, flags. Decoded by
// the searcher from wherever the volume keeps it, used by tests. Knows no format.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ffind {

struct FinderTag {
  std::string name;     ///< UTF-8, as the user reads it
  std::uint8_t colour;  ///< 0 none, 1 grey, 2 green, 3 purple, 4 blue, 5 yellow, 6 red, 7 orange
};

/// Flags of the Finder's own record (FinderInfo, bytes 8 and 9), and its colour for files that were
/// labelled before there were tags.
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
  std::vector<std::string> where_froms;  ///< URLs that it was downloaded from
  FinderFlags flags;
};

}  // namespace ffind
