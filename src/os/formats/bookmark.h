// SPDX-License-Identifier: MIT
// Decoder of the Finder's alias files, whose contents are a bookmark (CFURL's, since macOS 10.6).
// Pure and built everywhere; EntryAccess reads the bytes. Aliases of earlier systems are in the
// resource fork and are not decoded.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace ffind::os {

/// No alias file is shorter.
inline constexpr std::size_t least_alias_file = 64;
/// Most bytes that are read of one: it may contain an icon.
inline constexpr std::size_t most_alias_file = std::size_t{4} << 20U;

/// True if `bytes` begin like an alias file, or like a part of its beginning.
bool may_be_alias_file(std::string_view bytes);

/// Returns the absolute path that an alias file led to when it was made or last resolved. nullopt
/// if `bytes` are no alias file, or a damaged one.
std::optional<std::string> target_of_alias_file(std::string_view bytes);

}  // namespace ffind::os
