// SPDX-License-Identifier: MIT
// Finds the colour of the longest suffix that a name ends with, among hundreds. Used by Palette.
// Knows nothing of what a colour is.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "output/ls_colors.h"

namespace ffind::output {

/// A trie of the suffixes read backwards: a look-up takes a step for each byte that some suffix
/// has there, most often two or three, however many suffixes there are. Immutable.
class SuffixTable {
 public:
  /// The same suffix again replaces its earlier value. ASCII case counts only where a suffix is
  /// given in several cases with different colours.
  explicit SuffixTable(const std::vector<SuffixColor>& rules);

  /// Null when no suffix matches.
  const std::string* find(std::string_view name) const;

 private:
  using Index = std::uint32_t;  ///< 0: none

  /// A byte in the middle of suffixes. The nodes that may follow it are its children, and each
  /// other's siblings.
  struct Node {
    unsigned char byte = 0;
    Index child = 0;
    Index sibling = 0;
    Index group = 0;
  };
  /// A suffix, in all the cases in which it was given.
  struct Group {
    std::vector<SuffixColor> variants{};
    bool case_counts = false;

    const std::string* color_of(std::string_view name) const;
  };

  Index find_child(Index parent, unsigned char byte) const;
  Index node_of(std::string_view suffix);

  std::vector<Node> nodes_{1};  ///< the first is the root
  std::vector<Group> groups_{1};
  /// The root's children by their byte: there are too many of them for a list.
  std::array<Index, 256> last_bytes_{};
};

}  // namespace ffind::output
