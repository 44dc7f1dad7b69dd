// SPDX-License-Identifier: MIT
// Property lists in XML, as some programs write them to the attributes that macOS keeps binary ones
// in: the texts in one. Pure bytes to values, built everywhere; read by finder_attributes. Knows no
// file system, and not what the texts mean.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ffind::os {

bool is_xml_plist(std::string_view bytes);

/// The strings in it, as UTF-8, in their order; those in arrays and dictionaries (keys too) as
/// well. Nothing when it is none, in another encoding, broken anywhere, or beyond the bounds of
/// plist_text.h; nor where it declares entities of its own, which no property list has.
std::optional<std::vector<std::string>> strings_of_xml_plist(std::string_view bytes);

}  // namespace ffind::os
