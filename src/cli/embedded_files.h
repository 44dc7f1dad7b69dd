// SPDX-License-Identifier: MIT
// Files of the source tree that are part of the program: the recipes and the functions of the
// completions. cmake/FfindEmbed.cmake writes the definition; src/cli/CMakeLists.txt lists the
// files. They are constants in the read-only part of the program, which a search never touches.
#pragma once

#include <string_view>

namespace ffind::cli {

/// The text of the file "RECIPES.md", without its folder.
std::string_view embedded_file(std::string_view name);

}  // namespace ffind::cli
