// SPDX-License-Identifier: MIT
// Volumes by choice and by name: what `--all-volumes` searches, what `--volume NAME` means. Called
// by cli, which makes roots of the answers. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "ffind/volume.h"

namespace ffind::plan {

/// Every local file system once, without snapshots and what is shown as one with another, through
/// its widest views, and with `network` those of other machines and processes too; none made up by
/// the kernel, none that mount themselves. In the order of paths. A container's single mounted
/// files are among them: what is no directory is no root.
std::vector<Volume> select_volumes(const MountTable& table, bool network);

/// Places in `table` of the volumes to be asked what they can do: those that located roots lie on,
/// and what may be entered below, but no server that nobody named: it may be dead.
std::vector<std::size_t> volumes_to_ask(const MountTable& table,
                                        const std::vector<Location>& locations, bool cross_volumes);

/// The same for a listing of all volumes.
std::vector<std::size_t> volumes_to_ask(const MountTable& table);

/// The volume that `name` means: a mount point, a source (`/dev/sda1`, `server:/export`), a label,
/// or the last part of a source or mount point; whichever of these fits first. `labelled` has the
/// sources or mount points of the volumes that carry the label `name`. Of several views of one file
/// system the widest is meant. Throws UsageError when none or several are left.
const Volume* volume_named(const MountTable& table, std::string_view name,
                           const std::vector<std::string>& labelled);

}  // namespace ffind::plan
