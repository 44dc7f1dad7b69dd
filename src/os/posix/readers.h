// SPDX-License-Identifier: MIT
// How the entries of an open directory are read: the part of a file system that differs between
// readers. Implemented by the *_reader.cpp files and by those of the platforms; used by
// PosixFileSystem.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ffind/plan.h"
#include "os/directory_reader.h"

namespace ffind::os {

/// The readdir(3) reader: packs entries into blocks, so that another thread can go on with the
/// directory while the names are looked at.
std::unique_ptr<KernelReader> make_readdir_reader(DirectoryOpener& opener,
                                                  std::optional<std::uint64_t> listed_device = {});

/// The fts(3) reader: reads a directory whole and stats each entry, so what it returns carries
/// metadata, and its memory grows with the directory.
std::unique_ptr<KernelReader> make_fts_reader(DirectoryOpener& opener);

/// Closes `directory` with the stream that one of these readers keeps in it.
void close_directory(Directory& directory);

/// Of the directories below the roots on which network volumes are mounted.
std::vector<std::string> names_of_network_volumes(const Task& task);

/// Whether one of `names` is in the open directory `fd`, whose position is kept. 0 or an errno.
int look_for_names(int fd, const std::vector<std::string>& names, bool& found);

}  // namespace ffind::os
