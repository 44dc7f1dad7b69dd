// SPDX-License-Identifier: MIT
// Until when the kernel has written what it keeps in memory of files. Asked by what reads inodes
// past stat, which returns sizes that the volume does not have yet.
#pragma once

#include "ffind/entry.h"

namespace ffind::os {

/// Wall clock: files that changed before that moment have been written, their sizes included. 0:
/// nothing can be said of any.
Nanoseconds written_before(Nanoseconds now);

}  // namespace ffind::os
