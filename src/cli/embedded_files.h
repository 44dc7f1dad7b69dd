// SPDX-License-Identifier: MIT
// Files of the source tree that are part of the program: the recipes and the functions of the
// completions. cmake/FfindEmbed.cmake writes the definition; src/cli/CMakeLists.txt lists the
// files. They are constants in the read-only part of the program, which a search never touches.
#pragma once

#include <span>
#include <string_view>

namespace ffind::cli {

struct EmbeddedFile {
  std::string_view name;  ///< "RECIPES.md", without its folder
  std::string_view text;
};

std::span<const EmbeddedFile> embedded_files();

}  // namespace ffind::cli
