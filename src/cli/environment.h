// SPDX-License-Identifier: MIT
// Variables of the environment. Used by what wires a run together; nothing else in cli looks at
// them.
#pragma once

#include <cstdlib>
#include <string>

namespace ffind::cli {

/// Empty when it is not set.
inline std::string environment(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr ? value : "";
}

}  // namespace ffind::cli
