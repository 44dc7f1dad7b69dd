// SPDX-License-Identifier: MIT
// Strings in binary property lists ("bplist00"), in which macOS stores tags and origins. Pure and
// built everywhere; finder_attributes interprets the strings.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ffind::os {

bool is_binary_plist(std::string_view bytes);

/// Returns the strings of a binary list as UTF-8, in order, with those in arrays, sets and
/// dictionaries (keys, then values). A string that is referenced several times is returned once, so
/// that a hostile list cannot yield more than its bytes. nullopt if `bytes` are no binary list, or
/// it is damaged, or has more than 16 levels or 4096 strings.
std::optional<std::vector<std::string>> strings_of_binary_plist(std::string_view bytes);

}  // namespace ffind::os
