// SPDX-License-Identifier: MIT
// Where the source tree is. Only this file is told: the others compile to the same wherever that
// is. Not by __FILE__, which compilers' caches make relative to where the build ran.
#include "unit/source_text.h"

std::string source_directory() {
  return FFIND_SOURCE_DIR;
}
