// SPDX-License-Identifier: MIT
// From the numbers of the mount table to the block device that is mounted: its node, and the
// kernel's name for it. Asked by what reads one; knows no file system.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

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

}  // namespace ffind::os
