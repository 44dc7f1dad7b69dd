// SPDX-License-Identifier: MIT
// Bound: the part of an expression that a file system can evaluate itself. Every match satisfies
// it; not everything that satisfies it is a match, so entries that a catalog returns for a bound go
// through the full matcher as well. Computed by Matcher::bound, read by the catalog readers.
#pragma once

#include <cstdint>
#include <limits>
#include <string>

#include "ffind/entry.h"

namespace ffind {

/// A set of types, one bit each.
using FileTypes = std::uint8_t;

constexpr FileTypes bit_of(FileType type) {
  return static_cast<FileTypes>(1U << static_cast<unsigned>(type));
}
inline constexpr FileTypes all_types = 0xFF;

/// Each member is true of every match on its own. The defaults are true of every entry.
struct Bound {
  /// Text that the name contains, compared without regard to case and Unicode normalisation. It
  /// has only characters that every file system folds and normalises alike (text/unicode.h). Names
  /// that are not UTF-8 contain it only if it is ASCII. Empty if no such text is known.
  std::string name_contains{};
  FileTypes types = all_types;
  std::uint64_t least_size = 0;  ///< bytes; applies to regular files
  std::uint64_t most_size = std::numeric_limits<std::uint64_t>::max();
  Nanoseconds first_modified = std::numeric_limits<Nanoseconds>::min();
  Nanoseconds last_modified = std::numeric_limits<Nanoseconds>::max();
  std::uint32_t most_depth = std::numeric_limits<std::uint32_t>::max();

  bool operator==(const Bound&) const = default;
};

}  // namespace ffind
