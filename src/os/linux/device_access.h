// SPDX-License-Identifier: MIT
// Access to block devices: opening the one that is mounted, whether this process may read past the
// permissions of files, and until when the kernel has written what it keeps in memory. Knows no
// file system.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "ffind/entry.h"

namespace ffind::os {

/// Opens the block device `major`:`minor` for reading and returns its descriptor, or an errno,
/// negative. `path` is set to its node, or to where that was looked for, for messages. `source` is
/// the name in the mount table, which may lead there as well, or anywhere. No node is
/// opened that is not the very device.
int open_device(std::uint32_t major, std::uint32_t minor, std::string& path,
                const std::string& source = {});

/// The kernel's name of it, as /sys/fs/ext4 has it: "vda1", "dm-0"; empty where sysfs is not to be
/// had.
std::string device_name(std::uint32_t major, std::uint32_t minor);

/// The node that a uevent file of sysfs names: "/dev/mapper/x" for "...DEVNAME=mapper/x...";
/// empty where it names none. Pure.
std::string node_of_uevent(std::string_view uevent);

/// Whether a capability (CAP_DAC_READ_SEARCH of <linux/capability.h>) is in force now.
bool has_capability(int capability);

/// Whether this process runs where owners and capabilities are the machine's own, and not in a user
/// namespace, where owners are mapped to others.
bool in_first_user_namespace();

/// Whether no directory of any volume of this machine is closed to this process. `why_not` follows
/// "walk: ".
bool may_read_every_directory(std::string& why_not);

/// Wall clock: files that changed before that moment have been written, their sizes included. 0:
/// nothing can be said of any.
Nanoseconds written_before(Nanoseconds now);

}  // namespace ffind::os
