# SPDX-License-Identifier: MIT
# Homebrew's CMake arguments include such a file: whatever asks FetchContent for something ends the
# configuration. formula.rb puts it among std_cmake_args.
macro(ffind_refuse_fetching method dependency)
  message(FATAL_ERROR "FetchContent was asked for ${dependency}: Homebrew lets nothing be fetched")
endmacro()
cmake_language(SET_DEPENDENCY_PROVIDER ffind_refuse_fetching
               SUPPORTED_METHODS FETCHCONTENT_MAKEAVAILABLE_SERIAL)
