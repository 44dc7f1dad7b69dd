// SPDX-License-Identifier: MIT
// What programs call an errno. Used for errors that programs read. Pure.
#pragma once

#include <string>

namespace ffind::output {

/// "EACCES"; the digits of one that has no name that all systems know.
std::string errno_name(int error);

}  // namespace ffind::output
