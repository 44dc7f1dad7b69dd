// SPDX-License-Identifier: MIT
// The entry to the reader of ext2, ext3 and ext4: probing a volume, and opening its directories.
// Called by file_systems.cpp, which is the seam's side of it.
#pragma once

#include <memory>
#include <string>

#include "os/ext/device_directories.h"

namespace ffind::os {

/// What reading `volume`'s device is good for: sets `catalog` and `catalog_note`. Touches the
/// device and the process's own state only, never the volume's directories.
///
///     none      it cannot be read: the note says why ("its device may not be read: /dev/sda1:
///               Permission denied")
///     claimed   it can, but this process may not list every directory: the note says so
///     proven    it can, and shows nothing that this process could not list
void probe_ext(Volume& volume);

/// As device_directories says, without the kernel's part.
std::unique_ptr<DeviceDirectories> open_ext(const Task& task, std::string& why_not);

}  // namespace ffind::os
