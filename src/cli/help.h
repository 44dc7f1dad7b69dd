// SPDX-License-Identifier: MIT
// The help texts, laid out from the option table. Called by run.cpp.
#pragma once

#include <string>

namespace ffind::cli {

/// -h: everyday options and examples, on one screen.
std::string short_help();
/// --help: everything, in groups.
std::string long_help();

}  // namespace ffind::cli
