// SPDX-License-Identifier: MIT
// fts(3) on Linux stats each directory that it lists, also one on which a server is mounted that
// never answers. Used by file_system.cpp.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "os/posix/dirent_reader.h"

namespace ffind::os {

/// Reads by fts, but by readdir each directory that has one of the names `untouchable` in it.
std::unique_ptr<DirentReader> make_careful_fts_reader(std::vector<std::string> untouchable);

}  // namespace ffind::os
