// SPDX-License-Identifier: MIT
// Packages: directories that macOS shows people as one file, known by their names. Called by the
// matcher when packages are not to be entered. Pure: what the Finder has marked is not known here.
#pragma once

#include <span>
#include <string_view>

namespace ffind::query {

/// Whether a directory called `name` is a package by its extension: the part behind the last dot,
/// in any case, with something before the dot.
bool has_package_extension(std::string_view name);

/// The table, in small letters; for the map that both packages and kinds are looked up in.
std::span<const std::string_view> package_extensions();

}  // namespace ffind::query
