# SPDX-License-Identifier: MIT
# Finds what the system has: CLI11, fmt, RE2, utf8proc, the header of xxHash, and on Linux those of libext2fs.
# Downloads nothing (Homebrew forbids it).
find_package(PkgConfig REQUIRED)
find_package(CLI11 2.1 REQUIRED)
find_package(fmt 9 REQUIRED)
pkg_check_modules(RE2 REQUIRED IMPORTED_TARGET re2)
pkg_check_modules(UTF8PROC REQUIRED IMPORTED_TARGET libutf8proc)

# `target` becomes the static archive of the pkg-config module `package` when there is one that
# needs no more libraries than itself, otherwise what pkg-config said. Start-up time decides (see
# FfindCompiler.cmake); RE2 from 2023-06 on pulls in dozens of abseil's libraries and stays shared.
function(ffind_prefer_static target name package)
  add_library(${target} INTERFACE)
  find_library(archive NAMES lib${name}.a HINTS ${${package}_LIBDIR} NO_CACHE)
  if(FFIND_STATIC_LIBRARIES AND NOT APPLE AND archive
     AND NOT "${${package}_STATIC_LIBRARIES};${${package}_LIBRARIES}" MATCHES "absl")
    target_include_directories(${target} SYSTEM INTERFACE ${${package}_INCLUDE_DIRS})
    target_link_libraries(${target} INTERFACE ${archive} Threads::Threads)
  else()
    target_link_libraries(${target} INTERFACE PkgConfig::${package})
  endif()
endfunction()

ffind_prefer_static(ffind_re2 re2 RE2)
ffind_prefer_static(ffind_utf8proc utf8proc UTF8PROC)

add_library(ffind_fmt INTERFACE)
if(TARGET fmt::fmt-header-only)
  # A dozen of its functions are used; compiled in they cost nothing at start-up.
  target_link_libraries(ffind_fmt INTERFACE fmt::fmt-header-only)
else()
  target_link_libraries(ffind_fmt INTERFACE fmt::fmt)
endif()

# Of xxHash only the header, which has all of it.
pkg_check_modules(XXHASH QUIET libxxhash)
find_path(XXHASH_HEADERS xxhash.h HINTS ${XXHASH_INCLUDEDIR} ${XXHASH_INCLUDE_DIRS})
if(NOT XXHASH_HEADERS)
  message(FATAL_ERROR "ffind needs xxhash.h (Debian: libxxhash-dev, Fedora: xxhash-devel, Homebrew: xxhash)")
endif()
add_library(ffind_xxhash INTERFACE)
target_include_directories(ffind_xxhash SYSTEM INTERFACE ${XXHASH_HEADERS})

# Of libext2fs only what ext4 looks like on a disk; nothing of it is linked.
if(CMAKE_SYSTEM_NAME STREQUAL "Linux")
  pkg_check_modules(EXT2FS QUIET ext2fs)
  find_path(EXT2FS_HEADERS ext2fs/ext2_fs.h HINTS ${EXT2FS_INCLUDEDIR} ${EXT2FS_INCLUDE_DIRS})
  if(NOT EXT2FS_HEADERS)
    message(FATAL_ERROR "ffind needs the headers of libext2fs, ext2fs/ext2_fs.h among them "
                        "(Debian: libext2fs-dev, Fedora: e2fsprogs-devel)")
  endif()
  add_library(ffind_ext2fs_headers INTERFACE)
  target_include_directories(ffind_ext2fs_headers SYSTEM INTERFACE ${EXT2FS_HEADERS})
endif()
