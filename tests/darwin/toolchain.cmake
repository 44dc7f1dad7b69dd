# SPDX-License-Identifier: MIT
# CMake's toolchain file for macOS on another system: `zig c++`, which carries Apple's public headers
# and the stubs of libSystem. The wrappers and libraries named here are made by cross.sh.
# FFIND_DARWIN_ARCH is arm64 or x86_64.
set(CMAKE_SYSTEM_NAME Darwin)
set(CMAKE_SYSTEM_PROCESSOR ${FFIND_DARWIN_ARCH})
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES FFIND_DARWIN_ARCH)
if(DEFINED ENV{XDG_CACHE_HOME})
  set(cache $ENV{XDG_CACHE_HOME}/ffind-darwin)
else()
  set(cache $ENV{HOME}/.cache/ffind-darwin)
endif()

foreach(tool AR RANLIB)
  string(TOLOWER ${tool} name)
  set(CMAKE_${tool} ${cache}/bin/${name})
endforeach()
set(CMAKE_C_COMPILER ${cache}/bin/${FFIND_DARWIN_ARCH}-clang)
set(CMAKE_CXX_COMPILER ${cache}/bin/${FFIND_DARWIN_ARCH}-clang++)
# Warns of what Apple's headers date later than macOS 14, of libSystem and of libc++. (zig links its own
# libc++, which has everything, so it leaves the second part out unless told.)
set(CMAKE_CXX_FLAGS_INIT "-Wunguarded-availability -U_LIBCPP_HAS_VENDOR_AVAILABILITY_ANNOTATIONS \
-D_LIBCPP_HAS_VENDOR_AVAILABILITY_ANNOTATIONS=1")
# CMake asks for it on every Darwin; nothing here has libraries of its own to install.
set(CMAKE_INSTALL_NAME_TOOL false)

# Nothing of the machine that builds is for the machine that runs.
set(CMAKE_FIND_ROOT_PATH ${cache}/${FFIND_DARWIN_ARCH})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_PATH} "")
set(ENV{PKG_CONFIG_LIBDIR} ${cache}/${FFIND_DARWIN_ARCH}/lib/pkgconfig)
