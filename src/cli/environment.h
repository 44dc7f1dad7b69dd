// SPDX-License-Identifier: MIT
// Variables of the environment. Used by what wires a run together; nothing else in cli looks at
// them.
#pragma once

#include <string>

#include "os/machine.h"

namespace ffind::cli {

/// Empty when it is not set.
inline std::string environment(const char* name) {
  return os::environment(name).value_or(std::string());
}

}  // namespace ffind::cli
