// SPDX-License-Identifier: MIT
// Property lists, binary ("bplist00") as macOS keeps tags and origins in, and in XML, as some
// programs write them to the same attributes: the texts in one. Pure bytes to values, built
// everywhere; read by finder_attributes. Knows no file system, and not what the texts mean.
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

bool is_xml_plist(std::string_view bytes);

/// The strings in it, as UTF-8, in their order; those in arrays and dictionaries (keys too) as
/// well. Nothing when it is none, in another encoding, broken anywhere, or beyond
/// the bounds of 16 levels and 4096 strings; nor where it declares entities of its own, which no
/// property list has.
std::optional<std::vector<std::string>> strings_of_xml_plist(std::string_view bytes);

}  // namespace ffind::os
