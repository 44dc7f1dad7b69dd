// SPDX-License-Identifier: MIT
// Requests for macOS's searchfs(2): parameter buffers in its layout, made from a bound. Its
// answers are decoded by darwin_attributes. Used by os/darwin. Pure and built everywhere.
#pragma once

#include <cstdint>
#include <vector>

#include "ffind/bound.h"
#include "os/formats/darwin_attributes.h"

namespace ffind::os::darwin {

// Options of searchfs, <sys/attr.h>; asserted in darwin/layout.cpp.
inline constexpr std::uint32_t srchfs_start = 0x00000001;
inline constexpr std::uint32_t srchfs_matchpartialnames = 0x00000002;
inline constexpr std::uint32_t srchfs_matchdirs = 0x00000004;
inline constexpr std::uint32_t srchfs_matchfiles = 0x00000008;

/// Whose searchfs it is: they differ in what they take and in what can be believed.
enum class SearchDialect : std::uint8_t {
  hfs,   ///< HFS+, and AFP, which hands the request on to one
  apfs,  ///< wrong about types and hard links, and about sizes when it searches for files only;
         ///< takes an empty name for "all", where hfs takes it for "none"
};

struct SearchRequest {
  std::uint32_t options = 0;  ///< without srchfs_start
  AttributeSet searched{};    ///< what the parameters hold
  AttributeSet returned{};    ///< what each record is to hold
  /// searchparams1 and 2: the lower and upper ends; the name is in the first.
  std::vector<unsigned char> first{};
  std::vector<unsigned char> last{};
  /// What of the records can be believed.
  Needs trusted = needs::none;
};

/// A request that finds everything that `bound` allows, or more; its records contain what of
/// `wanted` the dialect can be trusted with, and always name, id and parent.
SearchRequest search_request(const Bound& bound, Needs wanted, SearchDialect dialect);

/// Finds every directory of an hfs volume, with what `may_be_closed` looks at and the number of its
/// names: a search passes over the contents of those that its process may not read, and does not
/// say so.
SearchRequest directories_request();

/// Whether `request` finds every directory, with the number of its names.
bool finds_all_directories(const SearchRequest& request);

/// Whether a directory of that mode is closed to some.
constexpr bool may_be_closed(std::uint32_t mode) {
  return (mode & 0555U) != 0555U;
}

}  // namespace ffind::os::darwin
