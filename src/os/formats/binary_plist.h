// SPDX-License-Identifier: MIT
// Binary property lists ("bplist00"), as macOS keeps tags and origins in: the texts in one. Pure
// bytes to values, built everywhere; read by finder_attributes. Knows no file system, and not what
// the texts mean.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ffind::os {

bool is_binary_plist(std::string_view bytes);

/// The strings in it, as UTF-8, in their order; those in arrays, sets and dictionaries (keys, then
/// values) too. A string that is referenced several times is returned once: so a hostile list is no
/// longer than its bytes. Nothing when it is none, or broken anywhere on the way.
std::optional<std::vector<std::string>> strings_of_binary_plist(std::string_view bytes);

}  // namespace ffind::os
