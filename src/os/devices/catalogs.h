// SPDX-License-Identifier: MIT
// The catalogs that Linux's volumes have, one file system a file: whether one can be read, and by
// whom, and a reader for it. Called by catalogs.cpp, which is the seam's side of them.
#pragma once

#include <memory>
#include <string>

#include "os/directory_catalog.h"

namespace ffind::os {

/// What `volume`'s catalog is good for: sets `catalog` and `catalog_note`. Touches the device and
/// the process's own state only, never the volume's directories.
///
///     none      it cannot be read: the note says why ("its device may not be read: /dev/sda1:
///               Permission denied")
///     claimed   it can, but this process may not list every directory: the note says so
///     proven    it can, and shows nothing that this process could not list
void probe_ext(Volume& volume);
void probe_btrfs(Volume& volume);

/// As open_directory_catalog says.
std::unique_ptr<DirectoryCatalog> open_ext_catalog(const Task& task, std::string& why_not);
std::unique_ptr<DirectoryCatalog> open_btrfs_catalog(const Task& task, std::string& why_not);

}  // namespace ffind::os
