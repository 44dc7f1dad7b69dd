// SPDX-License-Identifier: MIT
// The main function of the unit tests under Catch2 2, which comes as a header only; Catch2 3 has
// one in a library, and the build leaves this file out.
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
