# SPDX-License-Identifier: MIT
# What every target is compiled with: warnings, sanitizers, threads. Linked as ffind_compiler.
find_package(Threads REQUIRED)

add_library(ffind_compiler INTERFACE)
target_link_libraries(ffind_compiler INTERFACE Threads::Threads)
if(CMAKE_SYSTEM_NAME STREQUAL "Linux")
  # For files of 2 GiB and more, and times from 2038 on.
  if(CMAKE_SIZEOF_VOID_P EQUAL 4)
    target_compile_definitions(ffind_compiler INTERFACE _FILE_OFFSET_BITS=64 _TIME_BITS=64)
  endif()
  # musl's threads get 128 KiB of stack unless the program says more, 8 MiB at most: as much as glibc gives.
  target_link_options(ffind_compiler INTERFACE -Wl,-z,stack-size=8388608)
endif()
# -pthread in all rooms, since some get it with RE2: clang refuses a precompiled header that differs.
target_compile_options(ffind_compiler INTERFACE -pthread
  -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wold-style-cast
  -Wnon-virtual-dtor -Woverloaded-virtual -Wcast-qual
  # Of several files that are compiled at once, one may have the name of a local variable of the next.
  # clang has a part of g++'s -Wshadow under a name of its own.
  $<$<NOT:$<BOOL:$<TARGET_PROPERTY:UNITY_BUILD>>>:-Wshadow
    $<$<CXX_COMPILER_ID:Clang>:-Wshadow-field-in-constructor>>)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # g++ 12 reports impossible copies in "literal" + std::string (its bug 105651).
  target_compile_options(ffind_compiler INTERFACE
    -Wno-restrict -Wno-array-bounds -Wno-stringop-overflow)
endif()
if(FFIND_WERROR)
  target_compile_options(ffind_compiler INTERFACE -Werror)
endif()
if(FFIND_FUZZ)
  target_compile_options(ffind_compiler INTERFACE -fsanitize=fuzzer-no-link)
  target_link_options(ffind_compiler INTERFACE -fsanitize=fuzzer-no-link)
endif()
if(FFIND_SANITIZE)
  target_compile_options(ffind_compiler INTERFACE
    -fsanitize=${FFIND_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all
    # At a fixed address: relocating the descriptions of global variables took a fifth of a start.
    $<$<PLATFORM_ID:Linux>:-fno-pie>
    # g++ sees what is not there once it has put its checks in, as its manual says.
    $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  target_compile_definitions(ffind_compiler INTERFACE _GLIBCXX_ASSERTIONS)
  target_link_options(ffind_compiler INTERFACE -fsanitize=${FFIND_SANITIZE}
    $<$<PLATFORM_ID:Linux>:-no-pie>)
elseif(CMAKE_SYSTEM_NAME STREQUAL "Linux")
  # Start-up is part of the promise (an empty directory in find's time), and half of it went
  # into finding and relocating shared libraries: libstdc++ is linked in (unless a distribution
  # wants what it updates itself), what is unused left out.
  target_compile_options(ffind_compiler INTERFACE -ffunction-sections -fdata-sections)
  target_link_options(ffind_compiler INTERFACE
    "$<$<BOOL:${FFIND_STATIC_LIBRARIES}>:-static-libstdc++;-static-libgcc>" -Wl,--gc-sections -Wl,--as-needed)
endif()
if(APPLE)
  # pkg-config names some 40 of abseil's libraries for RE2. The program calls none of them, and dyld
  # would load each at start-up. (Debian's linker does the same by --as-needed.)
  target_link_options(ffind_compiler INTERFACE -Wl,-dead_strip_dylibs)
endif()
