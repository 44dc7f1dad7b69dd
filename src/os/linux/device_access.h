// SPDX-License-Identifier: MIT
// Access to block devices, for reading a mounted file system past its own calls. Knows no file
// system.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "ffind/entry.h"

namespace ffind::os {

/// Opens the block device `major`:`minor` for reading. Returns its descriptor, or a negative errno.
/// `path` is set to its node, or to the last one tried, for messages. `source` is the name in the
/// mount table, which may lead there, or to anything: no node of another device is opened.
int open_device(std::uint32_t major, std::uint32_t minor, std::string& path,
                const std::string& source = {});

/// The kernel's name of a device, as in /sys/fs/ext4: "vda1", "dm-0"; empty without sysfs.
std::string device_name(std::uint32_t major, std::uint32_t minor);

/// The node named by a uevent file of sysfs: "/dev/mapper/x" for "...DEVNAME=mapper/x..."; empty if
/// there is none. Pure.
std::string node_of_uevent(std::string_view uevent);

/// True if a capability, such as CAP_DAC_READ_SEARCH, is in effect.
bool has_capability(int capability);

/// True if this process is in the machine's first user namespace; in others owners are mapped and
/// capabilities limited.
bool in_first_user_namespace();

/// The reason why this process may not read every directory of every volume, as a text that follows
/// "walk: "; empty if it may.
std::string closed_directories();

/// Time of the wall clock before which changes of files, their sizes included, have reached the
/// device. 0 if unknown.
Instant written_before(Instant now);

}  // namespace ffind::os
