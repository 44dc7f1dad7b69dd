// SPDX-License-Identifier: MIT
// What this process may do on this machine beyond what the owner of a file lets it do. Asked by the
// readers of devices before they show what lies in directories nobody opened.
#pragma once

#include <string>

namespace ffind::os {

/// Whether a capability (CAP_DAC_READ_SEARCH of <linux/capability.h>) is in force now.
bool has_capability(int capability);

/// Whether this process runs where owners and capabilities are the machine's own, and not in a user
/// namespace, where owners are mapped to others.
bool in_first_user_namespace();

/// Whether no directory of any volume of this machine is closed to this process. `why_not` follows
/// "walk: ".
bool may_read_every_directory(std::string& why_not);

}  // namespace ffind::os
