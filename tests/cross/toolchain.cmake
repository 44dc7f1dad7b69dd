# SPDX-License-Identifier: MIT
# CMake's toolchain file for the targets of build.sh, which makes the wrappers and libraries named here:
# `zig c++`, which carries musl, and Apple's public headers with the stubs of libSystem.
# FFIND_TARGET is a row of build.sh's table, as darwin-arm64.
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES FFIND_TARGET)
string(REGEX REPLACE "^[^-]*-" "" CMAKE_SYSTEM_PROCESSOR "${FFIND_TARGET}")
if(DEFINED ENV{XDG_CACHE_HOME})
  set(cache $ENV{XDG_CACHE_HOME}/ffind-cross)
else()
  set(cache $ENV{HOME}/.cache/ffind-cross)
endif()

foreach(tool AR RANLIB)
  string(TOLOWER ${tool} name)
  set(CMAKE_${tool} ${cache}/bin/${name})
endforeach()
set(CMAKE_C_COMPILER ${cache}/bin/${FFIND_TARGET}-clang)
set(CMAKE_CXX_COMPILER ${cache}/bin/${FFIND_TARGET}-clang++)
if(FFIND_TARGET MATCHES "^darwin-")
  set(CMAKE_SYSTEM_NAME Darwin)
  # Warns of what Apple's headers date later than macOS 14, of libSystem and of libc++. (zig links its own
  # libc++, which has everything, so it leaves the second part out unless told.)
  set(CMAKE_CXX_FLAGS_INIT "-Wunguarded-availability -U_LIBCPP_HAS_VENDOR_AVAILABILITY_ANNOTATIONS \
-D_LIBCPP_HAS_VENDOR_AVAILABILITY_ANNOTATIONS=1")
  # CMake asks for it on every Darwin; nothing here has libraries of its own to install.
  set(CMAKE_INSTALL_NAME_TOOL false)
else()
  set(CMAKE_SYSTEM_NAME Linux)
  set(CMAKE_EXE_LINKER_FLAGS_INIT -s)  # no strip of this machine knows all of their processors
endif()

# Nothing of the machine that builds is for the machine that runs.
set(CMAKE_FIND_ROOT_PATH ${cache}/${FFIND_TARGET})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_PATH} "")
set(ENV{PKG_CONFIG_LIBDIR} ${cache}/${FFIND_TARGET}/lib/pkgconfig)
