// SPDX-License-Identifier: MIT
// macOS's own readers of directories. Made by DarwinFileSystem.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ffind/entry.h"
#include "os/posix/readers.h"

namespace ffind::os::darwin {

/// getattrlistbulk(2), asking for what `wanted` needs; by readdir where it cannot be had. With
/// `firmlinks` some of the directories may be such.
std::unique_ptr<DirectoryReader> make_bulk_reader(DirectoryOpener& opener, Needs wanted,
                                                  bool firmlinks);

/// readdir(3); by getattrlistbulk what is read in parts: a stream that waits half-read keeps its
/// buffer, and would lose its place without. For volumes that have such a call of their own.
std::unique_ptr<DirectoryReader> make_names_reader(DirectoryOpener& opener, Needs wanted,
                                                   bool firmlinks);

/// fts(3); by the bulk reader for directories too large to be held in memory, or that have one of
/// the names `untouchable`, which outlive the reader, in them.
std::unique_ptr<DirectoryReader> make_bounded_fts_reader(
    DirectoryOpener& opener, Needs wanted, bool firmlinks,
    const std::vector<std::string>& untouchable);

}  // namespace ffind::os::darwin
