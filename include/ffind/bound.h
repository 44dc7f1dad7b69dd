// SPDX-License-Identifier: MIT
// The bound: what every match of an expression satisfies, in terms that a file system can test by
// itself. Made by the matcher, read by catalogs; what they return is tested again in full.
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

/// Each member alone holds for every match; the default holds for every entry.
struct Bound {
  /// The name contains it, where letters that differ in case alone are the same and so are names
  /// that differ in normalisation. Only characters that every file system folds and normalises
  /// alike are in it (text/key.h). Of names that are not UTF-8 it holds only where it is
  /// ASCII. Empty: nothing is known.
  std::string name_contains{};
  FileTypes types = all_types;
  std::uint64_t least_size = 0;  ///< bytes; of regular files
  std::uint64_t most_size = std::numeric_limits<std::uint64_t>::max();
  Nanoseconds first_modified = std::numeric_limits<Nanoseconds>::min();
  Nanoseconds last_modified = std::numeric_limits<Nanoseconds>::max();
  std::uint32_t most_depth = std::numeric_limits<std::uint32_t>::max();

  bool operator==(const Bound&) const = default;
};

}  // namespace ffind
