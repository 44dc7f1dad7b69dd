# Finds what the system has: CLI11, fmt, RE2, utf8proc. Downloads nothing (Homebrew forbids it).
find_package(PkgConfig REQUIRED)
find_package(CLI11 2.1 REQUIRED)
find_package(fmt 9 REQUIRED)
pkg_check_modules(RE2 REQUIRED IMPORTED_TARGET re2)
pkg_check_modules(UTF8PROC REQUIRED IMPORTED_TARGET libutf8proc)

# `target` becomes the static archive `name` when there is one that needs no more libraries than
# itself, otherwise what pkg-config said. Start-up time decides (see FfindCompiler.cmake); RE2 from
# 2023-06 on pulls in dozens of abseil's libraries and stays shared.
function(ffind_prefer_static target name package requires)
  add_library(${target} INTERFACE)
  find_library(FFIND_STATIC_${name} NAMES lib${name}.a PATHS ${${package}_LIBDIR})
  mark_as_advanced(FFIND_STATIC_${name})
  if(FFIND_STATIC_LIBRARIES AND NOT APPLE AND FFIND_STATIC_${name} AND NOT "${requires}" MATCHES "absl")
    target_include_directories(${target} SYSTEM INTERFACE ${${package}_INCLUDE_DIRS})
    target_link_libraries(${target} INTERFACE ${FFIND_STATIC_${name}} Threads::Threads)
  else()
    target_link_libraries(${target} INTERFACE PkgConfig::${package})
  endif()
endfunction()

ffind_prefer_static(ffind_re2 re2 RE2 "${RE2_STATIC_LIBRARIES};${RE2_LIBRARIES}")
ffind_prefer_static(ffind_utf8proc utf8proc UTF8PROC "")

add_library(ffind_fmt INTERFACE)
if(TARGET fmt::fmt-header-only)
  # A dozen of its functions are used; compiled in they cost nothing at start-up.
  target_link_libraries(ffind_fmt INTERFACE fmt::fmt-header-only)
else()
  target_link_libraries(ffind_fmt INTERFACE fmt::fmt)
endif()
