// SPDX-License-Identifier: MIT
// The help texts, laid out from the option table. Called by run.cpp.
#pragma once

#include <cstddef>
#include <string>

namespace ffind::cli {

/// Where nobody looks, or the terminal does not say.
inline constexpr std::size_t usual_width = 80;

/// -h: everyday options and examples, on one screen. No line has more than `width` columns, unless
/// it is a command, which is not broken.
std::string short_help(std::size_t width = usual_width);
/// --help: everything, in groups.
std::string long_help(std::size_t width = usual_width);

}  // namespace ffind::cli
