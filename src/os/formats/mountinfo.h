// SPDX-License-Identifier: MIT
// Decoder of Linux's mount table. os/linux hands it the text of /proc/self/mountinfo, the tests
// theirs. Pure and built everywhere: bytes in, values out, no call.
#pragma once

#include <string_view>

#include "ffind/volume.h"

namespace ffind::os {

/// The mounts of `mountinfo` (man 5 proc) in its order, their kind and whether a later mount hides
/// them worked out. Lines that cannot be read are left out; any bytes are taken, none throw.
MountTable parse_mountinfo(std::string_view mountinfo);

/// What sort of volume a file system type makes, by its name in the mount table.
VolumeKind kind_of_file_system(std::string_view type);

}  // namespace ffind::os
