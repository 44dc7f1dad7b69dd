# SPDX-License-Identifier: MIT
# Writes a C++ source that holds the bytes of text files: the recipes for --help WORD, the functions for
# --completions. The build runs it, since CMake is the one program that every build has, a cross build too:
#
#     cmake -D OUTPUT=embedded_files.cpp -D FILES=man/RECIPES.md,completions/ffind.bash.in -P FfindEmbed.cmake
#
# Each file is one raw string literal. clang warns of those above 65,536 bytes, which no compiler has to accept;
# the largest file has half of that.
set(source "// SPDX-License-Identifier: MIT\n// Made by cmake/FfindEmbed.cmake.\n#include \"cli/help.h\"\n\n")
string(APPEND source "namespace ffind::cli {\nnamespace {\n\nusing namespace std::string_view_literals;\n\n")
string(APPEND source "constexpr struct {\n  std::string_view name;\n  std::string_view text;\n} files[] = {\n")
string(REPLACE "," ";" files "${FILES}")
foreach(file IN LISTS files)
  file(READ "${file}" content)
  string(FIND "${content}" ")ffind\"" delimiter)
  if(NOT delimiter EQUAL -1)
    message(FATAL_ERROR "${file} contains )ffind\", which would end its literal")
  endif()
  get_filename_component(name "${file}" NAME)
  string(APPEND source "{\"${name}\"sv, R\"ffind(${content})ffind\"sv},\n")
endforeach()
string(APPEND source "};\n\n}  // namespace\n\nstd::string_view embedded_file(std::string_view name) {\n")
string(APPEND source "  for (const auto& file : files) {\n    if (file.name == name) return file.text;\n  }\n  return {};\n}\n\n")
string(APPEND source "}  // namespace ffind::cli\n")
file(WRITE "${OUTPUT}" "${source}")
