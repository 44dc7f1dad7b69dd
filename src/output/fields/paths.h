// SPDX-License-Identifier: MIT
// The path of a match, as everything that prints or hands on one has it.
#pragma once

#include <string>

#include "ffind/entry.h"

namespace ffind::output {

/// Appends the path as it is printed; one that would begin with "-", and be an option to whoever
/// reads it, gets "./" before it.
inline void append_path(std::string& out, Entry& entry) {
  entry.require(needs::directory);
  if (entry.directory.empty() && entry.name.front() == '-') out += "./";
  out += entry.directory;
  out += entry.name;
}

}  // namespace ffind::output
