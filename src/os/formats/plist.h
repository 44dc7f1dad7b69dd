// SPDX-License-Identifier: MIT
// Strings in property lists, binary ("bplist00"), in which macOS stores tags and origins, or XML,
// which some programs write to the same attributes. Pure and built everywhere; finder_attributes
// interprets the strings.
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

bool is_xml_plist(std::string_view bytes);

/// Returns the strings of an XML list as UTF-8, in order, with those in arrays and dictionaries
/// (keys too). nullopt if `bytes` are no XML list, or it is malformed, has another encoding or more
/// than 16 levels or 4096 strings, or declares entities of its own, which no property list does.
std::optional<std::vector<std::string>> strings_of_xml_plist(std::string_view bytes);

}  // namespace ffind::os
