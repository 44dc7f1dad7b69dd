// SPDX-License-Identifier: MIT
// Directories of an XFS volume as the kernel lists them, and the metadata of their entries from its
// inodes. Made by directories.cpp for a mounted volume, and by tests for a fake one.
#pragma once

#include <cstdint>
#include <memory>

#include "os/devices/xfs/inodes.h"
#include "os/directory_reader.h"

namespace ffind::os::xfs {

/// When a record is the truth of an entry. That names an inode by number, and what the record says
/// of that number may be of an earlier or a later file. It is not (fs/xfs/xfs_inode.c of Linux):
///
///  - whatever is created, linked, unlinked, renamed or changed gets a new change time, in memory
///    and at once, before its number can be used again. A record with a change time before the
///    search is of an inode that nothing happened to between then and when the record was read, and
///    whose names were the same all that time;
///  - so if the record was read after the directory was listed, it is what a stat would have
///    returned when it was listed;
///  - if it was read before, the inode may have been changed since, and then given the name. A
///    directory that has not changed since the search began had that entry all the time: the record
///    is what a stat would have returned when it was read. Of others the kernel is asked.
///
/// Nothing is certain of what is mounted, or was reached by a link: that is for the walk to know.
std::unique_ptr<DirectoryReaders> make_readers(std::unique_ptr<Inodes> inodes,
                                               std::uint64_t device_number,
                                               FileSystem& file_system);

}  // namespace ffind::os::xfs
