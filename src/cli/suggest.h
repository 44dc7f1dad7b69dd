// SPDX-License-Identifier: MIT
// Guesses which option was meant by one that is misspelt, or another program's. Called by
// arguments.cpp.
#pragma once

#include <string>
#include <string_view>

namespace ffind {

/// How to say here what `name` is to find ("-name"), fd or rg ("--extension"). Empty when it is no
/// such option. For one dash it is asked before letters are read one by one, for two when the
/// option does not exist.
std::string advice_on_habit(std::string_view name);

/// The nearest of all options (query/values/nearest.h); for a long option also one that `name`
/// begins, for several letters one that lacks a dash. Empty when none is near.
std::string nearest_option(std::string_view name);

}  // namespace ffind
