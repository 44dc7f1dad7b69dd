// SPDX-License-Identifier: MIT
// The files of tests/data/finder, which plistlib and make.py there wrote.
#pragma once

#include <string>

#include "os/files.h"
#include "unit/source_text.h"

namespace ffind::testing {

inline std::string finder_data(const std::string& name) {
  return os::read_file(source_directory() + "/tests/data/finder/" + name);
}

}  // namespace ffind::testing
